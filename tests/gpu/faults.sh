# SPDX-License-Identifier: MIT
# An illegal address, memory that runs out, a crash and a hang, on the GPU: each ends one attempt with its cause stored, and
# the sweep goes on. Each new worker does it again with its third execution.
failed=0
inject() { # FAULT WORDS-IN-THE-REASON TRIALS [MORE OPTIONS OF RUN]
    local fault=$1 words=$2 trials=$3
    shift 3
    rm -f fault.db
    WARPSTUDY_FAULT="frame:$fault@3" "$WARPSTUDY" run "$HERE/overhead.yaml" --device cuda --db fault.db --quiet --set retries=1 "$@" >log 2>&1
    reason=$("$WARPSTUDY" query --db fault.db --format csv "SELECT reason FROM attempt WHERE status IN ('failed', 'killed', 'timeout')" | sed -n 2p)
    counts=$("$WARPSTUDY" query --db fault.db --format csv "SELECT (SELECT count(*) FROM trial), (SELECT count(DISTINCT trial) FROM attempt
        WHERE status = 'done'), (SELECT count(*) FROM attempt WHERE status = 'running')" | tail -1)
    echo "$fault: $counts (trials, done, left running): $reason"
    [[ "$reason" == *"$words"* ]] && [ "$counts" = "$trials,$trials,0" ] || { tail log; failed=1; }
}
inject illegal ILLEGAL_ADDRESS 100
inject oom OUT_OF_MEMORY 100
inject crash SIGABRT 100
inject hang "time limit" 20 --set replicates=1 --set time_limit=5
exit $failed
