# Timelines on the null device, whose kernels last and do what their names say: run, resume, other intervals, joined windows, what is
# refused, and the tables.
export WARPSTUDY_NULL=gpu
cat >pools.yaml <<'YAML'
device: "null"
fixed: {scene: cornell, width: 32, height: 16, max_bounces: 3, block: 256, pool: 512}
sweep: {variant: [naive, stream_compact, majority_state]}
collect: [timeline]
YAML
for again in 1 2; do warpstudy run pools.yaml --db t.db 2>&1 | grep -E '^  (done|skipped|failed)'; done
warpstudy query --db t.db "SELECT t.variant, count(*) AS samples, max(s.window) AS window, printf('%.3f', min(lanes)) AS least, printf('%.3f', max(lanes)) AS most
    FROM timeline AS s JOIN trial AS t ON t.id = s.trial GROUP BY t.variant ORDER BY t.variant"
warpstudy report frolov2015 timeline_stages --db t.db --format csv | cut -d, -f2-9 | head -4
warpstudy report frolov2015 timeline --db t.db --format csv | cut -d, -f1-4,11,16,17 | head -3
warpstudy report frolov2015 timeline --db t.db | grep -c 'rows, in the CSV alone'
# Another interval is another timeline of the same trials, and takes the place of the first.
cat >other.yaml <<'YAML'
device: "null"
fixed: {scene: cornell, width: 16, height: 8, max_bounces: 3}
sweep: {variant: [naive, whole_frame_off]}
collect: [timeline]
timeline: {interval_us: 100, window_ms: 50}
YAML
WARPSTUDY_NULL=gpu,slow warpstudy run other.yaml --db o.db --quiet >/dev/null
warpstudy query --db o.db "SELECT t.variant, f.windows, a.made_by GLOB 'interval:100000 window:50000000 code:*' AS words FROM timeline_frame AS f
    JOIN trial AS t ON t.id = f.trial JOIN attempt AS a ON a.trial = t.id ORDER BY 1"
sed -i 's/interval_us: 100/interval_us: 200/' other.yaml
WARPSTUDY_NULL=gpu,slow warpstudy run other.yaml --db o.db 2>&1 | grep -E '^  done'
warpstudy query --db o.db "SELECT count(*) AS attempts, sum(superseded) AS superseded FROM attempt"
# What cannot be sampled is skipped, with the reason; where it may pass it is tried again.
sed -i 's/window_ms: 50/window_ms: 10/' other.yaml
WARPSTUDY_NULL=gpu,slow warpstudy run other.yaml --db s.db --quiet >/dev/null 2>&1
WARPSTUDY_NULL=forbidden warpstudy run pools.yaml --db s.db --quiet >/dev/null 2>&1
warpstudy run other.yaml --device emulator --db s.db --quiet 2>&1 | grep -E '^  skipped'
warpstudy query --db s.db "SELECT DISTINCT t.device, a.status, substr(a.reason, 1, 72) AS reason FROM attempt AS a JOIN trial AS t ON t.id = a.trial
    WHERE t.device = 'null' ORDER BY 3"
warpstudy query --db s.db "SELECT DISTINCT a.status, a.reason LIKE 'timeline: % has no hardware counters' AS told FROM attempt AS a
    JOIN trial AS t ON t.id = a.trial WHERE t.device = 'emulator'"
# Bounds, and a key that nothing asks for.
for wrong in 'interval_us: 0.4' 'interval_us: 1001' 'window_ms: 10001' 'interval_us: 1, window_ms: 101' 'window_ms: 0.5' 'every: 2'; do
    sed "s/interval_us: .*}/$wrong}/" other.yaml >wrong.yaml
    warpstudy plan wrong.yaml
done
sed 's/collect: .*/collect: [frame]/' other.yaml >wrong.yaml
warpstudy plan wrong.yaml
