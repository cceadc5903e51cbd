# What a GPU may do to a sweep, pretended by the null device: counters forbidden or failing, heat, other programs, a device
# that is lost. Each is stored with its cause, and the sweep goes on.
attempts="SELECT t.seed, a.collection, a.number, a.status, a.reason FROM attempt a JOIN trial_record t ON t.id = a.trial
    ORDER BY t.seed, a.collection, a.number"
for pretend in "" forbidden badpass@8 restless@4 scorched,throttle clock,foreign@2 lost@4; do
    echo "== ${pretend:-a good day}"
    WARPSTUDY_NULL=$pretend try warpstudy run "$EXPERIMENTS/gpu.yaml" --quiet --db "device $pretend.db"
    try warpstudy query --db "device $pretend.db" "$attempts"
done
echo "== what is stored of a trial"
WARPSTUDY_NULL=clock,gpu,throttle try warpstudy run "$EXPERIMENTS/gpu.yaml" --quiet --db shown.db --set max_repetitions=3 \
    --set min_repetitions=3 --set seed=1
try warpstudy show 1 --db shown.db | sed -n '/^conditions/,/^made by/p'
echo "== permission that is given later, one collection anew, other counters: each makes exactly that due"
gpu() {
    sed "s/^counters: .*/counters: [$1]/" "$EXPERIMENTS/gpu.yaml" >later.yaml
    warpstudy run later.yaml --quiet --db later.db --set seed=1 2>&1 | sed -n '/^  done/,/^  skipped/p'
}
states="SELECT collection, count(*) AS attempts, sum(status = 'done' AND NOT superseded) AS done,
    group_concat(DISTINCT made_by) AS made_by FROM attempt WHERE collection IN ('counters', 'stalls', 'frame') GROUP BY collection"
WARPSTUDY_NULL=forbidden gpu achieved_occupancy
gpu achieved_occupancy
try warpstudy redo 1 --collection frame --db later.db
gpu achieved_occupancy
gpu simd_efficiency
gpu achieved_occupancy
warpstudy query --db later.db "$states"
warpstudy query --db later.db "SELECT count(DISTINCT metric) AS metrics, count(DISTINCT trial) AS trials FROM counter"
sed 's/^name: .*/name: other/; s/^counters: .*/counters: [sites]/' later.yaml >other.yaml
for files in "later.yaml other.yaml" "other.yaml later.yaml"; do
    warpstudy plan $files --db later.db --set seed=1 --due --rows 0 2>&1 | grep executions.done
done
try warpstudy redo 1 --collection times --db later.db
echo "== another program is there from the beginning"
export WARPSTUDY_NULL=clock,foreign
try warpstudy run "$EXPERIMENTS/gpu.yaml" --quiet --db foreign.db
try warpstudy query --db foreign.db "SELECT count(*) AS runs FROM run"
try warpstudy run "$EXPERIMENTS/gpu.yaml" --quiet --db foreign.db --set collect=counts
try warpstudy run "$EXPERIMENTS/gpu.yaml" --quiet --db foreign.db --shared-device
