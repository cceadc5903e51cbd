# What befalls a sweep that is no fault of its experiment: a worker that dies before anything can be measured, a file that is
# taken away.
echo "== a worker dies whenever it describes a build: nothing is stored, and the next run tries again"
WARPSTUDY_FAULT=describe:crash@1 try warpstudy run "$EXPERIMENTS/null.yaml" --set retries=1 --db dying.db
try warpstudy query --db dying.db "SELECT (SELECT count(*) FROM trial_record) AS trials, reason FROM run"
try warpstudy status --db dying.db
try warpstudy run "$EXPERIMENTS/null.yaml" --db dying.db
try warpstudy status --db dying.db --format csv | cut -d, -f1,5-10
echo "== it dies now and then: the builds are described all the same, where something is retried"
WARPSTUDY_FAULT=describe:crash@2 try warpstudy run "$EXPERIMENTS/null.yaml" --set seed=1 --set height=8,9 --db again.db
WARPSTUDY_FAULT=describe:crash@2 try warpstudy run "$EXPERIMENTS/null.yaml" "$EXPERIMENTS/small.yaml" --set retries=0 --set seed=1 \
    --set height=8,9 --set variant=null --set device=null --set scene=cornell --quiet --db once.db
try warpstudy query --db once.db "SELECT count(*) AS done FROM attempt WHERE status = 'done'"
echo "== the database is removed, and replaced by another"
for event in "rm lost.db" "cp dying.db other.db; mv other.db lost.db"; do
    WARPSTUDY_FAULT=worker:hang@2 warpstudy run "$EXPERIMENTS/null.yaml" --set time_limit=1 --set retries=0 --quiet --db lost.db &
    for i in $(seq 1200); do
        # The first is done, and the second hangs. While the run stands still, no time limit passes for it.
        kill -STOP $!
        warpstudy query --db lost.db --format csv "SELECT sum(status = 'done') + 10 * sum(status = 'running') FROM attempt" 2>/dev/null |
            grep -qx 11 && break
        kill -CONT $!
        sleep 0.05
    done
    eval "$event"
    kill -CONT $!
    wait $!
    echo "-> $?"
    ls lost.db*
    for database in lost.db lost.db.rescued; do
        [ -e $database ] && try warpstudy query --db $database "SELECT status, count(*) AS n FROM attempt GROUP BY 1"
    done
    rm -f lost.db*
done
echo "== a signal ends also what is still planned: millions of points would take minutes"
sed 's/seed: .*/{seed: [1..2000], height: [1..2400]}/; s/, height: 8//' "$EXPERIMENTS/null.yaml" >many.yaml
for signal in INT TERM HUP; do
    warpstudy run many.yaml --quiet --db planned.db &
    pid=$!
    for i in $(seq 1200); do [ -e planned.db ] && break; sleep 0.05; done
    kill -$signal $pid
    for i in $(seq 600); do kill -0 $pid 2>/dev/null || break; sleep 0.05; done
    kill -KILL $pid 2>/dev/null && echo "goes on planning"
    wait $pid
    echo "$signal -> $?"
    ls planned.db* 2>/dev/null
done
echo "== a database that is removed before anything begins"
cp once.db planned.db
warpstudy run many.yaml --quiet --db planned.db >log 2>&1 &
pid=$!
for i in $(seq 1200); do [ -e planned.db-shm ] && break; sleep 0.05; done
rm planned.db
kill -INT $pid 2>/dev/null
wait $pid
echo "-> $?"
cat log
ls planned.db*
try warpstudy query --db planned.db "SELECT count(*) AS done FROM attempt WHERE status = 'done'"
echo "== a log that a killed run left: it damages no database that is put at its name"
cp dying.db killed.db
python3 -c "import os, sqlite3; sqlite3.connect('killed.db').executescript('VACUUM; PRAGMA journal_mode = WAL; DROP TABLE attempt'); os._exit(0)"
rm killed.db
try warpstudy copy once.db killed.db
cp once.db killed.db
try warpstudy run "$EXPERIMENTS/null.yaml" --quiet --db killed.db 2>&1 | sed 's/damaged: .*/damaged: .../'
cmp once.db killed.db && rm killed.db-wal killed.db-shm && try warpstudy query --db killed.db "SELECT count(*) AS runs FROM run"
echo "== several runs begin one database at the same moment: one has it, and whoever comes while it does is told so"
for i in 1 2 3 4; do { warpstudy run "$EXPERIMENTS/null.yaml" --quiet --db crowded.db >crowd.$i 2>&1; echo "-> $?" >>crowd.$i; } & done
wait
for i in 1 2 3 4; do grep -qx -e "-> 0" -e "warpstudy: .*: another run uses this database: process [0-9]*" crowd.$i || cat crowd.$i; done
cat crowd.? | grep -x -m 1 -e "-> 0"
try warpstudy query --db crowded.db "SELECT count(*) AS done FROM attempt WHERE status = 'done'"
