#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Numbers of claims and tables of the chapter on a kd-tree, recomputed from raw rows by SQL of this file alone: of a small study on the emulator, made here, and of
# the database of the H100.
#
# usage: test_kdtree_raw.py WARPSTUDY
import pathlib
import sqlite3
import tempfile

from raw_rows import ROOT, claim, claim_cases, finish, program, rows_of, same, unpacked


class Study:
    def __init__(self, database):
        self.database = database
        self.store = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
        self.cases = claim_cases("kdtree2015", database)

    def attempt(self, collection, where):
        """The one attempt of that collection with these parameters; None without any."""
        found = self.store.execute(
            f"""SELECT a.id FROM trial_record AS t JOIN attempt AS a ON a.trial = t.id
                WHERE t.variant = 'naive' AND t.replicate = 0 AND {where} AND a.collection = ? AND a.status = 'done' AND NOT a.superseded""", (collection,)).fetchall()
        return found[0][0] if len(found) == 1 else None

    def counted(self, expression, where, rows="b.bounce >= 0"):
        """A quotient of sums over the rows of bounce_counts and, beside each, of lockstep."""
        return self.store.execute(
            f"""SELECT {expression} FROM bounce_counts AS b LEFT JOIN lockstep AS l ON l.attempt = b.attempt AND l.bounce = b.bounce AND l.launch = b.launch AND l.kind = 0
                WHERE b.attempt = ? AND {rows}""", (self.attempt("counts", where),)).fetchone()[0]

    def hardware(self, metric, where):
        row = self.store.execute(
            "SELECT v.value FROM metric_value AS v JOIN metric_name AS n ON n.id = v.metric WHERE v.attempt = ? AND v.launch = -1 AND n.name = ?",
            (self.attempt("counters", where), metric)).fetchone()
        return row and row[0]


PLAIN = "kd_order = 'depth' AND kd_step = 'xor' AND kd_stack = 'index' AND triangle_test = 'watertight' AND pixel_order = 'tile'"


def settings(scene, tree, **others):
    """Parameters of a setting that is plain but for those given."""
    text = f"scene = '{scene}' AND tree = '{tree}' AND device = 'emulator' AND roulette = 'weight5'"
    for clause in PLAIN.split(" AND "):
        name = clause.split(" ")[0]
        text += f" AND {name} = '{others.pop(name)}'" if name in others else f" AND {clause}"
    return text


def emulator(study, scene):
    read = "1.0 * sum(node_lines) / sum(inner_steps)"
    fetched = "(32.0 * sum(visit_sectors) + 4 * sum(triangles)) / sum(active_paths)"
    pointers, array, lists = (settings(scene, tree) for tree in ("kd_ptr25", "kd_aos", "kd_cat_lt"))
    flattened = [study.counted(what, array) / study.counted(what, pointers) for what in (read, fetched)]
    claim(study, "C03", "better", scene, min(flattened))
    claim(study, "C03", "worse", scene, max(flattened))
    claim(study, "C03", "useful", scene, study.counted("1.0 * sum(node_sectors)", lists) / study.counted("1.0 * sum(node_sectors)", pointers))
    packed, tight, aligned = (settings(scene, tree) for tree in ("kd16", "kd_cat_lt", "kd_cat28"))
    visit = "1.0 * sum(visit_sectors) / sum(nodes)"
    claim(study, "C04", "sectors", scene, study.counted(visit, packed) / study.counted(visit, tight))
    claim(study, "C04", "aligned", scene, study.counted(visit, packed) / study.counted(visit, aligned))
    leaf = "1.0 * sum(leaf_lines) / sum(leaf_visits)"
    claim(study, "C05", "lines", scene, study.counted(leaf, settings(scene, "kd16_soa", triangle_test="affine")) /
          study.counted(leaf, settings(scene, "kd16", triangle_test="affine")))
    claim(study, "C07", "lines", scene, study.counted("(sum(node_lines) / 16.0 / sum(inner_live)) / (sum(triangle_lines) / 36.0 / sum(triangle_live))", packed))
    hop = "1.0 * sum(hop_octaves) / sum(node_hops) / 8"
    claim(study, "C07", "hops", scene, 2 ** (study.counted(hop, packed) - study.counted(hop, settings(scene, "kd16", kd_order="breadth"))))
    claim(study, "C08", "parted", scene, study.counted("1.0 * sum(parted_steps_order) / sum(inner_steps)", packed))
    record = settings(scene, "kd16", kd_stack="record")
    claim(study, "C09", "records", scene, (study.counted("sum(node_loads)", record) - study.counted("sum(node_loads)", packed)) / study.counted("sum(never_visited)", packed))


