#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What must be true of a database however its runs were disturbed, from its raw rows and by SQL of this file alone: each execution was
done once, nothing half-done is left, and everything counted equals that of an undisturbed run.

usage: tests/contracts.py REFERENCE.db DATABASE.db"""
import sqlite3
import sys

# Of a done attempt: what its trial, the collection and the program decide, and no clock.
RESULTS = """SELECT t.key, a.collection, a.image, a.path_hash, a.counts_digest, iif(a.times, 'timed', a.stop_reason)
    FROM trial_record AS t JOIN attempt AS a ON a.trial = t.id WHERE a.status = 'done' AND NOT a.superseded ORDER BY 1, 2"""
COUNTED = ("bounce_counts", "lockstep", "entry_lanes", "kernel_facts", "site_count", "launch")
OF_CLOCKS = {"attempt", "seconds"}  # and numbers of attempts, which follow from the order
RAW = COUNTED + ("repetition", "condition", "launch_time", "metric_value", "stall", "stall_line", "timeline_sample", "timeline_launch", "film")


def open_database(path):
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=30)


def rows(store, sql):
    return store.execute(sql).fetchall()


def counted(store, table):
    """Its rows in an order of their own, with names for numbers that are given as names come up."""
    columns = [name for _, name, *_ in rows(store, f"PRAGMA table_info({table})") if name not in OF_CLOCKS]
    shown = ", ".join("(SELECT name FROM kernel AS k WHERE k.id = r.kernel)" if name == "kernel" else f"r.\"{name}\"" for name in columns)
    where = " AND r.repetition = 0" if "repetition" in columns else ""
    return sorted(rows(store, f"""SELECT t.key, a.collection, {shown} FROM {table} AS r JOIN attempt AS a ON a.id = r.attempt
        JOIN trial_record AS t ON t.id = a.trial WHERE a.status = 'done' AND NOT a.superseded{where}"""), key=repr)


def facts(path):
    """Of each table what must not depend on any trouble."""
    store = open_database(path)
    found = {"results": rows(store, RESULTS), **{table: counted(store, table) for table in COUNTED}}
    store.close()
    return found


def differences(reference, found):
    """Sentences, none where all is equal."""
    told = []
    for table, wanted in reference.items():
        if found[table] != wanted:
            there, here = set(wanted), set(found[table])
            example = next(iter(sorted(there ^ here, key=repr)), "rows that stand there twice")
            told.append(f"{table}: {len(there - here)} rows are missing and {len(here - there)} are new, such as {str(example)[:300]}")
    return told


def times_done(path):
    """{(key of the trial, collection): how often it was done}"""
    store = open_database(path)
    found = {(key, kind): times for key, kind, times in rows(store, """SELECT t.key, a.collection, count(*) FROM attempt AS a
        JOIN trial_record AS t ON t.id = a.trial WHERE a.status = 'done' GROUP BY 1, 2""")}
    store.close()
    return found


def sound(path):
    """Sentences about what is wrong with the file itself, or half-done in it."""
    store, told = open_database(path), []
    told += [f"integrity_check: {text}" for text, in rows(store, "PRAGMA integrity_check") if text != "ok"]
    told += [f"foreign_key_check: {row}" for row in rows(store, "PRAGMA foreign_key_check")[:5]]
    told += [f"attempt {number} is left running" for number, in rows(store, "SELECT id FROM attempt WHERE status = 'running' LIMIT 5")]
    told += [f"attempt {number} {status} without a cause" for number, status in rows(
        store, "SELECT id, status FROM attempt WHERE status <> 'done' AND coalesce(reason, '') = '' LIMIT 5")]
    for table in RAW:
        told += [f"{table} has rows of attempt {number}, which is {status}" for number, status in rows(
            store, f"SELECT DISTINCT a.id, a.status FROM {table} AS r JOIN attempt AS a ON a.id = r.attempt WHERE a.status <> 'done' LIMIT 5")]
    store.close()
    return told


def main():
    if len(sys.argv) != 3:
        sys.exit(print(__doc__) or 2)
    reference, path = sys.argv[1:]
    wanted, done = facts(reference), times_done(path)
    lost = len(times_done(reference).keys() - done.keys())
    doubled = sum(times > 1 for times in done.values())
    told = sound(path) + differences(wanted, facts(path))
    print("\n".join([*told, f"{len(done)} executions, {lost} lost, {doubled} done twice; {sum(map(len, wanted.values()))} rows compared, "
                            f"{'all equal' if not told else 'not equal'}"]))
    sys.exit(bool(told or lost or doubled))


if __name__ == "__main__":
    main()
