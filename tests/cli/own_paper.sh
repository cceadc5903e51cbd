# SPDX-License-Identifier: MIT
# A document of one's own: queries under their names, series put side by side, panels chosen, sentences filled; and what is wrong with one.

warpstudy run "$EXPERIMENTS/small.yaml" --db own.db --quiet > run.out; echo "exit $?"
mkdir -p papers/p
cp "$ROOT/paper_figures/variants.yaml" papers
cat > papers/p/published.yaml <<'YAML'
paper: {id: p, title: "A document"}
misprints: []
tables:
  told:
    title: "Told"
    row: place
    columns: {a: {unit: s, decimals: 1}, b: {unit: s, decimals: 1}}
    rows: [{place: pub, a: 1.0, b: 4.0}, {place: inn, a: 3.0, b: 2.0}, {place: bar, a: 5.0}]
YAML
cat > papers/shared.yaml <<'YAML'
flags: {no_scene: "nobody was there", unknown: "not this"}
tables:
  halves: {title: "Halves", row: place, panel: [night], experiment: experiments/other.yaml, columns: {half: {unit: s, style: number, decimals: 1}}}
YAML
cat > papers/p/tables.yaml <<'YAML'
shared: ../shared.yaml
flags:
  slower: "{variant} loses {loss:.1%} % in {launches} {launches:launch|launches}"
  unknown: "nobody asked"
queries: tables.sql
tables:
  rates:
    title: "Rates by depth"
    row: depth
    label: "depth {depth}[, {note}]"
    column: variant
    panel: [scene, width]
    one_per: [scene]
    most: [rows, newest]
    least_rows: 2
    listed: listed
    finding: "{scene}[ at night, {night}| by day|], {loss:+.2f}"
    headline: "On {scene} one runs at {one..:.1f}, two at {two..:.1f} a second, deep one at {one of depth 8..:.1f}[; at {missing}]; {from to to:.0f} of {of?none}."
    experiment: experiments/quickstart.yaml
    defaults: {unit: 1/s, style: number, decimals: 1, value: rate, flags: flags, trials: ids}
    columns:
      one: {series: naive, time_ci: ci}
      two: {series: pool, absent: unknown}
      gain: {series: pool, value: gain, ci: ci, scale: 100, flags: ""}
      same: {series: pool, value: gain, half: ci, scale: 100, flags: ""}
  ratios:
    published: told
    row: place
    column: variant
    panel: [night]
    others: {told: place}
    experiment: experiments/quickstart.yaml
    defaults: {unit: x, style: number, decimals: 2, value: seconds, compare: always, flags: flags, absent: unknown, trials: ids}
    columns:
      a: {published: a}
      b: {published: b}
      longer: {of: a, against: b, unit: x, direction: lower, derived: a / b}
      faster: {of: a, against: b, unit: x, direction: higher, derived: b / a}
  halves: {like: halves, experiment: experiments/quickstart.yaml}
figures: {}
YAML
cat > papers/p/tables.sql <<'SQL'
-- The tables of p.
-- [rates]
SELECT scene, width, depth, variant, rate, ci, gain, flags, ids, newest, 0.071 AS loss, depth - 3 AS launches, NULL AS night, NULL AS missing,
       scene <> 'attic' AS listed, iif(depth = 8, 'deep', NULL) AS note, 4 AS "from", 8 AS "to", NULL AS of
FROM (SELECT column1 AS scene, column2 AS width, column3 AS depth, column4 AS variant, column5 AS rate, column6 AS ci, column7 AS gain,
             column8 AS flags, column9 AS ids, column10 AS newest FROM (VALUES
    ('inn', 64, 4, 'naive', 10.0, 0.25, NULL, '', '1', 1), ('inn', 64, 4, 'pool', 9.0, 0.1, 0.9, 'slower', '2', 2),
    ('inn', 64, 8, 'naive', 5.0, 0.0, NULL, '', '3', 3),
    ('inn', 32, 4, 'naive', 40.0, NULL, NULL, '', '4', 4), ('inn', 32, 8, 'naive', 41.0, NULL, NULL, '', '5', 9),
    ('inn', 32, 8, 'pool', 42.0, 0.5, 1.0, '', '6', 6), ('inn', 16, 4, 'naive', 1.0, NULL, NULL, '', '7', 99),
    ('attic', 64, 4, 'naive', 1.0, NULL, NULL, '', '8', 99), ('attic', 64, 8, 'naive', 2.0, NULL, NULL, '', '9', 99)))
