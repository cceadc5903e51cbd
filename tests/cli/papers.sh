# SPDX-License-Identifier: MIT
# What papers say: tables that nothing measures need no database; queries read the rest; a damaged paper stops no run.

echo '$ report'
warpstudy report frolov2015 listing1 --db none.db
warpstudy report frolov2015 listing1 --format csv --db none.db | cut -d, -f 1-8
warpstudy report frolov2015 listing1_order --format markdown --db none.db | sed -n '/^|/p'
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

echo '$ the first sentence of a page, and its values from raw counts'
unset WARPSTUDY_PAPERS
small="--set width=64 --set height=48 --set replicates=1 --set collect=counts --db found.db --device emulator --quiet"
studies=$ROOT/experiments
warpstudy run "$studies/frolov2015/pool.yaml" --set scene=cornell --set max_bounces=8 $small > run.out
warpstudy run "$studies/cmu2023/stages.yaml" --set scene=cornell --set tickets=ordered --set spp=32 $small > run.out
warpstudy run "$studies/kdtree2015/trees.yaml" --set scene=cornell --set variant=naive $small > run.out
warpstudy run "$studies/volpt2018/quick.yaml" $small > run.out
for paper in frolov2015 cmu2023 kdtree2015 volpt2018; do
    warpstudy report $paper --db found.db --output page > report.out 2>&1
    sed -n 's/.*\(On [^<]* not measured\( there\)\?\.\).*/\1/p' page/index.html | sed -E 's/On .* \([0-9]+ threads\)/on PROCESSOR/' | head -1
done
warpstudy query --db found.db "SELECT e.study, variant, t.tickets, t.resident_blocks AS blocks,
    round(100.0 * sum(iif(bounce >= 0, active_paths, 0)) / 32 / sum(iif(bounce >= 0, b.active_warps, 0))) AS of_warps,
    round(100.0 * sum(iif(bounce < 0, live_lanes, 0)) / 32 / sum(iif(bounce < 0, live_warps, 0))) AS of_stages,
    1.0 * sum(iif(bounce >= 0, b.nodes, 0)) * iif(t.tree = 'kd16', 16, 64) / sum(iif(bounce >= 0, active_paths, 0)) AS bytes_a_ray
    FROM bounce_counts AS b JOIN attempt AS a ON a.id = b.attempt JOIN trial_record AS t ON t.id = a.trial
    JOIN run AS u ON u.id = a.run JOIN experiment AS e ON e.id = u.experiment
    WHERE t.tickets IS NOT 'atomic' GROUP BY t.id ORDER BY t.id"
