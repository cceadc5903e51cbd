#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of a report in a browser: it loads without a complaint, sorts, traces its cells to raw samples that equal those of
the database, fits a phone, prints, and takes hostile names for text.

usage: test_html.py WARPSTUDY"""
import csv
import lzma
import hashlib
import math
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

from browser import Browser

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKED = ROOT / "results/h100/wald2011.db.xz"
HOSTILE = "<script>alert(1)</script> & \"it's\" </style> \\u003c"
failures = []


def check(condition, text):
    if not condition:
        failures.append(text)
        print("FAILED:", text)


def report(program, database, folder):
    before = hashlib.sha256(database.read_bytes()).hexdigest()
    subprocess.run([program, "report", "wald2011", "--db", database, "--output", folder], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    check(hashlib.sha256(database.read_bytes()).hexdigest() == before, "a report changed its database")


# ---- without a browser

def check_markup(page):
    """HTML Tidy finds no error, and what links name is there."""
    told = subprocess.run(["tidy", "-errors", "-quiet", page], capture_output=True, text=True).stderr
    errors = [line for line in told.splitlines() if " Error: " in line]
    check(not errors, f"tidy: {errors[:3]}")
    text = page.read_text()
    ids = set(re.findall(r' id="([^"]+)"', text))
    check(len(ids) == len(re.findall(r' id="[^"]+"', text)), "an id stands twice")
    links = set(re.findall(r'(?:href|src)="([^"]+)"', text))
    for link in links:
        if link.startswith("#"):
            check(link[1:] in ids, f"no place {link}")
        elif not link.startswith("data:"):
            check((page.parent / link).is_file(), f"no file {link}")
    check(not re.search(r'(?:href|src)="(?:https?:)?//', text), "the page wants the network")


def check_scripts(folder):
    """The command at the head of each figure's script draws it again, from the folder alone."""
    scripts = sorted((folder / "figures").glob("*.gp"))
    check(len(scripts) >= 6, f"only {len(scripts)} figures have scripts")
    for script in scripts:
        command = re.search(r"^#   (gnuplot -c .*)$", script.read_text().split("Drawn in this folder by:")[-1], re.M)
        check(command, f"{script.name} does not say how it was drawn")
        with tempfile.TemporaryDirectory() as name:
            shutil.copytree(folder / "tables", f"{name}/tables")
            (pathlib.Path(name) / "figures").mkdir()
            shutil.copy(script, f"{name}/figures")
            told = subprocess.run(["bash", "-c", command.group(1)], cwd=f"{name}/figures", capture_output=True, text=True)
            check(told.returncode == 0 and not told.stderr, f"{script.name}: {told.stderr[:200]}")
            pictures = list(pathlib.Path(name, "figures").glob("*.svg"))
            check(len(pictures) == 1, f"{script.name} draws {len(pictures)} pictures")
            for drawn in pictures:
                check(drawn.read_bytes() == (folder / "figures" / drawn.name).read_bytes(), f"{drawn.name} is drawn otherwise")


def check_colours(page):
    """Text stands out from the ground in both schemes (WCAG's ratio, 4.5)."""
    def luminance(colour):
        colour = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
        parts = [int(colour[i:i + 2], 16) / 255 for i in (0, 2, 4)]
        parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    schemes = re.findall(r":root \{(.*?)\}", page.read_text(), re.S)[:2]
    check(len(schemes) == 2, "there are no two colour schemes")
    for scheme in schemes:
        colours = dict(re.findall(r"--([a-z]+): (#[0-9a-f]+)", scheme))
        ground = luminance(colours["paper"])
        for name in ("ink", "soft", "link", "mark", "reproduced", "mixed", "refuted", "undecided", "unmeasured"):
            light, dark = sorted((luminance(colours[name]), ground), reverse=True)
            check((light + 0.05) / (dark + 0.05) >= 4.5, f"colour {name} does not stand out")


# ---- sorting

def check_order(values, sign, where):
    known = [value for value in values if value is not None]
    check(values[:len(known)] == known, f"{where}: rows without a value are not at the end")
    numbers = [float(value) for value in known]
    check(all(sign * a <= sign * b for a, b in zip(numbers, numbers[1:])), f"{where}: not sorted")


