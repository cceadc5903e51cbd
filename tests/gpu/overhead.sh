# SPDX-License-Identifier: MIT
# What a trial costs besides its frames, with the kernels compiled before: under 30 ms.
run() { "$WARPSTUDY" run "$HERE/overhead.yaml" --device cuda --db "$1" --quiet >log 2>&1 || { cat log; exit 1; }; }
run warm.db
start=$(date +%s%N)
run timed.db
took=$(($(date +%s%N) - start))
"$WARPSTUDY" query --db timed.db --format csv "SELECT count(DISTINCT a.id), sum(r.host_seconds) FROM attempt AS a
    JOIN repetition AS r ON r.attempt = a.id WHERE a.status = 'done'" | tail -1 >sums
awk -F, -v took="$took" '{
    # two warm-up frames and ten that count: a trial is on the GPU for 1.2 times its repetitions
    overhead = (took / 1e6 - 1.2 * $2 * 1e3) / $1
    printf "%d trials in %.2f s, %.2f s of it frames: %.1f ms of overhead a trial, start of processes included\n", $1, took / 1e9, 1.2 * $2, overhead
    exit !($1 == 100 && overhead < 30)
}' sums
