# Faults of an execution: an illegal address is the kernel's, too little memory may pass.
WARPSTUDY_FAULT=counts:illegal@2,frame:oom@2 \
    try warpstudy run "$EXPERIMENTS/gpu.yaml" --quiet --db illegal.db --set collect=counts,frame --device emulator 2>&1 |
    sed 's/invalid address 0x[0-9a-f]*/invalid address/; s/no [0-9]* bytes/no N bytes/'
try warpstudy query --db illegal.db "SELECT collection, status, count(*) AS n FROM attempt GROUP BY 1, 2"
# Pools that are larger than memory are named, and how to correct them; those that never have more slots than pixels are not among them.
ulimit -v 4000000 # kilobytes
run() {
    warpstudy run "$EXPERIMENTS/pipelines.yaml" --db memory.db --quiet --set width=1024 --set height=1024 --set retries=0 "$@" 2>&1 |
        grep -E '^ +[0-9]+ x|done' | sort
}
run --set spp=256 --set pool=268435456 --set next_path=queue --set variant=pool_refill,stream_compact,thread_regenerate,two_stage,three_stage
run --set spp=65536 --set accumulate=buffer --set variant=two_stage,three_stage
