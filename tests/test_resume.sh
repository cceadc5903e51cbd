#!/bin/bash
# SPDX-License-Identifier: MIT
# Kills the coordinator (SIGKILL) at 50 random instants of two sweeps and starts it again. In the end every execution is done
# exactly once, nothing is left half-done, and every row of counts is that of an undisturbed run. Then another program holds
# the database for 8 s in the middle of a sweep, and nothing is lost.
#
# Then the same with faults of the device: workers are killed (SIGKILL) and executions run into an illegal address, in a
# sweep of 500 trials, whose coordinator is killed as well. What failed has its cause, and all else is done once.
#
# usage: test_resume.sh WARPSTUDY [KILLS [SEED [DEVICE]]]     DEVICE instead of those that the experiments name
set -u -o pipefail
program=$1 kills=${2:-50} seed=${3:-1} device=${4:+--device=$4}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
RANDOM=$seed
# By this in their environment all processes of this test are known, also those whose parent is gone.
mark=WARPSTUDY_TEST_MARK=resume.$$.$RANDOM.$(date +%N)
export "${mark?}"
export WARPSTUDY_CACHE=${WARPSTUDY_CACHE:-$work/cache}

fail() {
    echo "FAILED: $*"
    exit 1
}

# All counts, hashes and statuses, by what the trials are: not by their numbers, times or attempts, nor by what ended the
# repetitions of a device with a clock.
counts_sql="SELECT t.key, c.*, 0 AS attempt FROM trial_record t JOIN attempt a ON a.trial = t.id
    JOIN bounce_counts c ON c.attempt = a.id WHERE a.status = 'done' ORDER BY t.key, c.bounce, c.launch"
done_sql="SELECT t.key, a.collection, a.image, a.path_hash,
    CASE WHEN a.times THEN 'timed' ELSE a.stop_reason END FROM trial_record t
    JOIN attempt a ON a.trial = t.id WHERE a.status = 'done' ORDER BY t.key, a.collection"
odd_sql="SELECT trial, collection, sum(status = 'done') AS done, sum(status = 'running') AS running FROM attempt
    GROUP BY trial, collection HAVING done <> 1 OR running > 0"

facts() { # DATABASE: what must not depend on any kill
    "$program" query --db "$1" --format csv "$counts_sql" 2>"$work/query.log" |
        awk -F, -v OFS=, 'NR > 1 { $2 = "" } { print }' &&
        "$program" query --db "$1" --format csv "$done_sql" 2>"$work/query.log" ||
        fail "query: $(cat "$work/query.log")"
}

check_once() { # DATABASE
    local odd
    odd=$("$program" query --db "$1" --format csv "$odd_sql" 2>"$work/query.log") ||
        fail "query: $(cat "$work/query.log")"
    odd=$(tail -n +2 <<<"$odd")
    [ -z "$odd" ] || fail "done other than once, or left running: $(head <<<"$odd")"
}

