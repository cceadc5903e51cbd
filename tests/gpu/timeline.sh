# SPDX-License-Identifier: MIT
# Timelines: kernels of known lanes; and of frames, instructions and lanes against those that the counters counted, within 1 %
# and 0.1 lanes, but for the 8 instructions that the tracing of kernels adds to every warp: of every launch whose samples are all
# its own, and of whole frames, joined out of windows.
# The windows are too short for some of the frames.
cat >timeline.yaml <<'YAML'
name: timeline
device: cuda
fixed: {width: 1280, height: 768, max_bounces: 8, scene: interior}
sweep:
  variant: [naive, whole_frame_off, pool_refill]
collect: [counters, timeline]
counters: [instructions, thread_instructions_predicated]
timeline: {interval_us: 2, window_ms: 3.5}
replicates: 1
YAML
"$BUILD/tests/test_cuda_timeline"
code=$?
[ $code = 0 ] || exit $code
"$WARPSTUDY" run timeline.yaml --device cuda --db timeline.db --quiet >log 2>&1 || { cat log; exit 1; }
query() { "$WARPSTUDY" query --db timeline.db "$@" || exit 1; }
query "SELECT t.variant, f.* FROM timeline_frame AS f JOIN trial AS t ON t.id = f.trial"
traced="warps AS (SELECT a.trial, n.number, 8.0 * n.grid * n.block / a.warp_width AS added FROM attempt AS a JOIN launch AS n ON n.attempt = a.id WHERE a.collection = 'timeline')"
launches="WITH $traced SELECT t.variant, k.launch, k.window, k.samples, k.complete, (k.thread_instructions - 32 * w.added) / (k.instructions - w.added) AS lanes,
    l.value / i.value AS counted_lanes, (k.instructions - w.added) / i.value AS instructions
    FROM timeline_kernel AS k JOIN trial AS t ON t.id = k.trial JOIN warps AS w ON w.trial = k.trial AND w.number = k.launch
    JOIN counter AS i ON i.trial = k.trial AND i.launch = k.launch AND i.metric = 'instructions'
    JOIN counter AS l ON l.trial = k.trial AND l.launch = k.launch AND l.metric = 'thread_instructions_predicated'
    WHERE k.samples >= 3 AND NOT k.auxiliary"
frames="WITH $traced, frame AS (SELECT trial, max(window) + 1 AS windows, sum(instructions) AS instructions, sum(thread_instructions) AS thread_instructions,
    (SELECT sum(added) FROM warps WHERE warps.trial = p.trial) AS added FROM timeline_part AS p GROUP BY trial)
    SELECT t.variant, f.windows, (f.thread_instructions - 32 * f.added) / (f.instructions - f.added) AS lanes, l.value / i.value AS counted_lanes,
    (f.instructions - f.added) / i.value AS instructions
    FROM frame AS f JOIN trial AS t ON t.id = f.trial
    JOIN counter AS i ON i.trial = f.trial AND i.launch IS NULL AND i.metric = 'instructions'
    JOIN counter AS l ON l.trial = f.trial AND l.launch IS NULL AND l.metric = 'thread_instructions_predicated'"
query "$launches ORDER BY t.variant, k.launch LIMIT 20"
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