-- [ratios]
SELECT 1 AS night, column1 AS place, column2 AS variant, column3 AS seconds, column4 AS ids, '' AS flags
FROM (VALUES ('inn', 'a', 3.0, '1'), ('lane', 'a', 8.0, '2'), ('inn', 'b', 4.0, '3'))
-- [halves]
SELECT 1 AS night, 'inn' AS place, 0.5 AS half
SQL
cat > papers/p/claims.yaml <<'YAML'
queries: claims.sql
reasons: {lost: "it loses {loss:.1%} % in {launches} {launches:launch|launches}"}
excluding: [dark]
claims:
  C01:
    words: "it is faster"
    where: "1"
    statement: "It is faster."
    published: "2"
    check: [counts]
    tier: 1
    place: "[{scene} at {width}|lights: {lights}]"
    parts:
      - text: "faster"
        kind: literal
        accept: "above 1"
        refute: "below 1"
        tests:
          - {value: faster, accept: [1, null], refute_outside: [1, null], on: all, refuted_on: any}
          - {value: lit, accept: [0, null], refute_outside: [0, null], on: all, refuted_on: any}
YAML
cat > papers/p/claims.sql <<'SQL'
-- [C01]
SELECT 'inn' AS scene, 64 AS width, 2.0 AS faster, 0.5 AS faster_half, 'nobody|lost' AS excluded, '1' AS trials, 0.2 AS loss, 1 AS launches,
       'pool' AS variant
UNION ALL SELECT 'inn', 32, 1.5, 0.1, '', '2', 0, 0, ''
-- [C01]
SELECT 3 AS lights, 7.0 AS lit, 'dark' AS flags
UNION ALL SELECT 4, 8.0, ''
SQL
export WARPSTUDY_PAPERS=papers

echo '$ a table'
warpstudy report p rates --db own.db
warpstudy report p rates --db own.db --all --format csv | cut -d, -f 1-17
warpstudy report p --db own.db --output page > report.out 2>&1
sed -n 's/.*\(On inn [^<]*\)<.*/\1/p' page/index.html | head -1

echo '$ ratios of columns, and rows of the document alone'
warpstudy report p ratios --db own.db
warpstudy report p ratios --db own.db --format csv | cut -d, -f 1-2,14-28
warpstudy report p halves --db own.db

echo '$ a claim'
warpstudy query --db own.db --format csv "SELECT place, test, value, excluded FROM claim_cases WHERE value NOTNULL"

echo '$ mistakes'
wrong() { # FILE EXPRESSION: what is said of it
    cp "papers/p/$1" kept; sed -i "$2" "papers/p/$1"
    warpstudy report p ${3:-rates} --db own.db 2>&1 | head -2; cp kept "papers/p/$1"
}
wrong tables.sql 's/ci, gain, flags, ids/ci, flags, ids/'
wrong tables.yaml 's/most: .rows, newest/most: [rows, oldest/'
wrong tables.yaml 's/{missing}/{mising}/'
wrong tables.yaml 's/{missing}\]/{missing}/'
wrong tables.sql 's/\[rates\]/[rate]/'
wrong tables.yaml 's/    panel: .*//'
wrong tables.yaml 's/against: b/against: c/'
wrong tables.yaml 's/{unit: x, style: number, decimals: 2, value: seconds/{unit: s, style: number, decimals: 2, value: seconds/'
wrong tables.yaml 's/told: place/tolled: place/'
wrong tables.yaml 's/told: place/told: door/' ratios
wrong tables.yaml 's/like: halves/like: thirds/'
wrong tables.yaml 's/like: halves, /like: halves, row: place, /'
wrong tables.yaml 's/^shared: .*//'
wrong claims.sql 's/\[C01\]/[C02]/' C01
wrong claims.yaml 's/{lights}/{light}/' C01
wrong claims.sql 's/AS lit,/AS little,/' C01
