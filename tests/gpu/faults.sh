# SPDX-License-Identifier: MIT
# An illegal address and memory that runs out, on the GPU: each ends one attempt with its cause stored, and the sweep goes on.
failed=0
inject() { # FAULT WORDS-IN-THE-REASON
    rm -f fault.db
    WARPSTUDY_FAULT="frame:$1@3" "$WARPSTUDY" run "$HERE/overhead.yaml" --device cuda --db fault.db --quiet --set retries=1 >log 2>&1
    reason=$("$WARPSTUDY" query --db fault.db --format csv "SELECT reason FROM attempt WHERE status IN ('failed', 'killed')" | sed -n 2p)
    counts=$("$WARPSTUDY" query --db fault.db --format csv "SELECT (SELECT count(*) FROM trial), (SELECT count(DISTINCT trial) FROM attempt
        WHERE status = 'done'), (SELECT count(*) FROM attempt WHERE status = 'running')" | tail -1)
    echo "$1: $counts (trials, done, left running): $reason"
    [[ "$reason" == *$2* ]] && [ "$counts" = 100,100,0 ] || { tail log; failed=1; }
}
inject illegal ILLEGAL_ADDRESS
inject oom OUT_OF_MEMORY
inject crash SIGABRT
exit $failed
