# What is wrong is said before anything runs, with its place and how to correct it.
try warpstudy run missing.yaml
try warpstudy run "$EXPERIMENTS/bad_key.yaml"
try warpstudy run "$EXPERIMENTS/bad_scene.yaml"
try warpstudy plan "$EXPERIMENTS/bad_scene.yaml"
try warpstudy plan "$EXPERIMENTS/small.yaml" --set scene=corner
try warpstudy plan "$EXPERIMENTS/small.yaml" --set scene=cornell,./missing.yaml
try warpstudy run "$EXPERIMENTS/bad_camera.yaml"
try warpstudy plan "$EXPERIMENTS/bad_camera.yaml"
try warpstudy run "$EXPERIMENTS/small.yaml" --set varient=naive
try warpstudy run "$EXPERIMENTS/small.yaml" --set variant=naiv
try warpstudy run "$EXPERIMENTS/small.yaml" --set width=0
try warpstudy run "$EXPERIMENTS/small.yaml" --set replicates=many
try warpstudy run "$EXPERIMENTS/small.yaml" --set collect=count
try warpstudy plan "$EXPERIMENTS/small.yaml" --set min_repetitions=6 --set max_repetitions=3
try warpstudy plan "$EXPERIMENTS/small.yaml" --set timeline_window_ms=5000.5
try warpstudy run "$EXPERIMENTS/small.yaml" --device cuba
for devices in emulator:4294967296 null:99999999999999999999; do try warpstudy run "$EXPERIMENTS/small.yaml" --devices $devices; done
echo "not a database, but long enough to be taken for one by its size: ..............................." >text.db
try warpstudy run "$EXPERIMENTS/small.yaml" --db text.db
mv text.db packed.db.gz
try warpstudy status --db packed.db.gz
try warpstudy status --db missing.db
echo "== what would be dropped in silence"
try warpstudy status --db one.db --db two.db
try warpstudy plan "$EXPERIMENTS/small.yaml" --set seed=1 --set width=8 --set seed=2
warpstudy list devices >&-
echo "-> $?"
echo "== a device that is not here"
CUDA_VISIBLE_DEVICES='' try warpstudy run "$EXPERIMENTS/cuda.yaml" --db cuda.db 2>&1 |
    sed -n 's/used here: .*/used here: .../; /used here/p; /--device/p; /->/p'
echo "== more than the disk holds: nothing is written"
try warpstudy run "$EXPERIMENTS/null.yaml" --db large.db --set collect=frame,launches --set max_repetitions=1000000 \
    --set replicates=10000 2>&1 | sed 's/about .* has .*/about SIZE, and the disk has SIZE/'
runs=$(warpstudy query --db large.db --format csv "SELECT count(*) AS runs FROM run" 2>/dev/null | tail -n +2)
[ "${runs:-0}" = 0 ] && echo "no run is recorded"
echo "== what cannot run is a skip"
try warpstudy plan "$EXPERIMENTS/too_big.yaml" --db skips.db
try warpstudy run "$EXPERIMENTS/too_big.yaml" --db skips.db
