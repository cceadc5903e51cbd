#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What must be true of a database however its runs were disturbed, from its raw rows and by SQL of this file alone: each execution was
done once, nothing half-done is left, and everything counted equals that of an undisturbed run.

usage: tests/contracts.py REFERENCE.db DATABASE.db"""
import contextlib
import sqlite3
import sys

# Of a done attempt: what its trial, the collection and the program decide, and no clock.
RESULTS = """SELECT t.key, a.collection, a.image, a.path_hash, a.counts_digest, iif(a.times, 'timed', a.stop_reason)
    FROM trial_record AS t JOIN attempt AS a ON a.trial = t.id WHERE a.status = 'done' AND NOT a.superseded ORDER BY 1, 2"""
COUNTED = ("bounce_counts", "lockstep", "entry_lanes", "kernel_facts", "site_count", "launch")
OF_CLOCKS = {"attempt", "seconds"}  # and numbers of attempts, which follow from the order
RAW = COUNTED + ("repetition", "condition", "launch_time", "metric_value", "stall", "stall_line", "timeline_sample", "timeline_launch", "film")


def reading(path):
    """A connection for `with`, closed at its end: one that is left open would keep the program from closing the file's log."""
    return contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=30))


def rows(store, sql, *values):
    return store.execute(sql, values).fetchall()


def counted(store, table):
    """Its rows in an order of their own, with names for numbers that are given as names come up."""
    columns = [name for _, name, *_ in rows(store, f"PRAGMA table_info({table})") if name not in OF_CLOCKS]
    shown = ", ".join("(SELECT name FROM kernel AS k WHERE k.id = r.kernel)" if name == "kernel" else f"r.\"{name}\"" for name in columns)
    where = " AND r.repetition = 0" if "repetition" in columns else ""
    return sorted(rows(store, f"""SELECT t.key, a.collection, {shown} FROM {table} AS r JOIN attempt AS a ON a.id = r.attempt
        JOIN trial_record AS t ON t.id = a.trial WHERE a.status = 'done' AND NOT a.superseded{where}"""), key=repr)


def facts(path):
    """Of each table what must not depend on any trouble."""
    with reading(path) as store:
        return {"results": rows(store, RESULTS), **{table: counted(store, table) for table in COUNTED}}


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
    with reading(path) as store:
        return {(key, kind): times for key, kind, times in rows(store, """SELECT t.key, a.collection, count(*) FROM attempt AS a
            JOIN trial_record AS t ON t.id = a.trial WHERE a.status = 'done' GROUP BY 1, 2""")}


def attempts(path):
    with reading(path) as store:
        return rows(store, "SELECT count(*) FROM attempt")[0][0]


def sound(path):
    """Sentences about what is wrong with the file itself, or half-done in it."""
    with reading(path) as store:
        told = [f"integrity_check: {text}" for text, in rows(store, "PRAGMA integrity_check") if text != "ok"]
        told += [f"foreign_key_check: {row}" for row in rows(store, "PRAGMA foreign_key_check")[:5]]
        told += [f"attempt {number} is left running" for number, in rows(store, "SELECT id FROM attempt WHERE status = 'running' LIMIT 5")]
        told += [f"attempt {number} {status} without a cause" for number, status in rows(
            store, "SELECT id, status FROM attempt WHERE status <> 'done' AND coalesce(reason, '') = '' LIMIT 5")]
        for table in RAW:
            told += [f"{table} has rows of attempt {number}, which is {status}" for number, status in rows(
                store, f"SELECT DISTINCT a.id, a.status FROM {table} AS r JOIN attempt AS a ON a.id = r.attempt WHERE a.status <> 'done' LIMIT 5")]
    return told


# ---- what docs/architecture.md promises, as far as a database can show it

