#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Cells of each table and numbers of seven claims of Frolov and Galaktionov 2015 and of the CMU report, recomputed from the raw rows of the
# databases of the H100 by SQL of this file alone.
#
# usage: test_pools_raw.py WARPSTUDY
import math
import pathlib
import sqlite3
import statistics
import subprocess
import sys

from raw_rows import SCRATCH, claim, claim_cases, finish, rows_of, same, unpacked


class Study:
    def __init__(self, paper, usual):
        self.paper, self.usual, self.database = paper, usual, unpacked(paper)
        self.store = sqlite3.connect(f"file:{self.database}?immutable=1", uri=True)
        self.cases = claim_cases(paper, self.database)

    def table(self, name, *options):
        return rows_of("report", self.paper, name, *options, "--db", self.database)

    def attempts(self, collection, where):
        """Of each setting with these parameters, its attempts; of settings of one specification, by other rules of when to stop, of the newest."""
        settings = {}
        for setting, spec, replicate, run, trial, attempt in self.store.execute(
                f"""SELECT t.setting, t.spec, t.replicate, t.last_run, t.id, a.id FROM trial_record AS t JOIN attempt AS a ON a.trial = t.id
                    WHERE {self.usual} AND {where} AND a.collection = ? AND a.status = 'done' AND NOT a.superseded""", (collection,)):
            found = settings.setdefault(setting, {"attempts": []})
            found["attempts"].append(attempt)
            found["newest"] = max((run, trial), found.get("newest", (0, 0)))
            if replicate == 0:
                found["spec"] = spec
        newest = {}
        for found in sorted(settings.values(), key=lambda found: found["newest"]):
            newest[found["spec"]] = found["attempts"]
        return list(newest.values())

    def seconds(self, where):
        """Of a frame: the median over replicates of the medians over repetitions, of each setting."""
        return [statistics.median(statistics.median(seconds for seconds, in self.store.execute(
            "SELECT host_seconds FROM repetition WHERE attempt = ?", (attempt,))) for attempt in replicates)
            for replicates in self.attempts("frame", where)]

    def counted(self, expression, where, rows="1"):
        """A sum over the rows of bounce_counts, of the one setting."""
        (attempt,), = self.attempts("counts", where)
        return self.store.execute(f"SELECT {expression} FROM bounce_counts AS b WHERE attempt = ? AND {rows}", (attempt,)).fetchone()[0]

    def launches(self, where, which="1"):
        (attempt,), = self.attempts("counts", where)
        return self.store.execute(f"SELECT sum(1 + more) FROM launch WHERE attempt = ? AND repetition = 0 AND {which}", (attempt,)).fetchone()[0]

    def lanes(self, where):
        """Share of the lanes of warps with work: of all stages, or of one kernel."""
        totals = self.counted("1.0 * sum(live_lanes) / nullif(32 * sum(live_warps), 0)", where, "bounce < 0")
        return totals or self.counted("1.0 * sum(active_paths) / (32 * sum(active_warps))", where, "bounce >= 0")


def row_of(rows, **wanted):
    found = [row for row in rows if all(row[key].startswith(value) for key, value in wanted.items())]
    if not found:
        sys.exit(f"no row with {wanted}")
    return found[0]


# ---- Frolov and Galaktionov

frolov = Study("frolov2015", """width = 1920 AND height = 1152 AND seed = 1 AND roulette = 'none' AND materials = 'scene' AND lighting = 'direct' AND
    camera = '' AND device = 'cuda' AND registers IS NULL AND coalesce(dead_share, 0) = 0""")
PIXELS = 1920 * 1152
POOL = "variant = 'pool_refill' AND spp = 2 AND pool = 1179648"
TILES = """variant = 'tile_regenerate' AND spp = 2 AND pool = 1179648 AND tile_slots = '256' AND tile_order = 'depth' AND regenerate_every = 2 AND
    regenerate_above = 50 AND regenerate_of = 'live'"""
STREAM = "variant = 'stream_compact' AND spp = 2 AND pool = 1179648"
# the one setting of a curve
IN_PLACE, BY_FOUR = f"{TILES} AND trace_compaction = 'no'", f"{STREAM} AND compact_every = 4 AND storage = 'indices'"
# all settings that compete for the fastest
ANY_TILES = "variant = 'tile_regenerate' AND spp = 2 AND pool = 1179648"

