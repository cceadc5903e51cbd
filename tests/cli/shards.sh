# Shares of two experiments' trials, of which some are in both: together they are what one run makes, each trial once.
sed 's/^name: .*/name: other/; s/seed: \[.*\]/seed: [2, 3, 4]/' "$EXPERIMENTS/null.yaml" >other.yaml
both=("$EXPERIMENTS/null.yaml" other.yaml)
counted="SELECT t.key, a.collection, a.image FROM trial_record t JOIN attempt a ON a.trial = t.id WHERE a.status = 'done' ORDER BY 1, 2"
for shard in 1/3 2/3 3/3; do
    try warpstudy run "${both[@]}" --db "shard${shard%/3}.db" --shard $shard 2>&1 | grep "^shard\|->\|done  "
done
try warpstudy merge shard1.db shard2.db shard3.db --into merged.db
warpstudy run "${both[@]}" --db one.db --quiet >one.log
warpstudy query --db one.db --format csv "$counted" >one.csv
warpstudy query --db merged.db --format csv "$counted" >merged.csv
cmp one.csv merged.csv && sort one.csv | uniq -d
# nothing is left to be run
warpstudy run "${both[@]}" --db merged.db --quiet 2>&1 | grep "done  "
for shard in 0/3 4/3 1 1/3x 1/70000 -1/3; do
    try warpstudy run "${both[@]}" --db none.db --shard=$shard
done
# More shares than trials: some have nothing to do.
try warpstudy run "${both[@]}" --db none.db --shard 64/64 --quiet
# A copy is the same database: it goes on where that was, and adds nothing to a merge.
try warpstudy copy shard1.db copy.db
try warpstudy copy shard1.db copy.db
try warpstudy copy nowhere.db other.db
try warpstudy copy shard1.db no/such/folder.db
ls copy.db* other.db* 2>&1
warpstudy query --db shard1.db --format csv "$counted" >shard1.csv
warpstudy query --db copy.db --format csv "$counted" | cmp shard1.csv -
warpstudy run "${both[@]}" --db copy.db --shard 1/3 --quiet 2>&1 | grep "done  "
try warpstudy merge copy.db --into merged.db
# What has no result yet, and what failed, replicate by replicate.
try warpstudy plan "${both[@]}" --db none.db --due --rows 2
try warpstudy plan "${both[@]}" --db shard2.db --due
try warpstudy plan "${both[@]}" --db merged.db --due
try warpstudy plan "${both[@]}" --db shard2.db --due --format csv
replicates=("$EXPERIMENTS/null.yaml" --set collect=counts,launches --set replicates=3 --set seed=1,2 --set retries=0)
WARPSTUDY_FAULT=launches:fail@2 warpstudy run "${replicates[@]}" --db failed.db --quiet >failed.log 2>&1
try warpstudy plan "${replicates[@]}" --db failed.db --due
try warpstudy plan "${replicates[@]/=3/=4}" --db failed.db --due
warpstudy run "${replicates[@]}" --db failed.db --retry-failed --quiet >failed.log 2>&1
warpstudy redo "seed = 2 AND replicate = 1" --db failed.db
try warpstudy plan "${replicates[@]}" --db failed.db --due
# Neither the device nor its kernels are needed.
gpu=("$ROOT/experiments/wald2011/table2.yaml" --device cuda)
xz -dc "$ROOT/results/h100/wald2011.db.xz" >gpu.db
try warpstudy plan "${gpu[@]}" --db gpu.db --due
warpstudy redo "variant = 'whole_frame' AND scene = 'villa' AND max_bounces = 8" --collection counts --db gpu.db >redo.log
warpstudy plan "${gpu[@]}" --db gpu.db --due 2>&1 | grep -v "^  line\|merged with"