PROMISES = {
    "equal work has one image, one path hash and one set of counts": """SELECT t.work, count(DISTINCT a.image), count(DISTINCT a.path_hash),
        count(DISTINCT a.counts_digest) FROM trial_record AS t JOIN attempt AS a ON a.trial = t.id WHERE a.status = 'done'
        GROUP BY t.work HAVING count(DISTINCT a.image) > 1 OR count(DISTINCT a.path_hash) > 1 OR count(DISTINCT a.counts_digest) > 1""",
    "what counts is no build that is timed": """SELECT c.id, f.id FROM attempt AS c JOIN attempt AS f ON f.provenance_text = c.provenance_text
        WHERE c.status = 'done' AND f.status = 'done' AND c.collection = 'counts' AND f.collection <> 'counts'
        AND c.device_name <> 'null' LIMIT 5""",
    "counts belong to executions that only count": """SELECT DISTINCT a.id, a.collection FROM attempt AS a JOIN bounce_counts AS b ON b.attempt = a.id
        WHERE a.collection <> 'counts'""",
    "every result has its raw rows": """SELECT id, collection FROM attempt AS a WHERE status = 'done' AND
        (NOT EXISTS (SELECT 1 FROM repetition WHERE attempt = a.id) OR
         (collection = 'launches' AND NOT EXISTS (SELECT 1 FROM launch WHERE attempt = a.id)) OR
         (collection = 'counts' AND NOT EXISTS (SELECT 1 FROM bounce_counts WHERE attempt = a.id) AND
          (SELECT estimator FROM trial_record WHERE id = a.trial) <> 'nothing'))""",
    "every trial was asked for by a run, and the run's experiment is kept": """SELECT t.id FROM trial_record AS t WHERE NOT EXISTS (SELECT 1
        FROM run_trial AS l JOIN run AS r ON r.id = l.run JOIN experiment AS e ON e.id = r.experiment WHERE l.trial = t.id AND e.text <> '')""",
    "each pixel begins as many paths as it has samples": """SELECT t.id, sum(b.active_paths) FROM trial_record AS t JOIN attempt AS a ON a.trial = t.id
        JOIN bounce_counts AS b ON b.attempt = a.id WHERE a.status = 'done' AND b.bounce = 0 AND t.estimator = 'surface'
        GROUP BY a.id HAVING sum(b.active_paths) <> t.width * t.height * t.spp""",
    "each path over surfaces ends once": """SELECT t.id FROM trial_record AS t JOIN attempt AS a ON a.trial = t.id
        JOIN bounce_counts AS b ON b.attempt = a.id WHERE a.status = 'done' AND b.bounce >= 0 AND t.estimator = 'surface'
        GROUP BY a.id HAVING sum(b.deaths_miss + b.deaths_depth + b.deaths_absorb + b.deaths_roulette) <> t.width * t.height * t.spp""",
    "a duration is no difference of clock times": """SELECT attempt, host_seconds FROM repetition WHERE host_seconds < 0 OR host_seconds > 60
        UNION ALL SELECT id, prepare_seconds FROM attempt WHERE prepare_seconds < 0 OR prepare_seconds > 60""",
}


def promises(path):
    """Sentences about those that the database breaks."""
    with reading(path) as store:
        return [f"broken: {what}: {found[:3]}" for what, found in ((what, rows(store, sql)) for what, sql in PROMISES.items()) if found]


SAMPLES = """SELECT coalesce(sum(b.active_paths) FILTER (WHERE b.bounce = ?), 0), coalesce(sum(b.active_warps) FILTER (WHERE b.bounce = ?), 0),
    count(*) FROM bounce_counts AS b JOIN attempt AS a ON a.id = b.attempt WHERE a.trial = ? AND a.status = 'done' AND NOT a.superseded"""
COLUMNS = {"active_paths": 0, "naive_warps": 1, "compacted_warps": 1}  # of Table 2 those that are sums of one of SAMPLES


def traced(path, cells):
    """How many cells of Table 2 (rows of the report's CSV) were traced to raw rows, and sentences about those that cannot be."""
    told, number = [], 0
    with reading(path) as store:
        for row in cells:
            bounce = int(row["bounce"])
            for name in [name for name, value in row.items() if value and f"{name}_trials" in row]:
                number += 1
                trials = [int(text) for text in row[f"{name}_trials"].split(",") if text.strip()]
                raw = [rows(store, SAMPLES, bounce, bounce, trial)[0] for trial in trials]
                unlike = name in COLUMNS and any(float(row[name]) != sums[COLUMNS[name]] for sums in raw)
                if not trials or unlike or any(not samples for *_, samples in raw):
                    told.append(f"cell {name} of bounce {bounce} is {row[name]}, and its trials {trials} have {raw}")
    return number, told


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
