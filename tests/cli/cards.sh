# One run on several devices: what comes out is what one device makes, each trial once; and what becomes of a device that is
# lost, that cannot run what others can, or is another model. Which device measures what depends on time: only what does not
# is printed.
quietly() { "$@" >log 2>&1; echo "-> $?"; grep -v "^  next\|^  database\|: run\|^  devices\|^     " log; }
ask() { warpstudy query --db "$1" --format csv "$2" 2>&1 | tail -n +2; }
counted="SELECT t.key, a.collection, a.image, a.path_hash, a.counts_digest FROM trial_record t JOIN attempt a ON a.trial = t.id
    WHERE a.status = 'done' ORDER BY 1, 2"
states="SELECT status, count(*) > 0 AS some, made_by IS NULL AS may_pass FROM attempt GROUP BY 1, 3 ORDER BY 1, 3"
same() { # of DATABASE and one.db: all that was counted; nothing left running, each execution once
    ask "$1" "$counted" >several.csv
    cmp several.csv one.csv && ask "$1" "SELECT trial, collection FROM attempt WHERE status = 'done' GROUP BY 1, 2 HAVING count(*) <> 1
        UNION ALL SELECT trial, collection FROM attempt WHERE status = 'running'"
}
sed 's/seed: .*/seed: [1..60]/' "$EXPERIMENTS/null.yaml" >many.yaml
sed 's/^name: .*/name: other/; s/seed: .*/seed: [31..90]/' "$EXPERIMENTS/null.yaml" >other.yaml
cat >timed.yaml <<'YAML'
name: timed
study: test
device: "null"
fixed: {scene: cornell, variant: "null", width: 8, height: 8}
sweep: {seed: [1..100]}
collect: [counts, frame]
replicates: 4
stop: {min_repetitions: 3, max_repetitions: 5}
YAML

echo "== two emulators make what one makes"
warpstudy run "$EXPERIMENTS/small.yaml" --set seed=1,2,3,4 --quiet --db one.db >log && ask one.db "$counted" >one.csv
quietly warpstudy run "$EXPERIMENTS/small.yaml" --set seed=1,2,3,4 --devices emulator:0,emulator:1 --db emulators.db
same emulators.db
ask emulators.db "SELECT group_concat(ordinal, ' ') || ' ' || sum(executions) || ' ' || min(executions > 0) FROM cards"
ask emulators.db "SELECT value FROM environment WHERE name = 'devices'"

echo "== what two experiments share is executed once; a run of one device goes on with it, and needs nothing"
warpstudy run many.yaml other.yaml --quiet --db one.db.2 >log && mv one.db.2 one.db && ask one.db "$counted" >one.csv
quietly warpstudy run many.yaml other.yaml --devices null:0,null:1,null:2 --db shared.db
same shared.db
quietly warpstudy run many.yaml other.yaml --quiet --db shared.db

echo "== replicates are spread over devices, with UUIDs; cores are shared out"
export WARPSTUDY_NULL=clock,gpu WARPSTUDY_NULL_LOST=$PWD/lost
: >lost
warpstudy run timed.yaml --device null --quiet --db one.db.2 >log && mv one.db.2 one.db && ask one.db "$counted" >one.csv
quietly warpstudy run timed.yaml --devices null:1,null:3 --db spread.db | grep -v deviates
same spread.db
ask spread.db "SELECT group_concat(uuid, ' ') FROM cards"
ask spread.db "SELECT count(DISTINCT setting) || ' settings, ' || iif(sum(cards > 1) > 0, 'some on both', 'none') FROM card_time"
ask spread.db "SELECT value FROM environment WHERE name = 'devices'" >shares
listed() { tr ',;' '\n' | sed 's/.* on //' | tr -d '"' | while IFS=- read -r from to; do seq "$from" "${to:-$from}"; done | sort -n; }
grep -q "all cores" shares || { listed <shares >shared; sed -n 's/^Cpus_allowed_list:\s*//p' /proc/self/status | listed | diff - shared; }

