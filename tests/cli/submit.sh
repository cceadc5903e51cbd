# What scripts/slurm/submit would submit, and what it refuses. Whether Slurm runs it as meant: tests/slurm/test.
submit=$ROOT/scripts/slurm/submit
try() { echo "\$ submit $*"; PATH=$path "$submit" "$@" 2>&1 | sed "s,$PWD,HERE,g; s,=[^ ]*/\(bin/\)\?warpstudy\$,=PROGRAM,; s,$EXPERIMENTS,EXPERIMENTS,g"; echo "-> ${PIPESTATUS[0]}"; }
# A machine without Slurm.
mkdir tools
for tool in bash env basename cat date dirname mkdir paste realpath sed tee warpstudy; do ln -s "$(command -v $tool)" tools/$tool; done
path=$PWD/tools
cp "$EXPERIMENTS/small.yaml" .
export WARPSTUDY_CACHE=
common=(--program tools/warpstudy --folder shared --dry-run)
try small.yaml --nodes 4 --tasks 16 --partition=long --time 2:00:00 --sbatch --account=physics "${common[@]}" -- --set seed=1,2 --label night
# A GPU each, unless a device is given.
PATH=$path "$submit" small.yaml --nodes 2 --gres gpu:h200:1 "${common[@]}" 2>&1 | grep -E "options=|exclusive|gres|CUDA"
PATH=$path "$submit" small.yaml --nodes 2 --gres gpu:1 "${common[@]}" -- --device emulator 2>&1 | grep -E "options=|exclusive|gres|CUDA"
ls -d shared 2>&1
try
try small.yaml "${common[@]}"
try small.yaml --nodes 0 "${common[@]}"
try small.yaml --nodes 2x "${common[@]}"
try small.yaml --nodes 2 --tasks 70000 "${common[@]}"
try small.yaml --nodes
try small.yaml --nodes 2 --nodse 3
try missing.yaml --nodes 2 "${common[@]}"
try "$EXPERIMENTS/bad_key.yaml" --nodes 2 "${common[@]}"
try "$EXPERIMENTS/bad_scene.yaml" --nodes 2 "${common[@]}"
try small.yaml --nodes 2 --program nothing
try small.yaml --nodes 2 "${common[@]}" --folder 'a%b'
try small.yaml --nodes 2 "${common[@]}" --into .
try small.yaml --nodes 2 "${common[@]}" -- --db other.db
try small.yaml --nodes 2 "${common[@]}" -- --shard 1/2
try small.yaml --nodes 2 "${common[@]}" -- --label
try small.yaml --nodes 2 --program tools/warpstudy
# What sbatch does instead: it numbers jobs, or refuses the second.
printf '#!/usr/bin/env bash\necho "$@" >>calls; number=$(($(wc -l <calls)))\n[ "$number" != "${REFUSED:-}" ] || { echo "sbatch: error: no such partition" >&2; exit 1; }\necho $number\n' >tools/sbatch
printf '#!/usr/bin/env bash\n[ ! -e busy ] || printf "2_1\\n2_2\\n"\n' >tools/squeue
printf '#!/usr/bin/env bash\necho "scancel $*" >>calls\n' >tools/scancel
chmod +x tools/sbatch tools/squeue tools/scancel
for tool in wc rm xargs; do ln -sf "$(command -v $tool)" tools/$tool; done
try small.yaml --nodes 2 --program tools/warpstudy --folder shared
sed "s,$PWD,HERE,g" calls
ls shared shared/round-1
bash -n shared/round-1/task.sh && bash -n shared/round-1/merge.sh && bash -n shared/round-1/prepare.sh && echo "scripts are whole"
touch busy
try small.yaml --nodes 2 --program tools/warpstudy --folder shared
rm busy calls
REFUSED=2 try small.yaml --nodes 2 --program tools/warpstudy --folder shared
tail -n 1 calls
: >file
try small.yaml --nodes 2 --program tools/warpstudy --folder file/below