depths = frolov.table("depths")
for scene, depth in (("arch", 8), ("glass", 32), ("mirror_corridor", 64), ("cornell", 32)):
    at = f"scene = '{scene}' AND max_bounces = {depth}"
    row = row_of(depths, scene=scene, depth=str(depth))
    none, = frolov.seconds(f"{POOL} AND {at}")
    (tiles,), (stream,) = frolov.seconds(f"{IN_PLACE} AND {at}"), frolov.seconds(f"{BY_FOUR} AND {at}")
    same(f"depths, {scene}, none", row["none"], 2e-6 * PIXELS / none)
    same(f"depths, {scene}, in place", row["tiles"], 2e-6 * PIXELS / tiles)
    same(f"depths, {scene}, streaming", row["stream"], 2e-6 * PIXELS / stream)
    same(f"depths, {scene}, gain in place", row["tiles_gain"], none / tiles)
    same(f"depths, {scene}, gain of streaming", row["stream_gain"], none / stream)
    same(f"depths, {scene}, in place, fastest", row["tiles_best"], 2e-6 * PIXELS / min(frolov.seconds(f"{ANY_TILES} AND {at}")))
    if row["stream_best"]:
        same(f"depths, {scene}, streaming, fastest", row["stream_best"], 2e-6 * PIXELS / min(frolov.seconds(f"{STREAM} AND {at}")))
    same(f"depths, {scene}, launches", row["none_launches"], frolov.launches(f"{POOL} AND {at}"))
    same(f"depths, {scene}, lanes", row["none_lanes"], frolov.lanes(f"{POOL} AND {at}"))

DEEP = "scene = 'glass' AND max_bounces = 32"
KERNEL = f"variant = 'naive' AND block = 256 AND spp = 2 AND {DEEP}"
row = row_of(frolov.table("pool"), scene_for="T4: glass", rate_trials="")
pooled, = frolov.seconds(f"{POOL} AND {DEEP}")
kernel, = frolov.seconds(KERNEL)
same("pool, glass, rate", row["rate"], 2e-6 * PIXELS / pooled)
same("pool, glass, over one kernel", row["speedup"], kernel / pooled)
same("pool, glass, lanes of one kernel", row["naive_lanes"], frolov.lanes(KERNEL))
same("pool, glass, extensions", row["extensions"], frolov.counted(
    "1.0 * sum(active_paths) / sum(iif(bounce = 0, active_paths, 0))", f"{POOL} AND {DEEP}", "bounce >= 0"))
parts = [row for row in frolov.table("parts") if row["scene"] == "glass"]
same("parts, glass, one kernel alone", row_of(parts, line="naive")["total"], 100)
same("parts, glass, majority_state", row_of(parts, line="majority_state")["total"],
     100 * min(frolov.seconds(f"variant = 'majority_state' AND spp = 4 AND {DEEP}")) / min(frolov.seconds(f"variant = 'naive' AND spp = 4 AND {DEEP}")))

frolov.usual = frolov.usual.replace("roulette = 'none'", "roulette = 'block'")
PASSES = "variant = 'tile_regenerate' AND pool = 262144 AND scene = 'arch' AND max_bounces = 64"
sorted_, by_rows = (frolov.launches(f"{PASSES} AND spp = 4 AND tile_order = '{order}'") for order in ("depth", "rows"))
first = frolov.launches(f"{PASSES} AND spp = 1 AND tile_order = 'rows'")
claim(frolov, "C01", "saved", "T3, arch, roulette by block, pool of 1024 tiles, depth 64", (by_rows - sorted_) / (by_rows - first))
at = "scene = 'arch' AND max_bounces = 32"
none, = frolov.seconds(f"{POOL} AND {at}")
tile, = frolov.seconds(f"{IN_PLACE} AND {at}")
stream, = frolov.seconds(f"{BY_FOUR} AND {at}")
gains = []
for depth in (32, 64):
    refilled, = frolov.seconds(f"{POOL} AND scene = 'arch' AND max_bounces = {depth}")
    gains += [refilled / other for other in frolov.seconds(f"{IN_PLACE} AND scene = 'arch' AND max_bounces = {depth}")]
claim(frolov, "C07", "best_gain", "largest above depth 20: in place, T3, arch, roulette by block, pool of 1179648 slots", max(gains))
row = next(row for row in depths if row["scene"] == "arch" and row["depth"] == "32" and row["work"].endswith("roulette block"))
same("depths, arch, roulette by block, gain of streaming", row["stream_gain"], none / stream)
frolov.usual = frolov.usual.replace("roulette = 'block'", "roulette = 'none'")
at = "scene = 'glass' AND max_bounces = 8"
none, = frolov.seconds(f"{POOL} AND {at}")
tile, = frolov.seconds(f"{TILES} AND {at} AND trace_compaction = 'no'")
claim(frolov, "C07", "gain_at_8", "in place, T4, glass, pool", none / tile)
claim(frolov, "C08", "in_place", "in place, T4, glass, pool of 1179648 slots", none / tile)
warps = "SELECT sum(b.live_warps) FROM bounce_counts AS b JOIN launch AS l ON l.attempt = b.attempt AND l.number = b.launch WHERE b.attempt = ?"
sectors = []
for where in (f"{STREAM} AND storage = 'indices' AND compact_every = 4 AND {DEEP}", f"{TILES} AND trace_compaction = 'no' AND {DEEP}"):
    attempt = frolov.attempts("counts", where)[0][0]
    traced, = frolov.store.execute(f"{warps} AND l.stage = 'trace' AND b.bounce < 0 AND l.repetition = 0", (attempt,)).fetchone()
    slots = 1179648  # of the first round, in order
    sectors.append((frolov.counted("sum(slot_sectors)", where, "bounce < 0") - slots / 8) / (traced - slots / 32))
