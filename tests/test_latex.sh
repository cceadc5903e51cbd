#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The LaTeX of every paper's report compiles: no error, nothing undefined, nothing that sticks out by more than 20 points.
#
# usage: test_latex.sh WARPSTUDY
set -euo pipefail
program=$(realpath "$1")
database=$(cd "$(dirname "$0")/.." && pwd)/results/h200/wald2011.db
if ! command -v pdflatex >/dev/null; then
    echo "skipped: pdflatex is not installed (scripts/install-packages --tests)"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" report --db "$database" --output "$work/out" >/dev/null 2>&1

failed=0
for document in "$work"/out/*/report.tex; do
    folder=$(dirname "$document") name=$(basename "$(dirname "$document")")
    # Twice: longtable measures its columns in the first run.
    for run in 1 2; do
        if ! (cd "$folder" && pdflatex -interaction=nonstopmode -halt-on-error report.tex) >"$work/log" 2>&1; then
            echo "FAILED: $name does not compile"
            grep -A3 '^!' "$work/log" || tail -5 "$work/log"
            failed=1
            continue 2
        fi
    done
    if grep -i 'undefined' "$work/log" || grep 'Missing character' "$work/log"; then
        echo "FAILED: $name: something is undefined"
        failed=1
    fi
    if ! awk -F'[(p]' '/^Overfull .hbox/ { for (i = 1; i <= NF; ++i) if ($i + 0 > 20) { print; bad = 1; break } } END { exit bad }' "$work/log"
    then
        echo "FAILED: $name: wider than its page"
        failed=1
    fi
    for table in "$folder"/tables/*.tex; do
        grep -q "input{tables/$(basename "$table" .tex)}" "$document" || { echo "FAILED: $name lacks $table"; failed=1; }
        grep -q toprule "$table" || { echo "FAILED: $table has no rules of booktabs"; failed=1; }
    done
    echo "$name: $(grep -o 'Output written on report.pdf ([0-9]* pages' "$work/log" | grep -o '[0-9]* pages')"
done
[ -s "$work/out/wald2011/report.pdf" ] || failed=1
exit $failed
