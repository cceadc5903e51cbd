#!/bin/bash
# SPDX-License-Identifier: MIT
# Kills the coordinator (SIGKILL) at 50 random instants of two sweeps and starts it again. In the end every execution is done
# exactly once, nothing is left half-done, and every row of counts is that of an undisturbed run.
#
# usage: test_resume.sh WARPSTUDY [KILLS [SEED]]
set -u
program=$1 kills=${2:-50} seed=${3:-1}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
RANDOM=$seed
export WARPSTUDY_CACHE=${WARPSTUDY_CACHE:-$work/cache}

fail() {
    echo "FAILED: $*"
    exit 1
}

# All counts, hashes and statuses, by what the trials are: not by their numbers, times or attempts.
counts_sql="SELECT t.key, c.*, 0 AS attempt FROM trial_record t JOIN attempt a ON a.trial = t.id
    JOIN bounce_counts c ON c.attempt = a.id WHERE a.status = 'done' ORDER BY t.key, c.bounce, c.launch"
done_sql="SELECT t.key, a.collection, a.image, a.path_hash, a.stop_reason FROM trial_record t
    JOIN attempt a ON a.trial = t.id WHERE a.status = 'done' ORDER BY t.key, a.collection"
odd_sql="SELECT trial, collection, sum(status = 'done') AS done, sum(status = 'running') AS running FROM attempt
    GROUP BY trial, collection HAVING done <> 1 OR running > 0"

facts() { # DATABASE: what must not depend on any kill
    "$program" query --db "$1" --format csv "$counts_sql" 2>&1 | awk -F, -v OFS=, 'NR > 1 { $2 = "" } { print }'
    "$program" query --db "$1" --format csv "$done_sql" 2>&1
}

now_ms() { echo $(($(date +%s%N) / 1000000)); }

disturb() { # EXPERIMENT KILLS
    local experiment=$1 left=$2 db=$work/disturbed.db start took rounds=0 killed=0
    start=$(now_ms)
    "$program" run "$experiment" --quiet --db "$work/reference.db" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
    took=$(($(now_ms) - start))
    facts "$work/reference.db" >"$work/reference.facts"
    [ "$(wc -l <"$work/reference.facts")" -gt 20 ] || fail "the reference holds nothing"
    while [ "$left" -gt 0 ]; do
        rm -f "$db" "$db"-*
        rounds=$((rounds + 1))
        while :; do
            "$program" run "$experiment" --quiet --db "$db" >"$work/log" 2>&1 &
            local pid=$! delay=$((RANDOM % (took / 4 + 1)))
            if [ "$left" -gt 0 ]; then
                sleep "$(printf '0.%03d' $((delay % 1000)))"
                if kill -KILL $pid 2>/dev/null; then
                    killed=$((killed + 1))
                    left=$((left - 1))
                fi
            fi
            wait $pid 2>/dev/null
            local code=$?
            [ $code -eq 0 ] && break
            [ $code -eq 137 ] || fail "exit code $code: $(cat "$work/log")"
        done
        [ -z "$("$program" query --db "$db" --format csv "$odd_sql" 2>/dev/null | tail -n +2)" ] ||
            fail "done other than once, or left running: $("$program" query --db "$db" "$odd_sql" | head)"
        facts "$db" >"$work/disturbed.facts"
        cmp "$work/reference.facts" "$work/disturbed.facts" ||
            fail "$(diff "$work/reference.facts" "$work/disturbed.facts" | head)"
    done
    echo "$(basename "$experiment"): $killed kills in $rounds sweeps of $took ms, $(wc -l <"$work/reference.facts") facts equal"
    rm -f "$work"/*.db*
}

disturb "$here/runner/resume.yaml" $((kills / 2))
disturb "$here/runner/resume_counts.yaml" $((kills - kills / 2))
pgrep -P $$ >/dev/null && fail "a process is left"
exit 0
