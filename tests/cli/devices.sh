# What a GPU may do to a sweep, pretended by the null device: counters forbidden or failing, heat, other programs, a device
# that is lost. Each is stored with its cause, and the sweep goes on.
try() { echo "\$ $*"; "$@"; echo "-> $?"; }
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
echo "== another program is there from the beginning"
export WARPSTUDY_NULL=clock,foreign
try warpstudy run "$EXPERIMENTS/gpu.yaml" --quiet --db foreign.db
try warpstudy query --db foreign.db "SELECT count(*) AS runs FROM run"
try warpstudy run "$EXPERIMENTS/gpu.yaml" --quiet --db foreign.db --set collect=counts
try warpstudy run "$EXPERIMENTS/gpu.yaml" --quiet --db foreign.db --shared-device
