# SPDX-License-Identifier: MIT
# Names, texts and folders that mean something to a shell, a page, LaTeX, gnuplot or a spreadsheet.
try() { echo "\$ $*"; "$@" 2>errors; local code=$?; grep -v 'left out' errors; echo "-> $code"; }
export WARPSTUDY_CACHE=$PWD/cache # names of its scenes are in nobody else's way
warpstudy run "$EXPERIMENTS/small.yaml" --db plain.db --quiet >/dev/null
warpstudy render open --store --set spp=1 --set width=64 --set height=38 --db plain.db >/dev/null # Figure 1 in no time
cp plain.db evil.db
sqlite3 evil.db <<'SQL'
CREATE TEMP TABLE evil AS SELECT 'o<script>alert(1)</script>"quoted, too"' || char(39) || '`$x_{y}\input{/etc/passwd}%&#~^|*_[]' || char(10, 10) || ',;=cmd é' || char(27) || '[31m' AS name;
UPDATE trial_record SET scene = (SELECT name FROM evil), camera = '</td><b>camera';
UPDATE run SET label = (SELECT name FROM evil), command_line = (SELECT name FROM evil);
SQL
sha256sum ./*.db >sums
echo "== names"
try warpstudy report wald2011 --db evil.db --all --output out >/dev/null
python3 - <<'EOF2'
import csv, glob, re
page = open("out/index.html", encoding="utf-8").read()
print("scripts of the page's own:", "<script>alert" not in page and "<b>camera" not in page, "named:", "&lt;script&gt;alert(1)" in page)
print("trials.js:", "<" not in open("out/trials.js", encoding="utf-8").read().split("\n", 1)[1])
tables = {path: list(csv.reader(open(path, encoding="utf-8", newline=""))) for path in glob.glob("out/tables/*.csv")}
print("lines of equal length:", len(tables) > 0 and all(len(line) == len(rows[0]) for rows in tables.values() for line in rows))
# gnuplot knows no quote within a field
print("as gnuplot reads them:", all('"' not in field and "\n" not in field for rows in tables.values() for line in rows for field in line))
markdown = open("out/tables/table2.md", encoding="utf-8").read()
print("Markdown:", not re.search(r"(?<!\\)<script", markdown) and "script" in markdown)
EOF2
ls out/figures/active_paths_*.svg | wc -l
grep '^literal' "$ROOT/paper_figures/wald2011/style.gp" >literal.gp
gnuplot -e 'load "literal.gp"; set print "-"; print literal("5 % of a%%b"); print literal("none")'
echo "== nobody else speaks to a terminal; files and pipes get data as it is"
printf 'title: "\\e]0;t\\a\\u202Etitle"\ncameras: {"c\\u009B2J": {eye: [0, 1, 6], at: [0, 1, 0]}}\nobjects: [{shape: box, size: [1, 1, 1]}]\n' >$'s\e[2J\x9b.scene.yaml'
printf 'fixed: {scene: "\\u009Bs", variant: "\\e[31m", "\\u2066": 1}\n' >$'e\e[2J.yaml'
{
    warpstudy scene info $'./s\e[2J\x9b.scene.yaml'
    warpstudy run $'e\e[2J.yaml' --db $'d\e[2J.db'
    warpstudy scene info $'./s\e[2J\x9b.scene.yaml' --camera $'\e[31m'
    warpstudy render $'\xE2\x80\xAE.yaml'
    warpstudy report $'\e[31mtable2' --db plain.db
    warpstudy status --db evil.db
    warpstudy show 1 --db evil.db
    warpstudy report wald2011 table2 --db evil.db --all
    warpstudy query "SELECT DISTINCT scene FROM trial_record" --db evil.db
} >printed 2>&1
python3 - <<'EOF2'
import re, subprocess
text = open("printed", encoding="utf-8").read() # an error where it is no UTF-8
print("foreign:", re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", text))
print("seen:", text.count("?[31m") > 2, text.count("?[2J") > 1, "?]0;t??title" in text, "c?2J" in text)
query = "SELECT char(27) || '[31m' || char(155, 8238) || '%s' AS a" % ("\u00e9" * 5000)
def csv(stream):
    subprocess.run(["warpstudy", "query", query, "--db", "plain.db", "--format", "csv"], stdout=stream)
with open("data.csv", "w+b") as file:
    csv(file)
    file.seek(0)
    print("data:", file.read().decode() == "a\n\x1b[31m\x9b\u202e" + "\u00e9" * 5000 + "\n")
EOF2
echo "== folders"
for folder in '<touch pwned; ' '|touch pwned' '~folder' "it's \"a\" \$(touch pwned)"; do
    try warpstudy report wald2011 table2 --db plain.db --all --output "$folder" >/dev/null
    ls "./$folder"/figures/*.svg | wc -l
done
[ -e pwned ] && echo "a folder's name was run"
echo "== a figure has no format; what it cannot draw leaves nothing behind"
try warpstudy report active_paths --db plain.db --format csv --output none
mkdir bin
printf '#!/bin/sh\nexit 0\n' >bin/gnuplot
chmod +x bin/gnuplot
mkdir kept
PATH=$PWD/bin:$PATH try warpstudy report active_paths --db plain.db --all --output kept
ls -A kept
ls -d none 2>/dev/null
echo "== papers"
mkdir empty
WARPSTUDY_PAPERS=empty try warpstudy report --db plain.db
cp -r "$ROOT/paper_figures" papers
printf -- '-- [table2]\nSELECT 1; SELECT 2\n' >papers/wald2011/tables.sql
WARPSTUDY_PAPERS=papers try warpstudy report table2 --db plain.db
rm papers/wald2011/tables.sql
WARPSTUDY_PAPERS=papers try warpstudy report table2 --db plain.db
# Ids become names of files: none leads out of the report's folder.
for id in ../../escaped /tmp/escaped -x "$(printf 'long%.0s' {1..20})"; do
    mkdir -p escape
    cp -r "$ROOT/paper_figures" escape/papers
    python3 - "$id" <<'EOF3'
import sys
path = "escape/papers/wald2011/tables.yaml"
text = open(path).read()
open(path, "w").write(text.replace("\ntables:\n", "\ntables:\n  \"%s\": {title: T, published: table2, missing: none}\n" % sys.argv[1], 1))
EOF3
    WARPSTUDY_PAPERS=escape/papers try warpstudy report wald2011 --db plain.db --output escape/out/in | sed 's/yaml:[0-9]*/yaml:LINE/'
    ls escape
    rm -r escape
