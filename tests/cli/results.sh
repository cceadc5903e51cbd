# Working with results: query, compare, merge and export, used well and badly.
try() { echo "\$ $*"; "$@" 2>&1 | sed -E 's/, [^,]* \([0-9]+ threads\)/, PROCESSOR/'; echo "-> ${PIPESTATUS[0]}"; }
for machine in a b; do
    warpstudy run "$EXPERIMENTS/small.yaml" --db $machine.db --label "night $machine" --quiet >/dev/null
done
warpstudy run "$EXPERIMENTS/small.yaml" --db b.db --label "more of b" --set seed=2 --quiet >/dev/null
sha256sum a.db b.db >before
echo "== query"
try warpstudy query --db a.db | sed -n '1p; /^bounce /p; /^catalogue/p; /->/p'
try warpstudy query tabel2 --db a.db
try warpstudy query claims --db a.db | sed -n '2p' | cut -c1-30
try warpstudy query "INSERT INTO run SELECT * FROM run" --db a.db
try warpstudy query "SELECT 1; SELECT 2" --db a.db
try warpstudy query "SELECT value FROM json_each('[1, null, 3]')" --db a.db
try warpstudy query "SELECT NULL AS n, 'two
lines' AS text UNION ALL SELECT 12.5, 'one'" --db a.db
echo "== a database without results"
cp a.db none.db
sqlite3 none.db "DELETE FROM run_trial; DELETE FROM attempt; DELETE FROM run; DELETE FROM trial_record"
try warpstudy query "SELECT 'sweep' AS word" --db none.db
try warpstudy query sweep --db none.db
try warpstudy report --db none.db
try warpstudy query "SELECT :x" --db a.db
echo "== compare"
try warpstudy compare a.db b.db
try warpstudy compare "night a@a.db" "night b@b.db" --bounces | head -13
try warpstudy compare a.db b.db --exit-code --format csv | head -3 | cut -d, -f1-3,6-9
try warpstudy compare a.db a.db
try warpstudy compare "night b" "night b" --db b.db
try warpstudy compare "night b" "more of c" --db b.db
try warpstudy compare a.db missing.db
echo text >text.db
try warpstudy compare a.db text.db
cp b.db newer.db
sqlite3 newer.db "PRAGMA user_version = 99"
try warpstudy compare a.db newer.db
cp b.db other.db
sqlite3 other.db "UPDATE bounce_counts SET active_paths = active_paths + 1 WHERE attempt = 1 AND bounce = 0"
try warpstudy compare b.db other.db --exit-code | grep -vE '^(A|B|Test|is same|Noise)'
warpstudy compare b.db other.db --exit-code >/dev/null
echo "-> $?"
try warpstudy compare a.db b.db --junit b.db
warpstudy compare b.db other.db --junit suite.xml >/dev/null && warpstudy compare a.db b.db --junit suite.xml >/dev/null && grep -c '<testcase' suite.xml
(ulimit -f 0; try warpstudy compare a.db b.db --junit full.xml)
ls full.xml* 2>/dev/null
# Labels with an @, of any length, and as folders and files are called.
cp b.db at@labels.db
long=$(printf 'x%.0s' {1..300})
mkdir nightly
sqlite3 at@labels.db "UPDATE run SET label = iif(id = 1, 'me@home', '$long')"
for side in me@home me@home@at@labels.db; do
    warpstudy compare "$side" "$long" --db at@labels.db | sed -E 's/x{300}/LONG/; s/, .*//; 2q'
done
sqlite3 at@labels.db "UPDATE run SET label = iif(id = 1, 'nightly', 'a.db')"
warpstudy compare nightly a.db@at@labels.db --db at@labels.db | sed 's/, .*//; 2q'
try warpstudy compare "${long}y" nightly --db at@labels.db | sed -E 's/x{300}/LONG/g'
echo "== times: a thousandfold is slower, and the exit code says so"
WARPSTUDY_NULL=clock warpstudy run "$EXPERIMENTS/null.yaml" --db quick.db --set collect=frame --set replicates=4 \
    --set seed=1 --quiet >/dev/null
sqlite3 quick.db "UPDATE repetition SET host_seconds = 1e-6 * (1 + 0.001 * (attempt % 4))" # as on a quiet machine
cp quick.db slow.db
sqlite3 slow.db "UPDATE repetition SET host_seconds = 1000 * host_seconds"
warpstudy compare quick.db slow.db --exit-code --format json | grep -o '"a_n.*"verdict": "[a-z]*"'
echo "-> ${PIPESTATUS[0]}"
warpstudy compare slow.db quick.db --exit-code --format json | grep -o '"verdict": "[a-z]*"'
echo "-> ${PIPESTATUS[0]}"
# Bounces alone are slower: the exit code and the test suite say so.
WARPSTUDY_NULL=clock warpstudy run "$EXPERIMENTS/null.yaml" --db launched.db --set collect=launches --set replicates=4 \
    --set seed=1 --quiet >/dev/null
