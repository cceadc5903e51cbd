# Two experiments of one run that ask for the same executions: each is made once, and both know it.
sed 's/^name: .*/name: other/; s/seed: \[.*\]/seed: [2, 3]/' "$EXPERIMENTS/null.yaml" >other.yaml
warpstudy run "$EXPERIMENTS/null.yaml" other.yaml --db shared.db --quiet
warpstudy query --db shared.db "SELECT trial, collection, count(*) AS done FROM attempt GROUP BY trial, collection HAVING count(*) <> 1"
warpstudy query --db shared.db "SELECT experiment, count(DISTINCT trial) AS trials FROM experiment_trial GROUP BY experiment"
warpstudy run "$EXPERIMENTS/null.yaml" other.yaml --db shared.db --quiet
# The scene's first camera is the same whether it is named or not; the second is another.
warpstudy run "$EXPERIMENTS/null.yaml" --db shared.db --quiet --set camera=front
warpstudy run "$EXPERIMENTS/null.yaml" --db shared.db --quiet --set camera=inside,front --set seed=4
warpstudy query --db shared.db "SELECT scene, camera, count(DISTINCT work) AS works, count(*) AS trials FROM trial_record GROUP BY 1, 2"
warpstudy query --db shared.db "SELECT trial, collection, count(*) AS done FROM attempt GROUP BY trial, collection HAVING count(*) <> 1"
warpstudy show 1 --db shared.db | grep "^  camera"
# What fails for the first of them was not done before for the second.
WARPSTUDY_FAULT=counts:fail@1 warpstudy run "$EXPERIMENTS/null.yaml" other.yaml --db failing.db --quiet
