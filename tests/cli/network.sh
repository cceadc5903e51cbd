# A database on a network file system, as far as the program can tell, and two hosts that want it.
try() { echo "\$ $*"; "$@" 2>&1; echo "-> $?"; }
export WARPSTUDY_FILE_SYSTEM=NFS
run() { warpstudy run "$EXPERIMENTS/null.yaml" --db shared.db "$@"; }
echo "== one host after the other"
WARPSTUDY_HOST=first try run --quiet --set seed=1
ls
WARPSTUDY_HOST=second try run --set seed=2
echo "== two at a time"
WARPSTUDY_HOST=first WARPSTUDY_FAULT=worker:hang@1 warpstudy run "$EXPERIMENTS/null.yaml" --db shared.db --quiet &
pid=$!
for i in $(seq 1200); do
    WARPSTUDY_HOST=first warpstudy query "SELECT count(*) AS n FROM attempt WHERE status = 'running'" --db shared.db --format csv 2>&1 | grep -qx 1 && break
    sleep 0.05
done
cat shared.db.host
export WARPSTUDY_HOST=second
try run
try warpstudy status --db shared.db
try warpstudy copy shared.db copied.db
try warpstudy redo "seed = 1" --db shared.db
unset WARPSTUDY_HOST
WARPSTUDY_HOST=first try warpstudy query "SELECT count(*) AS done FROM attempt WHERE status = 'done'" --db shared.db
WARPSTUDY_HOST=first run --quiet 2>&1 | sed 's/process [0-9]*/process N/'
echo "== killed: the same host goes on, another one is told what to do"
{ kill -KILL $pid; wait $pid; } 2>/dev/null
WARPSTUDY_HOST=second try warpstudy status --db shared.db
WARPSTUDY_HOST=first try run --quiet
WARPSTUDY_HOST=second try warpstudy status --db shared.db --format csv | wc -l
echo "== a name that nobody could have written, and a mark without a database"
printf 'a\033[31m\n' >shared.db.host
WARPSTUDY_HOST=first try warpstudy status --db shared.db
echo first >new.db.host
WARPSTUDY_HOST=second try warpstudy run "$EXPERIMENTS/null.yaml" --db new.db
rm ./*.host
echo "== a local disk"
export WARPSTUDY_FILE_SYSTEM=local
echo first >shared.db.host
WARPSTUDY_HOST=second try run --quiet
ls