claim(frolov, "C17", "sectors", "T4, glass, pool of 1179648 slots, depth 32", sectors[0] / sectors[1])

# ---- CMU report

cmu = Study("cmu2023", """width = 1600 AND height = 900 AND seed = 1 AND max_bounces = 7 AND lighting = 'mix' AND roulette = 'yocto' AND
    camera = '' AND device = 'cuda' AND registers IS NULL AND coalesce(extend_over, 'slots') = 'slots' AND coalesce(ray_sort, 'none') = 'none' AND
    coalesce(pool_order, 'sequential') = 'sequential' AND coalesce(accumulate, 'atomic') = 'atomic' AND pool IS NULL AND
    coalesce(queues, 'material') = 'material' AND tree = 'binary' AND coalesce(tickets, 'atomic') = 'atomic'""")


def variant(name, scene, spp=32, batch="batch IS NULL", rounds=8):
    return f"variant = '{name}' AND scene = '{scene}' AND spp = {spp} AND {batch} AND coalesce(exact_rounds, {rounds}) = {rounds}"


times, stages = cmu.table("table2"), cmu.table("stages")
tables = {"table1": cmu.table("table1")}
for scene in ("cabin", "balloons", "interior"):
    row = row_of(times, scene_for=scene)
    mega, = cmu.seconds(variant("naive", scene))
    wave, = cmu.seconds(variant("two_stage", scene))
    three, = cmu.seconds(variant("three_stage", scene))
    same(f"table1, {scene}", row_of(tables["table1"], scene_for=scene)["cuda"], mega / 32)
    same(f"table2, {scene}, one kernel", row["mega"], mega / 32)
    same(f"table2, {scene}, two stages", row["wave2"], wave / 32)
    same(f"table2, {scene}, three stages", row["wave3"], three / 32)
    row = row_of(stages, scene_for=scene)
    same(f"stages, {scene}, launches", row["launches"], cmu.launches(variant("two_stage", scene)))
    same(f"stages, {scene}, lanes", row["wave3_lanes"], cmu.lanes(variant("three_stage", scene)))
    same(f"stages, {scene}, extensions", row["extensions"],
         cmu.counted("1.0 * sum(active_paths) / sum(iif(bounce = 0, active_paths, 0))", variant("two_stage", scene), "bounce >= 0"))
    claim(cmu, "C01", "gain", f"{scene} (", mega / wave)

row = row_of(cmu.table("table4"), line="materials")
few, = cmu.seconds(variant("two_stage", "materials", 256, "batch = 4"))
all_at_once, = cmu.seconds(variant("two_stage", "materials", 256, "coalesce(batch, 256) = 256"))
same("table4, batch of 4", row["batch_4"], few / 256)
same("table4, slower", row["slower"], few / all_at_once)
claim(cmu, "C05", "slower", "materials", few / all_at_once)

row = row_of(cmu.table("choices", "--all"), line="interior (not the report's), three_stage: tickets atomic, queues matte")
usual = cmu.usual
cmu.usual = usual.replace("coalesce(queues, 'material') = 'material'", "queues = 'matte'")
matte, = cmu.seconds(variant("three_stage", "interior"))
same("choices, matte, atomics", row["atomics"], cmu.counted("sum(atomics)", variant("three_stage", "interior"), "bounce < 0"))
cmu.usual = usual
same("choices, matte", row["time"], matte / 32)
same("choices, matte, speedup", row["speedup"], cmu.seconds(variant("three_stage", "interior"))[0] / matte)

rows = cmu.table("timeline_stages")
cmu.usual = usual.replace("width = 1600 AND height = 900", "width = 1280 AND height = 720")
for name in ("naive", "two_stage"):
    (attempt,), = cmu.attempts("timeline", variant(name, "interior", 4, rounds=64))
    length, = cmu.store.execute("SELECT max(start + nanoseconds) FROM timeline_launch WHERE attempt = ?", (attempt,)).fetchone()
    lanes, = cmu.store.execute("SELECT 1.0 * sum(thread_instructions) / (32 * sum(instructions)) FROM timeline_sample WHERE attempt = ?",
                               (attempt,)).fetchone()
    row = next(row for row in rows if row["line"].startswith(name + ("" if name == "naive" else ",")) and row["line"].endswith(": frame"))
    same(f"timeline, {name}, time", row["time"], length / 1e6)
    same(f"timeline, {name}, lanes", row["lane_util"], lanes)

