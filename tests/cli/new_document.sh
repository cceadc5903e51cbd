# SPDX-License-Identifier: MIT
# What a newcomer writes for a document of two tables and five claims: an experiment, and five files in a folder of paper_figures.

mkdir -p papers/study
cp "$ROOT/paper_figures/variants.yaml" papers # the program's own
cat > study.yaml <<'YAML'
name: study
study: study
device: emulator
fixed: {scene: cornell, width: 32, height: 24, max_bounces: 3}
sweep: {variant: [naive, whole_frame]}
collect: [counts]
YAML
cat > papers/study/published.yaml <<'YAML'
paper: {id: study, title: "A study"}
misprints: []
tables:
  paths: {title: "Active paths", row: bounce, columns: {paths: {unit: "%", decimals: 0}}, rows: [{bounce: 0, paths: 100}, {bounce: 1, paths: 97}]}
YAML
cat > papers/study/tables.yaml <<'YAML'
queries: tables.sql
tables:
  paths:
    published: paths
    row: bounce
    panel: [scene]
    experiment: study.yaml
    columns: {paths: {value: alive, unit: "%", style: number, decimals: 0, published: paths, trials: trials}}
  warps:
    title: "Active warps"
    row: bounce
    panel: [scene]
    column: variant
    experiment: study.yaml
    defaults: {unit: warps, style: number, decimals: 0, value: active_warps, trials: trials}
    columns: {naive: {series: naive}, compacted: {series: whole_frame}}
figures: {}
YAML
cat > papers/study/tables.sql <<'SQL'
-- [paths]
SELECT scene, bounce, 100.0 * active_paths / (width * height) AS alive, trial AS trials FROM table2 WHERE variant = 'naive' AND bounce < 2
-- [warps]
SELECT scene, bounce, variant, active_warps, trial AS trials FROM table2
SQL
claim() { # ID WORDS VALUE LEAST
    cat <<YAML
  $1:
    words: "$2"
    where: "1"
    statement: "$2"
    published: "$4"
    check: [counts]
    tier: 1
    parts:
      - {text: "$2", kind: literal, accept: "at least $4", refute: "less",
         tests: [{value: $3, accept: [$4, null], refute_outside: [$4, null], on: all, refuted_on: any}]}
YAML
}
{
    printf 'queries: claims.sql\nclaims:\n'
    claim S1 "compaction saves warps" saved 1
    claim S2 "warps of a list are full" full 0.9
    claim S3 "most paths live on" alive 0.5
    claim S4 "every path has a ray" rays 1
    claim S5 "half of the warps are saved" saved 2
} > papers/study/claims.yaml
cat > papers/study/claims.sql <<'SQL'
-- [S1]
SELECT 'bounce ' || bounce AS place, trial AS trials, saved FROM table2 WHERE variant = 'whole_frame'
-- [S2]
SELECT 'bounce ' || bounce AS place, trial AS trials, util AS full FROM table2 WHERE variant = 'whole_frame'
-- [S3]
SELECT 'bounce ' || bounce AS place, trial AS trials, 1.0 * active_paths / (width * height) AS alive FROM table2 WHERE variant = 'naive'
-- [S4]
SELECT 'bounce 0' AS place, trial AS trials, 1.0 * active_paths / (width * height) AS rays FROM table2 WHERE bounce = 0
-- [S5]
SELECT 'bounce ' || bounce AS place, trial AS trials, saved FROM table2 WHERE variant = 'whole_frame'
SQL
export WARPSTUDY_PAPERS=papers

echo '$ files'
ls study.yaml papers/study/* | wc -l

echo '$ run'
warpstudy run study.yaml --db study.db --quiet > run.out; echo "exit $?"
warpstudy report study paths --db study.db
warpstudy report study warps --db study.db
warpstudy report study --claims --db study.db | grep -E '^ *S[1-5]'
warpstudy query --db study.db --format csv "SELECT count(*) FROM claim_cases"
