# What is wrong is said before anything runs, with its place and what mends it.
try() { echo "\$ $*"; "$@"; echo "-> $?"; }
try warpstudy run missing.yaml
try warpstudy run "$EXPERIMENTS/bad_key.yaml"
try warpstudy run "$EXPERIMENTS/bad_scene.yaml"
try warpstudy run "$EXPERIMENTS/bad_camera.yaml"
try warpstudy run "$EXPERIMENTS/small.yaml" --set varient=naive
try warpstudy run "$EXPERIMENTS/small.yaml" --set variant=naiv
try warpstudy run "$EXPERIMENTS/small.yaml" --set width=0
try warpstudy run "$EXPERIMENTS/small.yaml" --set replicates=many
try warpstudy run "$EXPERIMENTS/small.yaml" --set collect=count
try warpstudy run "$EXPERIMENTS/small.yaml" --device cuba
echo "not a database, but long enough to be taken for one by its size: ..............................." >text.db
try warpstudy run "$EXPERIMENTS/small.yaml" --db text.db
try warpstudy status --db missing.db
echo "== what cannot run is a skip"
try warpstudy run "$EXPERIMENTS/too_big.yaml" --db skips.db
