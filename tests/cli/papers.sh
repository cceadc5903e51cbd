# SPDX-License-Identifier: MIT
# What papers say: tables that nothing measures need no database; queries read the rest; a damaged paper stops no run.

echo '$ report'
warpstudy report kdtree2015 node_bits --db none.db
warpstudy report cmu2023 table3 --format csv --db none.db | cut -d, -f 1-8
warpstudy report volpt2018 table41 --format markdown --db none.db | sed -n '/^|/p'
for table in listing1 listing1_order tests; do warpstudy report frolov2015 $table --format text --db none.db | grep "^frolov2015"; done

echo '$ run and query'
warpstudy run "$EXPERIMENTS/small.yaml" --db papers.db --quiet > run.out; echo "exit $?"
warpstudy query --db papers.db 'SELECT paper, count(*) FROM published GROUP BY paper'
warpstudy query --db papers.db "SELECT paper, id, corrected FROM misprint WHERE id LIKE '%-M1'"

echo '$ damaged'
mkdir -p broken/p
printf 'paper: {id: p}\nmisprints: []\ntables: []\n' > broken/p/published.yaml
printf 'tables: {}\nfigures: {}\n' > broken/p/tables.yaml
export WARPSTUDY_PAPERS=broken
warpstudy run "$EXPERIMENTS/small.yaml" --db papers.db --quiet 2>&1 > run.out; echo "exit $?"
warpstudy query --db papers.db 'SELECT count(*) AS papers FROM paper'
warpstudy report p --db papers.db; echo "exit $?"
WARPSTUDY_PAPERS=none warpstudy query --db papers.db 'SELECT count(*) AS papers FROM paper'