# Counters stand in trials of their own, of another policy than the frames beside which the claim has them.
trees = Study("cmu2023", "variant = 'naive' AND width = 1600 AND spp = 2")
for scene in ("open", "washroom"):
    misses = {}
    for tree in ("binary", "wide"):
        ((attempt,),) = trees.attempts("counters", f"scene = '{scene}' AND tree = '{tree}' AND node_align = 16")
        misses[tree], = trees.store.execute("""SELECT v.value FROM metric_value AS v JOIN metric_name AS n ON n.id = v.metric
            WHERE v.attempt = ? AND v.launch = -1 AND n.name = 'load_misses'""", (attempt,)).fetchone()
    claim(trees, "C23", "missed", f"{scene} (not the report's), naive", misses["wide"] / misses["binary"])

# ---- single replicates that max_seconds ended

thesis = sqlite3.connect(f"file:{unpacked('volpt2018')}?immutable=1", uri=True)
single = dict(thesis.execute("""SELECT t.setting, max(a.stop_reason) FROM trial_record AS t JOIN attempt AS a ON a.trial = t.id AND a.collection = 'frame'
    WHERE a.status = 'done' AND NOT a.superseded AND a.times GROUP BY t.setting HAVING count(*) = 1"""))
ended = {setting for setting, reason in single.items() if reason == "max_seconds"}
flagged = {row["setting"] for row in rows_of("query", "SELECT setting FROM frame_quality WHERE flags LIKE '%wide_interval%'", "--db",
                                             unpacked("volpt2018"))} & set(single)
same("single replicates with a wide interval", str(len(ended & flagged)), len(ended))
same("no other single replicates", str(len(flagged)), len(ended))

# ---- the same frames on two GPUs

BOTH = pathlib.Path(SCRATCH.name) / "both.db"
subprocess.run([sys.argv[1], "merge", unpacked("frolov2015"), unpacked("frolov2015", "h200"), "--into", BOTH], check=True, capture_output=True)
both = sqlite3.connect(f"file:{BOTH}?immutable=1", uri=True)
doubled = both.execute("SELECT count(*) FROM (SELECT 1 FROM trial_record GROUP BY setting HAVING count(*) > count(DISTINCT spec))").fetchone()[0]
if doubled:
    sys.exit(f"merged, {doubled} settings have a replicate twice")
frames = {}
for row in rows_of("report", "findings", "cases", "--db", BOTH):
    for trial in row["speed_trials"].split(", "):
        frames.setdefault(row["device_name"], set()).update(both.execute(
            "SELECT width, height, spp, max_bounces, roulette, block FROM trial_record WHERE id = ?", (trial,)))
if not frames or any(len(settings) > 1 for settings in frames.values()):
    sys.exit(f"findings, cases: scenes do not share one setting: {frames}")
cases = [row for row in rows_of("report", "findings", "gpu_cases", "--db", BOTH) if row["device"] == "cuda"]
for row in cases[::7]:
    seconds, moved = {}, set()
    for trial in row["ratio_trials"].split(", "):
        for device, attempt in both.execute("""SELECT t.device_name, a.id FROM trial_record AS t JOIN attempt AS a ON a.trial = t.id
                                               WHERE t.id = ? AND a.collection = 'frame' AND a.status = 'done' AND NOT a.superseded""", (trial,)):
            repetitions = [time for time, in both.execute("SELECT host_seconds FROM repetition WHERE attempt = ?", (attempt,))]
            seconds.setdefault(device, []).append(statistics.median(repetitions))
        moved |= {share for share, in both.execute("""SELECT 1.0 * sum(iif(b.bounce < 0, b.moved_bytes, 0)) / sum(iif(b.bounce >= 0, b.active_paths, 0))
            FROM attempt AS a JOIN bounce_counts AS b ON b.attempt = a.id WHERE a.trial = ? AND a.collection = 'counts' GROUP BY a.id""", (trial,)) if share}
    first, second = (statistics.median(seconds[device]) for device in ("NVIDIA H100 80GB HBM3", "NVIDIA H200"))
    same(f"gpu_cases, {row['line']}, trials {row['ratio_trials']}", row["ratio"], first / second)
    if row["moved"] and moved:
        same(f"gpu_cases, {row['line']}, moved", row["moved"], moved.pop())
if len(cases) < 400:
    sys.exit(f"gpu_cases: {len(cases)} rows alone")

finish()
