# Pools that are larger than memory are named, and how to correct them; those that never have more slots than pixels are not among them.
ulimit -v 4000000 # kilobytes
run() {
    warpstudy run "$EXPERIMENTS/pipelines.yaml" --db memory.db --quiet --set width=1024 --set height=1024 --set retries=0 "$@" 2>&1 |
        grep -E '^ +[0-9]+ x|done' | sort
}
run --set spp=256 --set pool=268435456 --set next_path=queue --set variant=pool_refill,stream_compact,thread_regenerate,two_stage,three_stage
run --set spp=65536 --set accumulate=buffer --set variant=two_stage,three_stage