def check_sorting(browser):
    """Every heading with a button: largest first, smallest first, as it was."""
    tables = browser.run("""[...document.querySelectorAll('table.data')].map(table => {
        const rows = () => [...table.tBodies[0].rows];
        const first = rows();
        return [...table.tHead.rows[0].cells].filter(cell => cell.querySelector('.sort')).map(cell => {
            const states = [0, 1, 2].map(() => {
                cell.querySelector('.sort').click();
                return [cell.getAttribute('aria-sort'), rows().map(row => row.cells[cell.cellIndex].dataset.v ?? null)];
            });
            return [table.caption.textContent + ', ' + cell.textContent, cell.cellIndex, states,
                    rows().every((row, place) => row === first[place])];
        });
    }).flat()""")
    check(len(tables) > 100, f"only {len(tables)} headings sort")
    for where, index, states, restored in tables:
        check(restored, f"{where}: the third click does not restore the order")
        wanted = ["descending", "ascending", "none"] if index else ["ascending", "descending", "none"]
        check([state for state, _ in states] == wanted, f"{where}: {[state for state, _ in states]}")
        if not index or any(value and not re.fullmatch(r"[-+0-9.e]+", value) for value in states[0][1]):
            continue
        check_order(states[0][1], -1, where + " (falling)")
        check_order(states[1][1], 1, where + " (rising)")


# ---- traces

TRACE = """(async () => {
    const button = document.querySelectorAll('td > button.v')[PLACE], panel = document.getElementById('trace');
    delete panel.dataset.done;
    button.click();
    for (let i = 0; i < 500 && panel.dataset.done === undefined; ++i) await new Promise(done => setTimeout(done, 10));
    const texts = (root, selector) => [...root.querySelectorAll(selector)].map(element => element.textContent);
    return {done: panel.dataset.done, words: panel.textContent,
        trials: [...panel.querySelectorAll('[data-trial]')].map(trial => [trial.dataset.trial,
            [...trial.querySelectorAll('[data-attempt]')].map(attempt => [attempt.dataset.attempt, texts(attempt, 'dd'),
                texts(attempt, '.samples th[scope=col]'),
                [...attempt.querySelectorAll('.samples tbody tr')].map(row => texts(row, 'th, td'))])])};
})()"""
SAMPLES = {"no.": "number", "host s": "host_seconds", "device s": "device_seconds", "gaps s": "gap_seconds",
           "SM MHz": "sm_mhz", "launches": "launches_path", "auxiliary": "launches_aux"}


def same(text, value):
    return text == "-" if value is None else float(text) == float(f"{value:.15g}")


def check_trial(database, trial, attempts, words, where):
    rows = database.execute("SELECT id, image, started FROM attempt WHERE trial = ? ORDER BY id", (trial,)).fetchall()
    check([str(row["id"]) for row in rows] == [attempt[0] for attempt in attempts], f"{where}: other attempts")
    run = database.execute("SELECT command_line FROM run JOIN run_trial ON run = id WHERE trial = ?", (trial,)).fetchone()
    check(run["command_line"] in words, f"{where}: no command")
    for row, (identity, texts, titles, samples) in zip(rows, attempts):
        check(row["image"] is None or row["image"] in texts, f"{where}: no image hash")
        check(any(text.startswith(row["started"]) for text in texts), f"{where}: no time")
        raw = database.execute("SELECT * FROM repetition WHERE attempt = ? ORDER BY number", (identity,)).fetchall()
        check(len(raw) == len(samples), f"{where}, attempt {identity}: {len(samples)} samples of {len(raw)}")
        for sample, text in zip(raw, samples):
            check(all(same(part, sample[SAMPLES[title]]) for title, part in zip(titles, text)),
                  f"{where}, attempt {identity}: {text} is not {tuple(sample)}")