# Processes of this test other than its own shell: the workers that outlived their coordinator.
left_over() {
    local folder pid
    for folder in /proc/[0-9]*; do
        pid=${folder#/proc/}
        [ "$pid" != $$ ] && [ "$(readlink "$folder/exe")" = "$(realpath "$program")" ] &&
            tr '\0' '\n' 2>/dev/null <"$folder/environ" | grep -qxF "$mark" && echo "$pid"
    done 2>/dev/null
}

now_ms() { echo $(($(date +%s%N) / 1000000)); }

disturb() { # EXPERIMENT KILLS
    local experiment=$1 left=$2 db=$work/disturbed.db start took rounds=0 killed=0
    start=$(now_ms)
    "$program" run "$experiment" $device --quiet --db "$work/reference.db" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
    took=$(($(now_ms) - start))
    facts "$work/reference.db" >"$work/reference.facts"
    [ "$(wc -l <"$work/reference.facts")" -gt 20 ] || fail "the reference holds nothing"
    while [ "$left" -gt 0 ]; do
        rm -f "$db" "$db"-*
        rounds=$((rounds + 1))
        while :; do
            "$program" run "$experiment" $device --quiet --db "$db" >"$work/log" 2>&1 &
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
        check_once "$db"
        facts "$db" >"$work/disturbed.facts"
        cmp "$work/reference.facts" "$work/disturbed.facts" ||
            fail "$(diff "$work/reference.facts" "$work/disturbed.facts" | head)"
    done
    echo "$(basename "$experiment"): $killed kills in $rounds sweeps of $took ms, $(wc -l <"$work/reference.facts") facts equal"
    rm -f "$work"/*.db*
}

# Holds the database for 8 s as soon as something is done. A sweep that lasts some seconds itself meets it.
hold='
import sqlite3, sys, time
connection = None
while True:
    time.sleep(0.01)
    try:
        connection = sqlite3.connect(sys.argv[1], timeout=5, isolation_level=None)
        if connection.execute("SELECT count(*) FROM attempt WHERE status = ?", ["done"]).fetchone()[0]:
            break
    except sqlite3.Error:
        pass
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
time.sleep(8)
connection.execute("ROLLBACK")
'

busy() {
    local db=$work/busy.db holder start took
    if ! python3 -c 'import sqlite3' 2>/dev/null; then
        echo "skipped: a database held by another program needs python3 with sqlite3"
        return
    fi
    timeout 60 python3 -c "$hold" "$db" >"$work/held" &
    holder=$!
    start=$(now_ms)
    "$program" run "$here/runner/resume.yaml" --set replicates=40 --quiet --db "$db" >"$work/log" 2>&1 ||
        fail "$(cat "$work/log")"
    took=$(($(now_ms) - start))
    wait $holder || fail "the database could not be held"
    [ -s "$work/held" ] && [ "$took" -gt 8000 ] || fail "the run did not meet the held database"
    grep -q 'waiting for the database, which another program holds' "$work/log" ||
        fail "no word of waiting: $(cat "$work/log")"
    check_once "$db"
    echo "$(sed -n 's/^  done *//p' "$work/log") executions done once, with the database held for 8 s"
}

# Every execution that is not done has failed of the injected fault alone, and none is left.
check_faults() { # DATABASE ALL
    local rest done
    rest=$("$program" query --db "$1" --format csv "SELECT DISTINCT a.status, a.reason FROM attempt a
        WHERE a.status NOT IN ('done', 'abandoned') AND a.reason NOT LIKE '%address%'
        AND a.reason NOT LIKE '%SIGKILL%'" 2>"$work/query.log" | tail -n +2)
    [ -z "$rest" ] || fail "other causes: $(head <<<"$rest")"
    rest=$("$program" query --db "$1" --format csv "SELECT trial, collection FROM attempt GROUP BY 1, 2
        HAVING sum(status = 'done') <> 1 AND sum(status = 'failed') <> 1 AND sum(status = 'killed') < 3" 2>"$work/query.log" | tail -n +2)
    [ -z "$rest" ] || fail "neither done nor failed: $(head <<<"$rest")"
    done=$("$program" query --db "$1" --format csv "SELECT count(DISTINCT trial || collection),
        sum(status = 'done'), sum(status IN ('failed', 'killed')) FROM attempt" 2>"$work/query.log" | tail -n +2)
    [ "${done%%,*}" -eq "$2" ] || fail "executions: $done, and $2 are wanted"
    echo "500 trials: executions, done, failed or killed: $done"
}

faults() {
    local db=$work/faults.db code=0 pid killed=0
    for round in 1 2 3 4 5 6 7 8; do
        WARPSTUDY_FAULT=frame:illegal@40 "$program" run "$here/runner/faults.yaml" $device --quiet --db "$db" \
            >"$work/log" 2>&1 &
        pid=$!
        for blow in 1 2 3; do # at workers; the last one of a round at the coordinator, too
            sleep 0.$((RANDOM % 5 + 2))
            pkill -KILL -P $pid && killed=$((killed + 1))
        done
        [ $round -lt 5 ] && kill -KILL $pid 2>/dev/null
        wait $pid 2>/dev/null
        code=$?
        [ $code -le 1 ] && break
        [ $code -eq 137 ] || fail "exit code $code: $(cat "$work/log")"
    done
    [ $code -le 1 ] || "$program" run "$here/runner/faults.yaml" $device --quiet --db "$db" >"$work/log" 2>&1
    check_faults "$db" 1000
    [ $killed -gt 0 ] || fail "no worker was there to be killed"
    rm -f "$work"/*.db*
}

disturb "$here/runner/resume.yaml" $((kills / 2))
disturb "$here/runner/resume_counts.yaml" $((kills - kills / 2))
faults
busy
for tries in 1 2 3 4 5 6 7 8 9 10; do
    [ -z "$(left_over)" ] && exit 0
    sleep 0.2 # the kernel ends them with their parent, in its own time
done
fail "processes are left: $(left_over)"
