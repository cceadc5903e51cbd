# SPDX-License-Identifier: MIT
# compute-sanitizer over the device test and over every variant of both estimators on a small frame. Deliberate faults are
# left out; only errors inside kernels count.
command -v compute-sanitizer >/dev/null || { echo "compute-sanitizer is not on the PATH"; exit 77; }
failed=0
check() { # TOOL COMMAND...
    local tool=$1
    shift
    if compute-sanitizer --tool "$tool" --report-api-errors no --error-exitcode 1 "$@" >log 2>&1; then
        echo "$tool: $(basename "$1") ${*:2}: clean"
    else
        tail -40 log
        echo "$tool: $(basename "$1") ${*:2}: FAILED"
        failed=1
    fi
}
for tool in memcheck racecheck synccheck initcheck; do
    check $tool "$BUILD/tests/test_cuda_device" --sanitizer
done
# A small scene of each estimator; persistent kernels on two multiprocessors, so that lanes take more than one path.
while IFS=, read -r variant estimator _; do
    case $estimator in
    surface) scene=materials settings= ;;
    volume) scene=cloud settings='--set spp=2 --set multiprocessors=2' ;;
    *) continue ;;
    esac
    for tool in memcheck racecheck synccheck; do
        check $tool "$WARPSTUDY" render $scene --device cuda --variant "$variant" --set width=64 --set height=40 $settings -o image.png
    done
done < <("$WARPSTUDY" list variants --format csv)
exit $failed
