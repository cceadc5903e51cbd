# Several experiments in one command, and an experiment made of others.
runs="SELECT r.id, e.name, r.reason FROM run r JOIN experiment e ON e.id = r.experiment ORDER BY r.id"
order="SELECT a.id, e.name, t.seed, t.replicate, a.collection FROM attempt a JOIN trial_record t ON t.id = a.trial
    JOIN run r ON r.id = a.run JOIN experiment e ON e.id = r.experiment ORDER BY a.id"
try warpstudy plan "$EXPERIMENTS/null.yaml" "$EXPERIMENTS/gpu.yaml"
try warpstudy plan "$EXPERIMENTS/null.yaml" "$EXPERIMENTS/gpu.yaml" --rows 2
try warpstudy plan "$EXPERIMENTS/night.yaml" --format csv
cat >long.yaml <<'YAML'
device: emulator
fixed: {scene: cornell, variant: two_stage, width: 33, height: 17, spp: 2, seed: 77, max_bounces: 3, sampler: padded, materials: scene,
  roulette: none, lighting: mix, light_search: cdf_large, opacity: scene, triangle_test: moeller_trumbore, splits: spatial, tree: wide,
  top_tree: wide, leaf_size: 3, bins: 16, reinsert: no, tree_loads: plain, tree_width: 4, child_order: distance, node_align: 128,
  traversal: speculative, far_first: yes, block: 128, registers: 64, shared_pad: 128, carveout: 50, dummy_flops: 64, batch: 2, pool: 4096,
  pool_order: cost, accumulate: buffer, extend_over: rays, ray_sort: material, tickets: atomic, exact_rounds: 12, warp_width: 16, threads: 2}
sweep: {camera: [front, inside]}
YAML
try warpstudy plan long.yaml --format csv
try warpstudy run "$EXPERIMENTS/null.yaml" "$EXPERIMENTS/gpu.yaml" --set collect=frame --set seed=1,2 --set replicates=2 --quiet
try warpstudy query "$runs"
try warpstudy query "$order" | sed -E 's/ +(1|2) +(0|1) +frame/ SEED \2 frame/'
try warpstudy run "$EXPERIMENTS/night.yaml" --quiet
try warpstudy query "$runs"
try warpstudy run "$EXPERIMENTS/night.yaml" --quiet
echo "== wrong ones stop everything before anything runs"
try warpstudy run "$EXPERIMENTS/null.yaml" "$EXPERIMENTS/bad_key.yaml" --db none.db
try warpstudy run "$EXPERIMENTS/null.yaml" "$EXPERIMENTS/bad_scene.yaml" --db none.db
try warpstudy plan "$EXPERIMENTS/loop.yaml"
try warpstudy run "$EXPERIMENTS/null.yaml" missing.yaml --db none.db
try warpstudy query --db none.db "SELECT count(*) AS runs FROM run"
echo "== a fault in one of them"
WARPSTUDY_FAULT=worker:fail@2 try warpstudy run "$EXPERIMENTS/null.yaml" "$EXPERIMENTS/gpu.yaml" --quiet --db fault.db --set collect=counts
try warpstudy run "$EXPERIMENTS/null.yaml" "$EXPERIMENTS/gpu.yaml" --quiet --db fault.db --set collect=counts --retry-failed
echo "== scenes of several folders: an earlier one goes first"
mkdir -p first second
printf 'summary: of the first\nobjects: [{shape: box, size: [1, 1, 1]}]\ncameras: {main: {eye: [0, 1, 6], at: [0, 0, 0]}}\n' >first/in_both.yaml
sed 's/first/second/' first/in_both.yaml >second/in_both.yaml
cp second/in_both.yaml second/in_second.yaml
WARPSTUDY_SCENES=first:second warpstudy list scenes --format csv | grep ^in_
WARPSTUDY_SCENES=:second: warpstudy list scenes --format csv | grep ^in_
echo "== a mesh is a scene: scaled evenly to a longest edge of 2, lit evenly, in view"
printf 'v 0 0 0\nv 9 0 0\nv 0 5 0\nv 0 0 3\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n' | tee 'b"l\ob.OBJ' >blob.obj
printf 'meshes: {m: {file: blob.obj, size: [2, 1.111111111111111, 0.6666666666666666]}}\nobjects: [{mesh: m}]\nenvironment: {constant: 1}\ncameras: {front: {eye: [2, 2.5, 4], at: [0, 1, 0]}}\n' >blob.yaml
for scene in ./blob.obj 'b"l\ob.OBJ' blob.yaml; do
    warpstudy render "$scene" -o blob.png --device emulator --set width=16 --set height=16 | grep -o 'image hash.*'
done
echo "== an image is named as its scene is"
cp blob.yaml a.one.yaml
mkdir scenes
sed "s,blob.obj,$PWD/&," blob.yaml >scenes/a.two.yaml
for scene in a.one.yaml a.two ./blob.obj; do warpstudy render $scene --device emulator --set width=4 --set height=4 | grep -o '.*: 4x4'; done
sed 's/size/fit: 2, size/' blob.yaml >both.yaml
try warpstudy render both.yaml
try warpstudy render none.obj --device emulator
