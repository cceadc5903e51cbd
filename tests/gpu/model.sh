# SPDX-License-Identifier: MIT
# Share of lanes that execute in the traversal's inner and triangle steps, by the lockstep model and by the hardware's counts: equal at inner
# nodes for every tree and loop, and at triangles where lanes vote on phases; within 2 points at triangles elsewhere.
cat >model.yaml <<'YAML'
name: model
device: auto
fixed: {width: 320, height: 192, variant: naive, max_bounces: 4, materials: scene}
sweep:
  scene: [interior, open]
  tree: [binary, wide, wide_compressed, wide4, kd16, kd_aos, kd16_soa]
  traversal: [while_while, speculative, voted]
  tree_stack: [children, groups]
where:
  - tree_stack = 'children' OR (tree = 'wide' AND traversal = 'while_while')
  - traversal = 'while_while' OR tree IN ('binary', 'wide', 'wide4', 'kd16')
collect: [counters]
counters: [sites]
replicates: 1
YAML
run() {
    "$WARPSTUDY" run model.yaml --db model.db --quiet "$@" >log 2>&1 || { cat log; exit 1; }
}
run --device cuda
run --device emulator --set collect=counts
"$WARPSTUDY" query --db model.db "SELECT t.tree, t.traversal, t.tree_stack, count(*) AS trials, max(abs(e.error_inner)) AS inner,
    max(abs(e.error_triangle)) AS triangles, max(abs(e.error)) AS combined
    FROM traversal_efficiency AS e JOIN trial AS t ON t.id = e.trial WHERE e.bounce IS NULL GROUP BY t.tree, t.traversal, t.tree_stack" || exit 1
"$WARPSTUDY" query --db model.db --format csv "SELECT count(*), abs(e.error_inner) > 1e-9 OR abs(e.error_triangle) > iif(t.traversal = 'voted', 1e-9, 2) AS off
    FROM traversal_efficiency AS e JOIN trial AS t ON t.id = e.trial WHERE e.bounce IS NULL GROUP BY off" | tail -n +2 >sums
echo "trials, out of bounds: $(cat sums)"
[ "$(cat sums)" = 32,0 ]