sqlite3 launched.db "UPDATE launch SET bounce = 0, seconds = 1e-6 * (1 + 0.001 * (attempt % 4));
    UPDATE launch_time SET nanoseconds = 1e3 + attempt % 4"
cp launched.db longer.db
sqlite3 longer.db "UPDATE launch SET seconds = 3 * seconds; UPDATE launch_time SET nanoseconds = 3 * nanoseconds"
warpstudy compare launched.db longer.db --bounces --exit-code --junit bounces.xml >/dev/null
echo "-> $?, $(grep -c 'bounce 0.*<failure' bounces.xml) of $(grep -c '<testcase' bounces.xml) cases"
try warpstudy redo "launches = 'done'" --db launched.db # the collection, not the parameter of that name
echo "== merge"
try warpstudy merge a.db b.db --into all.db
try warpstudy merge a.db b.db --into all.db
try warpstudy query "SELECT r.label, count(*) AS trials, count(DISTINCT t.origin) AS origins FROM run AS r
    JOIN run_trial AS l ON l.run = r.id JOIN trial_record AS t ON t.id = l.trial GROUP BY r.id" --db all.db
try warpstudy merge a.db
try warpstudy merge a.db all.db --into all.db
try warpstudy merge a.db ./a.db --into all.db
try warpstudy merge a.db missing.db --into new.db
try warpstudy merge a.db text.db --into new.db
try warpstudy merge newer.db --into new.db
try warpstudy merge a.db --into no/such/folder.db
try warpstudy merge a.db --into text.db
[ -e new.db ] || echo "nothing was made"
cp b.db wrong.db
sqlite3 wrong.db "UPDATE attempt SET image = 'f' || substr(image, 2) WHERE trial = 1; UPDATE meta SET value = 'w' WHERE name = 'id'"
try warpstudy merge wrong.db --into all.db
echo "== a run goes on from what was merged"
try warpstudy run "$EXPERIMENTS/small.yaml" --db all.db --set seed=1,2 --quiet | grep -E 'done|->|nothing'
echo "== export"
try warpstudy export --list --db a.db | sed -n '1p; /^naive_pairing /p; /^table2 /p'
try warpstudy export --db a.db
try warpstudy export --list trial --db a.db
try warpstudy export tabel2 --db a.db --output csv
try warpstudy export --db a.db --output text.db
try warpstudy export trial run trial --db a.db --output csv
ls csv 2>/dev/null
try warpstudy export sweep --db a.db --output sweeps
head -2 sweeps/sweep.csv | cut -d, -f1-2
try warpstudy export a.tar.xz table2 --db a.db
try warpstudy export a.tar.xz --db a.db --output csv
try warpstudy export a.tar.xz --db a.db --list | sed -n 2p
try warpstudy export --verify a.tar.xz --db a.db | sed -n 2p
try warpstudy export --verify a.tar.xz table2 | sed -n 2p
try warpstudy export --verify '' | sed -n 2p
try warpstudy export table2 run --db a.db --output few
ls few
warpstudy export --db a.db --output csv | sed 's/^[0-9]*/N/'
python3 - <<'EOF'
import csv, glob, io, os, sqlite3
database = sqlite3.connect("a.db")
files = wrong = rows = 0
for path in sorted(glob.glob("csv/*.csv")):
    name = os.path.basename(path)[:-4]
    if name in ("paper", "fact", "published", "quotation", "misprint", "choice", "claim", "conflict"):
        continue # no file holds these
    cursor = database.execute(f'SELECT * FROM "{name}"')
    wanted = [[d[0] for d in cursor.description]] + [["" if v is None else v for v in row] for row in cursor]
    data = open(path, newline="").read()
    found = list(csv.reader(io.StringIO(data, newline="")))
    same = len(found) == len(wanted) and all(
        len(f) == len(w) and all(type(y)(x) == y for x, y in zip(f, w))
        for f, w in zip(found, wanted))
    if not same:
        print(name)
    files, wrong, rows = files + 1, wrong + (not same or not data.endswith("\r\n")), rows + len(found) - 1
print(wrong, "of the files differ from SQLite's own answer;", "files:", files > 50, "rows:", rows > 200)
wanted = {n for n, in database.execute("SELECT name FROM catalogue WHERE NOT step")}
print("as the catalogue says:", wanted == {os.path.basename(p)[:-4] for p in glob.glob("csv/*.csv")})
there = {n for n, in database.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%'")}
print("the catalogue is complete:", there == {n for n, in database.execute("SELECT name FROM catalogue WHERE kind <> 'made'")})
EOF
try warpstudy export claims --db a.db --output claims | sed 's/^[0-9]* /N /'
head -1 claims/claims.csv | cut -d, -f1-4
mkdir closed
chmod 555 closed
[ "$(id -u)" = 0 ] || warpstudy export run --db a.db --output closed 2>&1 | tail -1
sha256sum --quiet -c before && echo "the databases are as they were"
