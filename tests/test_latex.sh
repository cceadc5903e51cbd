#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The LaTeX of every paper's report compiles: no error, nothing undefined, nothing that sticks out by more than 20 points. Of
# the appendix nothing sticks out at all, and it has 6 to 10 pages.
#
# usage: test_latex.sh WARPSTUDY
set -euo pipefail
program=$(realpath "$1")
packed=$(cd "$(dirname "$0")/.." && pwd)/results/h100/wald2011.db.xz
if ! command -v pdflatex >/dev/null; then
    echo "skipped: pdflatex is not installed (scripts/install-packages --tests)"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
database=$work/wald2011.db
xz -dc "$packed" >"$database"
"$program" report --db "$database" --output "$work/out" >/dev/null 2>&1

failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}

# compile DOCUMENT POINTS: nothing undefined, no box that is wider by more than that. Prints how many pages it has.
compile() {
    local run
    # Twice: longtable measures its columns in the first run.
    for run in 1 2; do
        if ! (cd "$(dirname "$1")" && pdflatex -interaction=nonstopmode -halt-on-error "$1") >"$work/log" 2>&1; then
            grep -A3 '^!' "$work/log" || tail -5 "$work/log"
            fail "$1 does not compile"
            return
        fi
    done
    if grep -i 'undefined' "$work/log" || grep 'Missing character' "$work/log"; then
        fail "$1: something is undefined"
    fi
    awk -F'[(p]' -v most="$2" '/^Overfull .hbox/ { for (i = 1; i <= NF; ++i) if ($i + 0 > most) { print; bad = 1; break } } END { exit bad }' \
        "$work/log" || fail "$1: wider than its page"
    pages=$(grep -o 'Output written on .*' "$work/log" | grep -o '[0-9]* pages' | grep -o '[0-9]*')
    echo "${1#"$work"/out/}: $pages pages"
}

for document in "$work"/out/*/report.tex; do
    compile "$document" 20
    # What stands in the file of each table stands in the document too, but for the titles.
    for table in "$(dirname "$document")"/tables/*.tex; do
        [ -z "$(grep -v '^%\|^\\noindent{\|^\\par\\ifdim' "$table" | grep -vxFf "$document")" ] || fail "$document lacks $table"
        grep -q toprule "$table" || fail "$table has no rules of booktabs"
    done
done
compile "$work/out/wald2011/appendix.tex" 0
[ "${pages:-0}" -ge 6 ] && [ "$pages" -le 10 ] || fail "the appendix has ${pages:-no} pages"
[ -s "$work/out/wald2011/report.pdf" ] || failed=1
exit $failed