done
printf 'load ARG0[1:strlen(ARG0) - strlen("active_paths.gp")] . "active_paths.gp"\n' >papers/wald2011/active_paths.gp
cp "$ROOT/paper_figures/wald2011/tables.sql" papers/wald2011/
PATH=$PWD/bin:$PATH WARPSTUDY_PAPERS=papers try warpstudy report active_paths --db plain.db --all --output loop
try warpstudy report table2 nosuch --db plain.db
try warpstudy report wald2011 C99 --db plain.db
try warpstudy report C13 --db plain.db
echo "== queries"
for query in "SELECT load_extension('x')" "SELECT * FROM pragma_user_version" "WITH x AS (SELECT 1) DELETE FROM run" \
    "ATTACH 'x.db' AS x" "VACUUM INTO 'x.db'" "SELECT 1;; -- and no more" "SELECT 1; /* more */ SELECT 2" 'SELECT "nosuch" FROM run'; do
    try warpstudy query "$query" --db plain.db
done
try warpstudy query "SELECT x'00414203' AS bytes, CAST(x'ff41' AS TEXT) AS text, 'é' AS letter" --db plain.db --format json
warpstudy query "SELECT CAST(x'ff41' AS TEXT) AS text, char(133) AS c" --db plain.db --format json | python3 -c 'import json, sys; print(json.load(sys.stdin))'
echo "== databases that were changed by hand"
cp plain.db partial.db
sqlite3 partial.db "DROP TABLE repetition"
cp plain.db version.db
sqlite3 version.db "PRAGMA user_version = -1"
for name in partial version; do
    try warpstudy report table2 --db $name.db
    try warpstudy compare plain.db $name.db
    try warpstudy merge plain.db $name.db --into new.db
    try warpstudy query "SELECT 1" --db $name.db
done
ls new.db* 2>/dev/null
echo "== no database at all, though SQLite would make one"
for name in '' :memory:; do
    try warpstudy merge plain.db --into "$name"
    try warpstudy run "$EXPERIMENTS/small.yaml" --quiet --db "$name"
    try warpstudy status --db "$name"
done
echo "== the databases are as they were"
sha256sum --quiet -c sums && echo same
