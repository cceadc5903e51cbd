# Plan, run, run again, change something, look at it.
try warpstudy plan "$EXPERIMENTS/small.yaml"
try warpstudy run "$EXPERIMENTS/small.yaml" --label first
try warpstudy run "$EXPERIMENTS/small.yaml"
try warpstudy run "$EXPERIMENTS/small.yaml" --set seed=1,2 --set variant=naive
try warpstudy query "SELECT variant, max_bounces, seed, count(DISTINCT image) AS images FROM trial GROUP BY 1, 2, 3"
try warpstudy query --format csv "SELECT count(*) AS n FROM attempt WHERE status = 'done'"
try warpstudy query --format json "SELECT count(*) AS n, 'a \"b\"' AS text, NULL AS gone"
try warpstudy query "DELETE FROM attempt"
try warpstudy redo "variant = 'naive' AND seed = 2"
try warpstudy run "$EXPERIMENTS/small.yaml" --set seed=1,2 --set variant=naive
try warpstudy redo 99
for word in 3.0 ' 3' +3 0x3 3e0 99999999999999999999 true; do warpstudy redo "$word" 2>&1 | head -1; done
try warpstudy redo 3.0
try warpstudy show 99
try warpstudy show 1 | grep -E '^(trial|attempts|counts by bounce|  variant|  width)'
