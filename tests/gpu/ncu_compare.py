# SPDX-License-Identifier: MIT
"""Compares counters of the database (first file) with those that ncu printed (one file a variant), launch by launch."""
import collections
import csv
import re
import sys

LIMIT = 1e-3


def read_ours(path):
    rows = collections.defaultdict(list)
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            if row["kernel"].startswith(row["variant"]):
                rows[row["variant"], row["metric"]].append(float(row["value"]))
    return rows


def read_ncu(path):
    rows = collections.defaultdict(list)
    variant = re.search(r"ncu-(\w+)\.csv", path).group(1)
    with open(path, newline="") as file:
        lines = [line for line in file if line.startswith('"')]
    for row in csv.DictReader(lines):
        rows[variant, row["Metric Name"]].append(row["Metric Value"].replace(",", ""))
    return rows


def difference(mine, printed):
    """Relative difference beyond the rounding of what ncu printed: it shows ratios with two decimals."""
    half = 0.5 * 10.0 ** -len(printed.partition(".")[2]) if "." in printed else 0
    return max(abs(mine - float(printed)) - half, 0) / max(abs(float(printed)), 1)


def main():
    ours = read_ours(sys.argv[1])
    theirs = {}
    for path in sys.argv[2:]:
        theirs.update(read_ncu(path))
    failed = not theirs
    for key in sorted(theirs):
        mine, other = ours.get(key, []), theirs[key]
        worst = max((difference(a, b) for a, b in zip(mine, other)), default=0)
        good = len(mine) == len(other) and worst <= LIMIT
        failed |= not good
        print(f"{key[0]:14} {key[1]:52} {len(mine):3} launches, ncu {len(other):3}; sums {sum(mine):.6g} and {sum(map(float, other)):.6g}; "
              f"largest difference {100 * worst:.4f} %{'' if good else '  FAILED'}")
    sys.exit(failed)


main()