def bounces(study, scene):
    """The table of bounces, and the claim on it: no roulette."""
    read = "1.0 * sum(node_lines) / sum(inner_live)"
    plain, random = (settings(scene, "kd16", pixel_order=order).replace("'weight5'", "'none'") for order in ("tile", "random"))
    rows = [row for row in rows_of("report", "kdtree2015", "bounces", "--db", study.database) if row["scene"] == scene]
    for bounce in range(3):
        at = f"b.bounce = {bounce}"
        wanted = study.counted(read, plain, at) / study.counted(read, random, at)
        claim(study, "C12", "later" if bounce else "first", f"{scene}, 48x32, no roulette, bounce {bounce}", wanted)
        same(f"bounces, {scene}, {bounce}, relative", rows[bounce]["relative"], wanted)
        same(f"bounces, {scene}, {bounce}, loads", rows[bounce]["loads"], study.counted("1.0 * sum(node_loads) / sum(active_paths)", plain, at))
        same(f"bounces, {scene}, {bounce}, parted", rows[bounce]["parted"], study.counted("100.0 * sum(parted_steps_order) / sum(inner_steps)", plain, at))


def entries(study, scene):
    """Steps by lanes at a traversal's entry add up to those by bounce, and those of 32 lanes are those of full warps."""
    where = settings(scene, "kd16")
    attempt = study.attempt("counts", where)
    for column in ("warps", "inner_steps", "inner_live", "triangle_steps", "triangle_live"):
        by_lanes, = study.store.execute(f"SELECT sum({column}) FROM entry_lanes WHERE attempt = ?", (attempt,)).fetchone()
        same(f"entry_lanes, {scene}, {column}", by_lanes, study.counted(f"sum({column})", where))
        full, = study.store.execute(f"SELECT {column} FROM entry_lanes WHERE attempt = ? AND lanes = 32", (attempt,)).fetchone()
        if column != "warps":
            same(f"entry_lanes, {scene}, {column} of 32", full, study.counted(f"sum(full_{column})", where))


def gpu(study, scene):
    at = f"scene = '{scene}' AND tree = 'kd16' AND device = 'cuda' AND width = 1280 AND triangle_test = 'watertight' AND kd_order = 'depth' AND kd_stack = 'index' AND kd_step = "
    for step, test, metric in (("hoist", "shorter", "instructions"), ("swap", "swapped", "divergent_branches"), ("mask", "masked", "divergent_branches")):
        claim(study, "C08", test, f"{scene}, 1280x768", study.hardware(metric, f"{at}'{step}'") / study.hardware(metric, f"{at}'branchy'"))


with tempfile.TemporaryDirectory() as folder:
    database = pathlib.Path(folder) / "kdtree.db"
    files = [ROOT / f"experiments/kdtree2015/{name}.yaml" for name in ("layouts", "stacks", "bounces")]
    program("run", *files, "--set", "scene=cornell", "--set", "width=48", "--set", "height=32", "--db", database, "--quiet")
    study = Study(database)
    emulator(study, "cornell")
    bounces(study, "cornell")
    entries(study, "cornell")
    study.store.close()

measured = Study(unpacked("kdtree2015"))
for name in ("interior", "open"):
    gpu(measured, name)
measured.store.close()

finish()
