# Shares of two experiments' trials, of which some are in both: together they are what one run makes, each trial once.
try() { echo "\$ $*"; "$@"; echo "-> $?"; }
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