def check_traces(browser, path):
    """A cell of every column of every table; all that its trials hold, against the database."""
    database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    database.row_factory = sqlite3.Row
    cells = browser.run("""[...document.querySelectorAll('td > button.v')].map((button, place) => [place,
        button.closest('table').caption.textContent + ': ' + button.closest('td').cellIndex, button.closest('td').dataset.t])""")
    known = {str(row[0]) for row in database.execute("SELECT id FROM trial_record")}
    for _, where, trials in cells:
        check(trials and set(trials.split()) <= known, f"{where}: trials {trials}")
    chosen = {}
    for place, where, trials in cells:
        chosen.setdefault(where, (place, trials))
    check(len(chosen) > 100, f"only {len(chosen)} columns have traces")
    checked = set()
    for where, (place, trials) in chosen.items():
        if set(trials.split()) <= checked and len(checked) > 300:
            continue
        found = browser.run(TRACE.replace("PLACE", str(place)))
        check(found["done"] == trials, f"{where}: the trace names {found['done']}, the cell {trials}")
        check([trial for trial, _ in found["trials"]] == trials.split(), f"{where}: trials are missing")
        for trial, attempts in found["trials"]:
            if trial not in checked:
                check_trial(database, trial, attempts, found["words"], f"{where}, trial {trial}")
            checked.add(trial)
    print(f"{len(cells)} cells have trials; {len(checked)} trials compared with the database")
    check(len(checked) > 200, "too few trials were compared")


def check_numbers(browser, folder):
    """The cells hold the values and trials of the CSV files, in full precision."""
    found = browser.run("""Object.fromEntries([...document.querySelectorAll('section.table')].map(section => [section.id,
        [...section.querySelectorAll('table.data tbody tr')].map(row => [...row.cells].slice(2).map(cell =>
            [cell.dataset.v ?? '', cell.dataset.t ?? '']))]))""")
    cells = 0
    for table, rows in found.items():
        path = folder / "tables" / f"{table}.csv"
        if not path.exists():
            check(not rows, f"{table} has rows and no CSV")
            continue
        with open(path, newline="") as stream:
            wanted = list(csv.DictReader(stream))
        check(len(rows) == len(wanted), f"{table}: {len(rows)} rows, the CSV has {len(wanted)}")
        for row, line in zip(rows, wanted):
            values = [float(value) for value, _ in row if value]
            listed = [float(value) for value in line.values() if value and re.fullmatch(r"-?[0-9.]+(e[-+]\d+)?", value)]
            for value in values:
                check(any(math.isclose(value, other, rel_tol=6e-10) for other in listed), f"{table}: {value} is not in the CSV")
            trials = {" ".join(re.findall(r"\d+", value)) for name, value in line.items() if name.endswith("trials")}
            check({ids for _, ids in row if ids} <= trials, f"{table}: other trials than in the CSV")
            cells += len(values)
    check(cells > 1000, f"only {cells} cells were compared with the CSV")


# ---- keys, sizes, paper

def check_keys(browser):
    def key(name, code):
        for kind in ("keyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code,
                         **({"text": "\r"} if name == "Enter" and kind == "keyDown" else {}))
    browser.run("document.querySelector('#trace .close')?.click(); document.querySelector('#table1 td > button.v').focus()")
    key("ArrowRight", 39)
    key("ArrowDown", 40)
    place = "document.activeElement.closest('td')?.cellIndex + ' ' + document.activeElement.closest('tr')?.rowIndex"
    check(browser.run(place) == "3 2", f"arrows lead to {browser.run(place)}")
    key("Enter", 13)
    check(browser.run("!document.getElementById('trace').hidden"), "Enter opens no trace")
    key("Escape", 27)
    check(browser.run("document.getElementById('trace').hidden"), "Escape closes no trace")
    check(browser.run(place) == "3 2", "the trace does not give the focus back")


def check_phone(browser):
    browser.size(360, 740, phone=True)
    check(browser.run("document.documentElement.scrollWidth") <= 360, "the page is wider than a phone")
    browser.run(TRACE.replace("PLACE", "0"))
    check(browser.run("document.getElementById('trace').scrollWidth") <= 360, "a trace is wider than a phone")
    check(browser.run("document.documentElement.scrollWidth") <= 360, "with a trace the page is wider than a phone")
    browser.run("document.querySelector('#trace .close').click()")
    browser.size(1280, 900)


