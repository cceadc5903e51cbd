# SPDX-License-Identifier: MIT
# 200 timed trials on one GPU and on two: the second one halves the time (to 0.55 at most), each trial is done once, with the same
# image, paths and counts, and its median frame differs by at most 3 %. Workers of both that are killed lose nothing. Where no two GPUs are,
# DEVICES="null:0 null:1" with WARPSTUDY_NULL=clock,gpu and build/tests/warpstudy tries all but the times, of which SHARE=9 and TOLERANCE=9 allow any.
cat >devices.yaml <<'YAML'
name: devices
device: cuda
fixed: {scene: open, width: 640, height: 384, variant: naive, max_bounces: 4}
sweep:
  seed: [1..50]
collect: [counts, frame]
replicates: 4
stop: {relative_ci: 0.000001, min_repetitions: 10, max_seconds: 0.25}
YAML
read -r first second <<<"${DEVICES:-cuda:0 cuda:1}"
share=${SHARE:-0.55} tolerance=${TOLERANCE:-0.03}
command -v python3 >/dev/null || { echo "python3 is not on the PATH"; exit 77; }
# All workers of a run.
workers() { cat /proc/"$1"/task/*/children 2>/dev/null; }
run() { # DATABASE DEVICES ...
    "$WARPSTUDY" run devices.yaml --set device="${first%:*}" --db "$1" --devices "${@:2}" --quiet >log 2>&1 || { cat log; return 1; }
}
medians() { # DATABASE
    "$WARPSTUDY" query --db "$1" --format csv "SELECT key, median_seconds FROM replicate_time JOIN trial_record ON trial = id ORDER BY key" |
        tail -n +2
}
now() { date +%s%N; }

run warm.db "$first,$second" --set seed=1 --set replicates=1 >said || {
    grep -q "there is no $second" said && { echo "needs two GPUs: $(head -1 said)"; exit 77; }
    cat said
    exit 1
}
start=$(now)
run two.db "$first,$second" || exit 1
middle=$(now)
run one.db "$first" || exit 1
end=$(now)
"$WARPSTUDY" query --db two.db cards
python3 "$HERE/../contracts.py" one.db two.db || exit 1
run plain.db "$first" --set seed=1..10 || exit 1
"$WARPSTUDY" run devices.yaml --set device="${first%:*}" --db killed.db --devices "$first,$second" --set seed=1..10 --quiet >log 2>&1 &
pid=$! kills=0
while [ $kills -lt 6 ] && sleep 0.7 && kill -0 $pid 2>/dev/null; do
    # shellcheck disable=SC2046 # one word a worker
    kill -KILL $(workers $pid) 2>/dev/null && kills=$((kills + 1))
done
wait $pid
run killed.db "$first,$second" --set seed=1..10 || exit 1
echo "all workers killed $kills times:"
python3 "$HERE/../contracts.py" plain.db killed.db || exit 1
[ $kills -gt 0 ] || { echo "no worker was there to be killed"; exit 1; }
medians one.db >one.csv && medians two.db >two.csv && join -t, one.csv two.csv >both.csv || exit 1
awk -F, -v one=$((end - middle)) -v two=$((middle - start)) -v share="$share" -v tolerance="$tolerance" '
    { off = $3 > $2 ? $3 / $2 - 1 : $2 / $3 - 1; worst = off > worst ? off : worst }
    END {
        printf "%d trials: %.1f s on one, %.1f s on two, %.3f of it; medians differ by %.2f %% at most\n",
            NR, one / 1e9, two / 1e9, two / one, 100 * worst
        exit !(NR == 200 && two <= share * one && worst <= tolerance)
    }' both.csv
