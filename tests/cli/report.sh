# A report as a folder, and everything that may be in its way: a clear word, nothing half-written, the database as it was.
try() { echo "\$ $*"; "$@" 2>errors; local code=$?; grep -v 'left out\|nothing has been measured' errors; echo "-> $code"; }
left() { find "${1:-.}" -mindepth 1 ! -name '*.db*' ! -name errors ! -name sums | LC_ALL=C sort; }
warpstudy run "$EXPERIMENTS/small.yaml" --db few.db --quiet >/dev/null
cp few.db old.db && sqlite3 old.db "PRAGMA user_version = 4"
cp few.db newer.db && sqlite3 newer.db "PRAGMA user_version = 99"
warpstudy render open --store --set spp=1 --set width=64 --set height=38 --db few.db >/dev/null # Figure 1 in no time
cp few.db empty.db
sqlite3 empty.db "DELETE FROM bounce_counts; DELETE FROM lockstep; DELETE FROM kernel_facts; DELETE FROM site_count; DELETE FROM repetition;
    DELETE FROM launch; DELETE FROM launch_time; DELETE FROM condition; DELETE FROM attempt; DELETE FROM run_trial; DELETE FROM derived;
    DELETE FROM trial_record"
echo "this is no database, however long one looks at it" >text.db
sha256sum ./*.db >sums

echo "== a folder"
try warpstudy report wald2011 --db few.db --all
left report-wald2011 | grep -v figures/ | head -40
try warpstudy report wald2011 table2 --all --db few.db --output report-wald2011 --format latex
try warpstudy report --format csv --all --db few.db --output all-csv | grep table2
echo "== again, of less: what the first left is gone, what somebody else put there stays"
touch report-wald2011/mine
try warpstudy report wald2011 --db few.db --scene cornell --all
left report-wald2011 | grep mine
echo "== several papers"
try warpstudy report --db few.db --all
head -c 200000 report/index.html | grep -o 'href="[a-z0-9]*/index.html"'
rm -rf report report-wald2011 all-csv

echo "== one table with its figure, over the older one, and nothing of one that cannot be"
try warpstudy report table2 --all --db few.db --output one/deep
try warpstudy report table2 --all --db few.db --output one/deep --format csv
left one
cp empty.db "made up.db"
try warpstudy report table2 --db "made up.db"
rm "made up.db"
try warpstudy report wald2011 table2 --db empty.db --output one/empty
try warpstudy report table2 --all --db few.db --output few.db/x
try warpstudy report table2 --all --db few.db --output ""
left one | grep empty
rm -r one

echo "== what is asked for is not there"
try warpstudy report table22 --db few.db
try warpstudy report figure1 --db few.db
try warpstudy report wald2011 table9 --db few.db
try warpstudy report wald2012 table2 --db few.db
try warpstudy report wald2012 --db few.db
try warpstudy report wald2011 tabel2 --db few.db
try warpstudy report wald2011 --format html --db few.db
try warpstudy report wald2011 --scene nowhere --db few.db
echo "== databases"
try warpstudy report wald2011 --db missing.db
try warpstudy report volpt2018 --db missing.db
: > packed.db.xz
try warpstudy report wald2011 --db packed.db
try warpstudy report wald2011 --db text.db
try warpstudy report wald2011 --db newer.db
try warpstudy report wald2011 --db empty.db
left
try warpstudy report wald2011 --all --db old.db
rm -rf report-wald2011
echo "== folders"
try warpstudy report wald2011 --db few.db --all --output /proc/report
try warpstudy report wald2011 --db few.db --all --output few.db
mkdir taken && touch taken/index.html
try warpstudy report wald2011 --db few.db --all --output taken
left taken
rm -r taken
echo "== a full disk"
(
    ulimit -f 40
    try warpstudy report wald2011 --db few.db --all --output deep/out
)
left
echo "== without gnuplot"
mkdir bin && ln -s "$(command -v warpstudy)" bin/warpstudy
PATH=$PWD/bin try warpstudy report wald2011 --db few.db --all 2>/dev/null || true
for item in table2 active_paths; do
    PATH=$PWD/bin try warpstudy report $item --all --db few.db --output one 2>/dev/null || true
    cat errors
done
left one
rm -rf bin one
grep -o 'Not drawn, because gnuplot is not installed' report-wald2011/index.html
grep -o '<code>sudo apt-get install [a-z-]*</code>' report-wald2011/index.html
ls report-wald2011/tables | head -4
rm -rf report-wald2011
echo "== the databases are as they were"
sha256sum --quiet -c sums && echo same
echo "== a table of many rows does not end in lists of trials"
xz -dc "$ROOT/results/h100/wald2011.db.xz" >wald2011.db
warpstudy report table1 --db wald2011.db >long.txt
grep -c '^Trials of' long.txt
grep -c -- '--format csv' long.txt