echo "== a device cannot be opened any more, while it is at work; the others do its part"
cause() { sed -E 's/(go on|null:[01]): (the null device is lost|null device [01] cannot be opened) .*/\1: (its cause)/; s/is left: null:[01]/is left: null:N/'; }
echo d1@12 >lost # after a trial or two
quietly warpstudy run timed.yaml --devices null:0,null:1 --db lost.db | cause | grep -v deviates
same lost.db
ask lost.db "$states"
echo "== one that opens, and fails what the others do; retries are theirs"
echo l1 >lost
quietly warpstudy run timed.yaml --devices null:0,null:1 --db sick.db | sed 's/[0-9]* of them after/some of them after/' | grep -v deviates
same sick.db
ask sick.db "SELECT DISTINCT status FROM attempt ORDER BY 1"
echo "== the same where nothing is to be retried; and what fails on both has failed"
quietly warpstudy run timed.yaml --devices null:0,null:1 --set retries=0 --db sick0.db | sed 's/[0-9]* of them after/some of them after/' | grep -v deviates
same sick0.db
echo l0 l1 >lost
quietly warpstudy run timed.yaml --devices null:0,null:1 --set retries=0 --set seed=1,2,3 --set replicates=1 --set collect=counts --db sick2.db | grep -v " x killed"
ask sick2.db "SELECT trial, group_concat(status) FROM attempt GROUP BY 1"
ask sick2.db "SELECT count(DISTINCT substr(reason, -7)) FROM attempt"
echo "== one is left: it does not repeat what fails on it"
echo d1@1 >lost
sed 's/^name: .*/name: counted/; s/^collect: .*/collect: [counts]/; s/^replicates: .*/replicates: 1/; s/seed: .*/seed: [1..1500]}/' timed.yaml >counted.yaml
sed 's/^name: .*/name: framed/; s/^collect: .*/collect: [frame]/; s/^replicates: .*/replicates: 1/; s/seed: .*/seed: [1..8]}/' timed.yaml >framed.yaml
WARPSTUDY_FAULT=frame:crash@1 quietly warpstudy run counted.yaml framed.yaml --devices null:0,null:1 --set retries=0 --db left.db >/dev/null
ask left.db "SELECT status, count(DISTINCT trial), count(*) < 16 FROM attempt WHERE collection = 'frame' GROUP BY 1"
echo "== all of them are lost: the run stops, and goes on when they are back"
echo d0@12 d1@12 >lost
quietly warpstudy run timed.yaml --devices null:0,null:1 --db gone.db --quiet | cause | grep -v "deviates\|done\|not run"
ask gone.db "$states"
: >lost
warpstudy run timed.yaml --devices null:0,null:1 --db gone.db --quiet >log 2>&1; echo "-> $?"
same gone.db
unset WARPSTUDY_NULL_LOST

echo "== workers are killed, and the run itself; nothing is lost or doubled"
warpstudy run timed.yaml --devices null:0,null:1 --db killed.db --quiet >log 2>&1 &
pid=$!
for i in 1 2 3; do sleep 0.15; pkill -KILL -P $pid; done
{ kill -KILL $pid; wait $pid; } 2>>log # bash says that it was killed, at once or when it waits
warpstudy run timed.yaml --devices null:0,null:1 --db killed.db --quiet >log 2>&1 &
pid=$!
for i in 1 2 3; do sleep 0.1; pkill -KILL -P $pid -f "worker [a-z]* 1"; done
wait $pid; echo "-> $?"
warpstudy run timed.yaml --devices null:0,null:1 --db killed.db --quiet >log 2>&1; echo "-> $?"
same killed.db
echo "== faults that come with the trial are its own, on whichever device; builds that nobody lived to describe"
WARPSTUDY_FAULT=counts:crash@1 quietly warpstudy run many.yaml --devices null:0,null:1 --set retries=1 --set seed=1,2,3 --db faults.db \
    2>&1 | grep -v "first: \|fault injected"
ask faults.db "SELECT status, count(*) FROM attempt GROUP BY 1"
WARPSTUDY_FAULT=describe:crash@1 quietly warpstudy run many.yaml --devices null:0,null:1 --set retries=0 --set height=8,9 --set seed=1,2 --db unknown.db \
    2>&1 | grep -v "first: \|fault injected"
ask unknown.db "SELECT count(*) FROM attempt"
quietly warpstudy run many.yaml --devices null:0,null:1 --set height=8,9 --set seed=1,2 --db unknown.db

echo "== lists that make no sense, devices that are not alike, in use, or not there"
for list in "" null:0,null:0 null,null:0 null:0,null:4 emulator:0,null:1 null:0, gpu:1 emulator:x cpu:0,cpu:1 auto; do
    try warpstudy run many.yaml --devices "$list" --db none.db
done
try warpstudy run many.yaml --devices null:0 --device null --db none.db
WARPSTUDY_NULL=mixed try warpstudy run many.yaml --devices null:2,null:3 --db none.db
WARPSTUDY_NULL=clock,foreign try warpstudy run timed.yaml --devices null:0,null:1 --quiet --db none.db
echo o1 >lost
export WARPSTUDY_NULL_LOST=$PWD/lost
try warpstudy run many.yaml --devices null:0,null:1 --quiet --db none.db
echo o0 >lost
for study in many timed; do
    try warpstudy run $study.yaml --devices null:0,null:1 --quiet --db none.db
    try warpstudy run $study.yaml --devices null:0 --quiet --db none.db
    try warpstudy run $study.yaml --quiet --db none.db
done
unset WARPSTUDY_NULL_LOST
ls none.db* 2>&1
echo "== one device in the list is an ordinary run"
unset WARPSTUDY_NULL
try warpstudy run "$EXPERIMENTS/null.yaml" --devices null:2 --db alone.db
ask alone.db "SELECT ordinal, executions FROM cards"
