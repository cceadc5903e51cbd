#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# One part of each of thirteen claims of Wald 2011, recomputed from the raw rows of the database of the H100 by SQL of this file alone.
#
# usage: test_claims_raw.py WARPSTUDY
import sqlite3
import statistics
import sys

from raw_rows import claim_cases, unpacked

store = sqlite3.connect(f"file:{unpacked('wald2011')}?immutable=1", uri=True)
cases = claim_cases("wald2011", unpacked("wald2011"))

# The paper's configuration of a variant, on the scene and at the size that most claims have a case of.
USUAL = """scene = 'forest' AND camera = '' AND width = 5120 AND height = 3072 AND spp = 1 AND seed = 1 AND materials = 'lambert07' AND
           lighting = 'direct' AND light_search = 'alias' AND leaf_size = 4 AND bins = 32 AND coalesce(block, 64) = 64 AND
           coalesce(lane_map, 'linear') = 'linear' AND coalesce(pixel_order, 'tile') = 'tile' AND coalesce(loop, 'reconverged') = 'reconverged' AND
           coalesce(traversal, 'while_while') = 'while_while' AND coalesce(dummy_flops, 0) = 0 AND coalesce(shared_pad, 0) = 0 AND
           carveout IS NULL AND resident_blocks IS NULL AND coalesce(path_bytes, '88') = '88' AND coalesce(path_layout, 'aos') = 'aos' AND
           coalesce(scan, 'all') = 'all' AND coalesce(grid, 'full') = 'full' AND coalesce(storage, 'indices') = 'indices' AND
           coalesce(compact_every, 1) = 1 AND coalesce(far_first, 'no') = 'no' AND device = 'cuda' AND max_bounces = 8"""


def attempts(collection, variant, extra="1"):
    return [row[0] for row in store.execute(
        f"""SELECT a.id FROM trial_record AS t JOIN attempt AS a ON a.trial = t.id
            WHERE {USUAL} AND variant = ? AND {extra} AND a.collection = ? AND a.status = 'done' AND NOT a.superseded
            ORDER BY t.last_run, a.id""", (variant, collection))]


def counts(variant, extra="1"):
    """Of the newest: paths and warps by bounce."""
    rows = store.execute("""SELECT bounce, sum(active_paths), sum(active_warps) FROM bounce_counts WHERE attempt = ? AND bounce >= 0
                            GROUP BY bounce""", (attempts("counts", variant, extra)[-1],)).fetchall()
    return [row[1] for row in rows], [row[2] for row in rows]


def frame_seconds(variant, extra="1"):
    """All that one setting's frames may take: the median over replicates of the medians over repetitions, of each setting."""
    settings = {}
    for attempt in attempts("frame", variant, f"registers = 64 AND {extra}"):
        setting, = store.execute("SELECT setting FROM trial_record AS t JOIN attempt AS a ON a.trial = t.id WHERE a.id = ?", (attempt,)).fetchone()
        times = [row[0] for row in store.execute("SELECT host_seconds FROM repetition WHERE attempt = ?", (attempt,))]
        settings.setdefault(setting, []).append(statistics.median(times))
    return [statistics.median(times) for times in settings.values()]


def ratios(one, other):
    return [a / b for a in one for b in other]


failed = []


def check(claim, test, wanted, place="forest (fairy), 5120x3072"):
    values = [float(case["value"]) for case in cases
              if case["id"] == claim and case["test"] == test and place in case["place"] and case["value"]]
    wanted = wanted if isinstance(wanted, list) else [wanted]
    if not values or not all(any(abs(value - want) <= 1e-6 * max(1, abs(want)) for want in wanted) for value in values):
        failed.append(f"{claim} {test}: the program has {values}, raw rows give {wanted}")


naive_paths, naive_warps = counts("naive")
paths, warps = counts("whole_frame")
check("C02", "fairy", sum(naive_warps) / sum(warps))
check("C09", "difference", max(abs(a - b) for a, b in zip(naive_paths, paths)))
check("C10", "share", 100 * naive_warps[8] / naive_warps[0])
check("C11", "last", 100 * naive_paths[8] / (32 * naive_warps[8]))
check("C12", "beyond", max(w - p // 32 for p, w in zip(paths, warps)), "forest (fairy), 5120x3072, lane map linear")
check("C36", "saved", sum(naive_warps) / sum(warps))

filled = [sum(p) / (32 * sum(w)) for p, w in (counts("tiled_global", f"tile_m = {m}") for m in (1, 8))]
check("C30", "fuller", 100 * (filled[1] - filled[0]), "tiled_global, forest (fairy), 5120x3072")

naive, compacted = frame_seconds("naive"), frame_seconds("whole_frame")
check("C01", "speedup", ratios(naive, compacted))
check("C04", "slowdown", ratios(frame_seconds("tiled_shared", "tile_m = 4"), naive))
check("C07", "speed", ratios(compacted, frame_seconds("tiled_global", "tile_m = 8")))

spilled, = store.execute(
    """SELECT min(k.spill_bytes) FROM kernel_facts AS k JOIN attempt AS a ON a.id = k.attempt JOIN trial_record AS t ON t.id = a.trial
       WHERE t.variant = 'naive' AND t.registers = 64 AND t.materials = 'lambert07' AND a.collection <> 'counts' AND a.status = 'done' AND
             NOT a.superseded AND coalesce(t.traversal, 'while_while') = 'while_while' AND coalesce(t.dummy_flops, 0) = 0 AND
             t.sampler = 'counter' AND t.light_search = 'alias'""").fetchone()
check("C33", "spilled", spilled, "64 registers")

# The traversal's share of samples, lines of vector arithmetic counted half; and lanes of its instructions at bounces 0 and 1.
samples = dict(store.execute("""SELECT coalesce(f.name, ''), sum(l.samples) FROM stall_line AS l LEFT JOIN source_file AS f ON f.id = l.file
                                WHERE l.attempt = ? GROUP BY 1""", (attempts("stalls", "whole_frame", "registers = 64")[-1],)))
tracing = sum(count for file, count in samples.items() if file.startswith("trees/"))
shared = sum(samples.get(file, 0) for file in ("lib/vec.h", "lib/platform_cuda.h"))
check("C32", "share", 100 * (tracing + shared / 2) / sum(samples.values()))
check("C32", "ratio", (tracing + shared / 2) / (sum(samples.values()) - tracing - shared / 2))
check("C09", "warps", sum(warps) / sum(naive_warps))


def lanes(bounce):
    """At work in an instruction of the traversal; both marked places weigh the same."""
    threads, instructions = store.execute(
        """SELECT sum(c.thread_instructions), sum(c.instructions) FROM launch AS l
           JOIN site_count AS c ON c.attempt = l.attempt AND c.launch = l.number
           WHERE l.attempt = ? AND l.repetition = 0 AND l.bounce = ? AND NOT l.auxiliary AND c.site IN (1, 2)""",
        (attempts("counters", "whole_frame", "registers = 64")[-1], bounce)).fetchone()
    return threads / instructions


check("C17", "coherence", 100 * (1 - lanes(1) / lanes(0)))

print("\n".join(failed) or "thirteen claims agree with raw rows")
sys.exit(bool(failed))
