# SPDX-License-Identifier: MIT
# Timelines: kernels of known lanes; and of frames, instructions and lanes against those that the counters counted, within 1 %
# and 0.1 lanes: of every launch whose samples are all its own, and of whole frames, joined out of windows.
"$BUILD/tests/test_cuda_timeline"
code=$?
[ $code = 0 ] || exit $code
"$WARPSTUDY" run "$HERE/timeline.yaml" --device cuda --db timeline.db --quiet >log 2>&1 || { cat log; exit 1; }
query() { "$WARPSTUDY" query --db timeline.db "$@" || exit 1; }
query "SELECT t.variant, f.* FROM timeline_frame AS f JOIN trial AS t ON t.id = f.trial"
launches="SELECT t.variant, k.launch, k.window, k.seconds, k.samples, 1.0 * k.thread_instructions / k.instructions AS lanes, l.value / i.value AS counted_lanes,
    k.instructions / i.value AS instructions, k.complete, k.mean_warps
    FROM timeline_kernel AS k JOIN trial AS t ON t.id = k.trial
    JOIN counter AS i ON i.trial = k.trial AND i.launch = k.launch AND i.metric = 'instructions'
    JOIN counter AS l ON l.trial = k.trial AND l.launch = k.launch AND l.metric = 'thread_instructions_predicated'
    WHERE k.samples >= 3"
frames="SELECT t.variant, max(p.window) + 1 AS windows, 1.0 * sum(p.thread_instructions) / sum(p.instructions) AS lanes, l.value / i.value AS counted_lanes,
    sum(p.instructions) / i.value AS instructions
    FROM timeline_part AS p JOIN trial AS t ON t.id = p.trial
    JOIN counter AS i ON i.trial = p.trial AND i.launch IS NULL AND i.metric = 'instructions'
    JOIN counter AS l ON l.trial = p.trial AND l.launch IS NULL AND l.metric = 'thread_instructions_predicated' GROUP BY p.trial"
query "$launches ORDER BY t.variant, k.launch LIMIT 40"
query "$frames"
query --format csv "SELECT (SELECT count(*) FROM ($launches) WHERE complete), (SELECT count(*) FROM ($launches) WHERE complete AND
    (abs(instructions - 1) > 0.01 OR abs(lanes - counted_lanes) > 0.1)), (SELECT count(*) FROM ($frames)), (SELECT max(windows) > 1 FROM ($frames)),
    (SELECT count(*) FROM ($frames) WHERE abs(instructions - 1) > 0.01 OR abs(lanes - counted_lanes) > 0.1)" | tail -1 >sums
echo "launches sampled whole, wrong ones, frames, joined ones, wrong ones: $(cat sums)"
case $(cat sums) in
0,*) exit 1 ;;
*,0,3,1,0) ;;
*) exit 1 ;;
esac
