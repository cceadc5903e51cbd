# What became of the claims of a paper, in every format; made-up claims, so that the real ones may change.
mkdir papers
cp -r "$ROOT/paper_figures/wald2011" "$ROOT/paper_figures/"{variants.yaml,common.sql,tables.yaml} papers
export WARPSTUDY_PAPERS=$PWD/papers
claim() { # ID VARIANTS, then further lines
    printf '  %s:\n    words: "so it is"\n    where: Table 2\n    statement: "of %s"\n    variants: [%s]\n' "$1" "$1" "$2"
    printf '    published: "2.30"\n    check: [counts]\n    tier: 1\n'
}
part() { printf '      - kind: %s\n        text: "%s"\n        accept: a\n        refute: r\n' "$1" "$2"; }
{
    echo "excluding: [fitted]"
    echo "claims:"
    claim C01 W-NAIVE
    echo "    sql: claims/paths.sql"
    echo "    parts:"
    part literal "so many paths"
    echo "        tests: [{value: paths, title: paths of bounce 0, decimals: 0, accept: [192, 192], refute_outside: [192, 192]}]"
    part surrogate "and fewer"
    echo "        tests: [{value: paths, title: the same, decimals: 0, accept: [null, 100], refute: [101, null]}]"
    claim C02 W-NAIVE
    echo "    sql: claims/times.sql"
    echo "    experiment: experiments/wald2011/table1.yaml"
    echo "    parts:"
    part literal "so long"
    echo "        tests: [{value: seconds, title: time, unit: s, accept: [0, 1], refute: [10, null]}]"
    claim C03 "W-NAIVE, C-OPTIX, TLAS"
    echo "    parts:"
    part whole ""
    claim C04 W-WF
    echo "    parts:"
    part literal "not yet"
} >papers/wald2011/claims.yaml
mkdir -p papers/wald2011/claims
cat >papers/wald2011/claims/paths.sql <<'EOF'
SELECT variant || ', ' || scene AS place, NULL AS flags, trial AS trials, active_paths AS paths
FROM table2 WHERE bounce = 0 AND variant = 'naive'
EOF
cat >papers/wald2011/claims/times.sql <<'EOF'
SELECT variant AS place, 'untimed' AS flags, id AS trials, NULL AS seconds, NULL AS seconds_half
FROM trial WHERE variant = 'naive'
EOF
printf 'conflicts:\n  X01: {claims: [wald2011-C01, wald2011-C03], issue: "which?", experiment: "a sweep"}\n' >papers/conflicts.yaml
warpstudy run "$EXPERIMENTS/small.yaml" --quiet >/dev/null
try warpstudy report --claims
try warpstudy report wald2011 --claims --format markdown
try warpstudy report --claims --format csv
try warpstudy report --claims --format latex
try warpstudy report wald2011 C01
try warpstudy report wald2011 C03 --format markdown
try warpstudy report wald2011 --claims --output out
try warpstudy query "SELECT paper, id, tier, verdict, confidence, evidence, trials FROM claims"
try warpstudy query "SELECT * FROM claim_parts"
try warpstudy query "SELECT * FROM claim_cases" --format json
try warpstudy query Claims --format csv
echo "== what is wrong"
try warpstudy report wald2012 --claims
try warpstudy report wald2011 C05 --claims
try warpstudy report --claims --format pdf
try warpstudy report --claims --db missing.db
sed -i 's/AS paths$/AS path/' papers/wald2011/claims/paths.sql
try warpstudy report --claims 2>&1 | sed "s,$PWD,PWD,"
try warpstudy query claims 2>&1 | sed "s,$PWD,PWD,"
sed -i 's/refute_outside: .192, 192./refute: [0, 300]/' papers/wald2011/claims.yaml
try warpstudy report wald2011 --claims --output broken 2>&1 | sed "s,$PWD,PWD,"
try warpstudy report wald2011 C01 2>&1 | sed "s,$PWD,PWD,"
[ -e broken ] || echo "nothing is left behind"
