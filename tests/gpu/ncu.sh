# SPDX-License-Identifier: MIT
# The counters in the database against NVIDIA's own profiler, run on this program from outside: every launch of every path
# kernel, within 0.1 %.
cat >ncu.yaml <<'YAML'
name: ncu
device: cuda
fixed: {scene: open, width: 320, height: 192, max_bounces: 8, registers: 64}
sweep:
  variant: [naive, whole_frame, tiled_shared]
collect: [counters]
counters: [smsp__inst_executed.sum, smsp__thread_inst_executed.sum, smsp__warps_launched.sum, smsp__thread_inst_executed_per_inst_executed.ratio]
replicates: 1
YAML
command -v ncu >/dev/null || { echo "ncu is not on the PATH"; exit 77; }
command -v python3 >/dev/null || { echo "python3 is not on the PATH"; exit 77; }
"$WARPSTUDY" run ncu.yaml --device cuda --db ours.db --quiet >log 2>&1 || { cat log; exit 1; }
"$WARPSTUDY" query --db ours.db --format csv "SELECT t.variant, c.launch, c.kernel, c.metric, c.value FROM counter AS c
    JOIN trial AS t ON t.id = c.trial WHERE c.launch >= 0 ORDER BY t.variant, c.launch" >ours.csv || exit 1
metrics=$(sed -n 's/^counters: \[\(.*\)\]/\1/p' ncu.yaml | tr -d ' ')
for variant in naive whole_frame tiled_shared; do
    ncu --clock-control none --csv --print-units base --metrics "$metrics" --kernel-name "regex:^${variant}" \
        "$WARPSTUDY" render open --device cuda --variant $variant --set width=320 --set height=192 --set max_bounces=8 \
        --set registers=64 -o image.png >"ncu-$variant.csv" 2>&1
    case $? in
    0) ;;
    *) grep -q 'ERR_NVGPUCTRPERM' "ncu-$variant.csv" && { echo "no permission to read counters"; exit 77; }
       tail "ncu-$variant.csv"; exit 1 ;;
    esac
done
python3 "$HERE/ncu_compare.py" ours.csv ncu-*.csv
