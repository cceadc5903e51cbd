# Two experiments of one run that ask for the same executions: each is made once, and both know it.
sed 's/^name: .*/name: other/; s/seed: \[.*\]/seed: [2, 3]/' "$EXPERIMENTS/null.yaml" >other.yaml
warpstudy run "$EXPERIMENTS/null.yaml" other.yaml --db shared.db --quiet
warpstudy query --db shared.db "SELECT trial, collection, count(*) AS done FROM attempt GROUP BY trial, collection HAVING count(*) <> 1"
warpstudy query --db shared.db "SELECT experiment, count(DISTINCT trial) AS trials FROM experiment_trial GROUP BY experiment"
warpstudy run "$EXPERIMENTS/null.yaml" other.yaml --db shared.db --quiet
