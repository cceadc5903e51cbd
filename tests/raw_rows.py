# SPDX-License-Identifier: MIT
# Of tests that recompute the program's numbers from raw rows: kept databases, what the program prints, and the comparison.
import csv
import io
import lzma
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRATCH = tempfile.TemporaryDirectory()
failed, compared = [], 0


def unpacked(name, gpu="h100"):
    """The path of a database of results/, which lasts as long as the test."""
    database = pathlib.Path(SCRATCH.name) / f"{gpu}-{name}.db"
    if not database.exists():
        database.write_bytes(lzma.decompress((ROOT / f"results/{gpu}/{name}.db.xz").read_bytes()))
    return database


def program(*arguments):
    return subprocess.run([sys.argv[1], *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def rows_of(*arguments):
    return list(csv.DictReader(io.StringIO(program(*arguments, "--format", "csv"))))


def claim_cases(paper, database):
    return rows_of("query", f"SELECT * FROM claim_cases WHERE paper = '{paper}'", "--db", database)


def same(what, shown, wanted):
    global compared
    compared += 1
    if not shown or abs(float(shown) - wanted) > 1e-6 * max(1e-9, abs(wanted)):
        failed.append(f"{what}: the program has {shown or 'nothing'}, raw rows give {wanted}")


def claim(study, name, test, place, wanted):
    """A case that counts and is named so; of several, which differ in what their name does not say, the nearest."""
    values = [case["value"] for case in study.cases
              if case["id"] == name and case["test"] == test and case["place"].startswith(place) and case["value"] and not case["excluded"]]
    same(f"{name} {test}, {place}", min(values, key=lambda value: abs(float(value) - wanted), default=""), wanted)


def finish():
    print("\n".join([f"{compared} values compared with raw rows, {len(failed)} differ", *failed]))
    sys.exit(bool(failed) or not compared)
