# SPDX-License-Identifier: MIT
# Hardware and ballots count the same warps and paths, launch by launch.
cat >witness.yaml <<'YAML'
name: witness
device: cuda
fixed: {width: 256, height: 160}
sweep:
  scene: [open, interior, materials]
  variant: [naive, skeleton, whole_frame, whole_frame_off, tiled_global, tiled_shared]
  max_bounces: [2, 8]
collect: [counts, counters, stalls]
counters: [sites, warps_launched, simd_efficiency]
replicates: 1
YAML
"$WARPSTUDY" run witness.yaml --device cuda --db witness.db --quiet >log 2>&1 || { cat log; exit 1; }
"$WARPSTUDY" query --db witness.db "SELECT t.variant, count(*) AS launches, sum(w.agree) AS agree, sum(w.ballot_warps) AS ballot_warps,
    sum(w.sass_warps) AS sass_warps, sum(w.ballot_paths) AS ballot_paths, sum(w.sass_paths) AS sass_paths
    FROM witness AS w JOIN trial AS t ON t.id = w.trial GROUP BY t.variant" || exit 1
"$WARPSTUDY" query --db witness.db --format csv "SELECT count(DISTINCT trial), min(agree), sum(agree IS NULL) FROM witness" | tail -1 >sums
echo "trials, least agreement, undecided: $(cat sums)"
[ "$(cat sums)" = 36,1,0 ]