def check_print(browser, folder):
    """Folded panels and their notes are on paper, buttons are not."""
    path = folder.parent / "page.pdf"
    path.write_bytes(browser.printed())
    text = " ".join(subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True).stdout.split())
    for title in browser.run("[...document.querySelectorAll('details.panel h3')].map(title => title.textContent)"):
        check(title in text, f"not printed: {title}")
    notes = browser.run("[...document.querySelectorAll('details.panel .footnotes dd')].map(note => note.textContent.slice(0, 30))")
    check(notes and all(note in text for note in notes), "footnotes of folded panels are not printed")
    check("show claims" not in text.lower(), "buttons are printed")


def check_pictures(browser):
    broken = browser.run("""(async () => {
        const images = [...document.images];
        for (const image of images) image.loading = 'eager';
        await Promise.allSettled(images.map(image => image.decode()));
        return [images.length, images.filter(image => !(image.naturalWidth > 0) || !image.alt).map(image => image.src)];
    })()""")
    check(broken[0] > 10 and not broken[1], f"of {broken[0]} pictures these are broken: {broken[1]}")


def check_filters(browser):
    counts = browser.run("""[...document.querySelectorAll('.filters button')].map(button => {
        button.click();
        return [button.dataset.show, [...document.querySelectorAll('tr[data-verdict]')].filter(row => !row.hidden)
            .map(row => row.dataset.verdict)];
    })""")
    check(bool(counts), "claims have no filters")
    everything = [verdict for _, shown in counts[:1] for verdict in shown]
    for verdict, shown in counts[1:]:
        check(shown == [verdict] * everything.count(verdict) and shown, f"the filter {verdict} shows {set(shown)}")
    browser.run("document.querySelector('.filters button').click()")


def check_reference(browser, program, folder):
    database = folder.parent / "wald2011.db"
    database.write_bytes(lzma.decompress(PACKED.read_bytes()))
    report(program, database, folder)
    page = folder / "index.html"
    check_markup(page)
    check_colours(page)
    check_scripts(folder)
    browser.open(page)
    check_pictures(browser)
    check_filters(browser)
    check_numbers(browser, folder)
    check_sorting(browser)
    check_traces(browser, database)
    check_keys(browser)
    check_phone(browser)
    check_print(browser, folder)


def check_hostile(browser, program, folder):
    """Names that look like markup or script are shown as they are."""
    (folder / "scenes").mkdir(parents=True)
    scene = folder / "scenes" / "<b onclick=alert(1)>&'\".yaml"
    shutil.copy(ROOT / "scenes/cornell.yaml", scene)
    database = folder / "hostile <i>&.db"
    subprocess.run([program, "run", ROOT / "experiments/quickstart.yaml", "--db", database, "--quiet", "--label", HOSTILE, "--device", "emulator",
                    "--set", f"scene={scene}", "--set", "width=16", "--set", "height=12"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run([program, "render", "open", "--store", "--set", "spp=1", "--set", "width=64", "--set", "height=38", "--db", database], check=True,
                   stdout=subprocess.DEVNULL) # Figure 1 in no time
    subprocess.run([program, "report", "wald2011", "--all", "--db", database, "--output", folder / "out"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    check_markup(folder / "out/index.html")
    browser.open(folder / "out/index.html")
    check(HOSTILE in browser.run("document.body.textContent"), "the label is not shown as it is")
    check(str(scene) in browser.run("document.querySelector('#table2').textContent"), "the scene is not shown as it is")
    found = browser.run(TRACE.replace("PLACE", "0"))
    check(HOSTILE in found["words"], "the label is not in the trace")
    check(browser.run("document.querySelectorAll('main b[onclick], #trace script').length") == 0, "a name became markup")


def main():
    missing = [tool for tool in ("chromium", "tidy", "pdftotext", "gnuplot") if not shutil.which(tool)]
    if missing:
        print(f"skipped: not installed: {', '.join(missing)} (scripts/install-packages --tests)")
        return 77
    program, began = str(pathlib.Path(sys.argv[1]).resolve()), time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder, browser = pathlib.Path(name), Browser()
        try:
            check_reference(browser, program, folder / "reference")
            check_hostile(browser, program, folder / "hostile")
        finally:
            browser.close()
    check(not browser.messages, f"the browser complains: {browser.messages[:5]}")
    print(f"{len(failures)} failures, {time.monotonic() - began:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
