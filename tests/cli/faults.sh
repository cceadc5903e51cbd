# A worker that crashes, hangs, garbles or fails; a sweep goes on, retries what may pass, and stores the rest.
attempts="SELECT t.seed, a.number, a.status, a.reason FROM attempt a JOIN trial_record t ON t.id = a.trial
    WHERE a.status <> 'done' OR a.number > 1 ORDER BY a.id"
for fault in worker:crash@2 worker:hang@2 worker:babble@2 worker:flood@2 worker:garble@3 worker:fail@2; do
    echo "== $fault"
    export WARPSTUDY_FAULT=$fault
    case $fault in
    *babble* | *flood*) few=(--set seed=1,2) ;; # once: two processors are busy until the time limit
    *) few=() ;;
    esac
    try warpstudy run "$EXPERIMENTS/null.yaml" --set time_limit=3 "${few[@]}" --db $fault.db
    unset WARPSTUDY_FAULT
    try warpstudy query --db $fault.db "$attempts"
done
echo "== every worker crashes at once"
export WARPSTUDY_FAULT=worker:crash@1
try warpstudy run "$EXPERIMENTS/null.yaml" --set retries=1 --db all.db
unset WARPSTUDY_FAULT
try warpstudy query --db all.db "$attempts"
try warpstudy run "$EXPERIMENTS/null.yaml" --set retries=1 --db all.db
try warpstudy run "$EXPERIMENTS/null.yaml" --set retries=1 --db all.db --retry-failed
echo "== the command to type next names all that made this run"
export WARPSTUDY_FAULT=worker:fail@1
try warpstudy run "$EXPERIMENTS/null.yaml" --set retries=0 --set "seed=1,2" --db "it's here.db"
unset WARPSTUDY_FAULT
echo "== an error that the worker reported is retried on request"
try warpstudy run "$EXPERIMENTS/null.yaml" --db worker:fail@2.db --retry-failed
echo "== interrupted"
export WARPSTUDY_FAULT=worker:hang@2
warpstudy run "$EXPERIMENTS/null.yaml" --set time_limit=60 --db interrupted.db &
pid=$!
for i in $(seq 1200); do
    warpstudy query --db interrupted.db --format csv \
        "SELECT sum(status = 'done') + 10 * sum(status = 'running') FROM attempt" 2>/dev/null | grep -qx 11 && break
    sleep 0.05
done
sleep 0.3
kill -USR1 $pid
sleep 0.3
kill -0 $pid && echo "finishes the execution in flight"
echo "== while it runs, its rate and its end are told; once it is killed, that"
state() { warpstudy status --db "$1" --format csv | cut -d, -f5,9-12 | sed -E 's/,[0-9.]+,[0-9]{4}-[^,]*Z$/,RATE,END/'; }
state interrupted.db
kill -INT $pid
wait $pid
echo "-> $?"
unset WARPSTUDY_FAULT
try warpstudy query --db interrupted.db "$attempts"
try warpstudy run "$EXPERIMENTS/null.yaml" --db interrupted.db
try warpstudy status --db interrupted.db --format csv | cut -d, -f1,5-10
echo "== killed"
export WARPSTUDY_FAULT=worker:hang@2
warpstudy run "$EXPERIMENTS/null.yaml" --set time_limit=60 --db killed.db --quiet &
pid=$!
for i in $(seq 1200); do
    warpstudy query --db killed.db --format csv \
        "SELECT sum(status = 'done') + 10 * sum(status = 'running') FROM attempt" 2>/dev/null | grep -qx 11 && break
    sleep 0.05
done
disown $pid
kill -KILL $pid
while kill -0 $pid 2>/dev/null; do sleep 0.05; done
unset WARPSTUDY_FAULT
state killed.db
