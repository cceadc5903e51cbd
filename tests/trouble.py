# SPDX-License-Identifier: MIT
"""What tests/kill and tests/soak share: small studies, mostly random, a program that runs them in a folder of its own, and its processes."""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import time

import contracts

SURFACE = ["naive", "whole_frame", "whole_frame_off", "tiled_global", "tiled_shared", "pool_refill", "tile_regenerate", "stream_compact",
           "thread_regenerate", "majority_state", "two_stage", "two_stage_pixel", "three_stage", "fullest_queue"]
VOLUME = ["volume_naive", "volume_steps", "regenerate_thread", "regenerate_warp", "regenerate_block", "regenerate_device", "stream_device",
          "stream_block", "stream_sort", "sort_albedo"]
LONGEST = 900  # seconds that a command may take before it counts as hanging


class Failure(Exception):
    """A promise that was not kept."""


def some(dice, values, least=1, most=3):
    return dice.sample(values, min(len(values), dice.randint(least, most)))


def surface_study(dice):
    return "emulator", {"scene": some(dice, ["cornell", "closed_box", "plane_sky", "furnace_sky"], 1, 2), "variant": some(dice, SURFACE),
                        "max_bounces": some(dice, [0, 1, 2, 3, 6], 1, 2), "block": some(dice, [32, 64], 1, 2)}


def volume_study(dice):
    return "emulator", {"scene": some(dice, ["fog", "cloud"], 1, 1), "variant": some(dice, VOLUME), "spp": some(dice, [1, 2], 1, 2)}


def null_study(dice):
    return '"null"', {"scene": ["cornell"], "variant": ['"null"'], "block": some(dice, [32, 64, 128, 256], 2, 3), "max_bounces": some(dice, [2, 4, 8], 1, 3)}


def study(dice, name):
    """The text of an experiment of some dozens of executions, each of a few milliseconds."""
    device, sweep = dice.choice([surface_study, surface_study, volume_study, null_study])(dice)
    points = 1
    for values in sweep.values():
        points *= len(values)
    collections = dice.choice([["counts"], ["counts", "frame"], ["counts", "frame"], ["frame", "counts", "launches"]])
    replicates = dice.randint(1, 3)
    seeds = max(1, dice.randint(20, 90) // (points * len(collections) * replicates))
    sweep["seed"] = [f"1..{seeds}"]
    lines = [f"name: {name}", "study: test", f"device: {device}", f"fixed: {{width: {dice.randint(6, 20)}, height: {dice.randint(5, 14)}}}",
             "sweep:", *(f"  {axis}: [{', '.join(map(str, values))}]" for axis, values in sweep.items()),
             f"collect: [{', '.join(collections)}]", f"replicates: {replicates}", f"retries: {dice.choice([0, 1, 2, 5])}",
             f"order: {dice.choice(['breadth_first', 'depth_first'])}", f"order_seed: {dice.randint(1, 1000)}", "time_limit: 4"]
    return "\n".join(lines) + "\n"


def mark_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return []


def workers_of(pid):
    """Its children that still run."""
    try:
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [int(child) for child in children if pathlib.Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0] != "Z"]
    except OSError:
        return []


def strike(pid, number):
    """Whether the signal found the process."""
    try:
        os.kill(pid, number)
        return True
    except ProcessLookupError:
        return False


class Bench:
    """A folder with an experiment or two, and the program in it: nothing of whoever runs the test is seen or touched. `text` is an
    experiment to take in place of random ones, `device` one in place of its own."""

    def __init__(self, program, seed, text=None, device=None):
        self.program, self.seed, self.dice = pathlib.Path(program).resolve(), seed, random.Random(seed)
        self.device = device
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"trouble-{seed}-"))
        self.mark = f"WARPSTUDY_TEST_MARK=trouble.{os.getpid()}.{seed}.{time.time_ns()}"
        for name in ("cache", "tmp", "home", "data"):
            (self.folder / name).mkdir()
        self.database = self.folder / "data" / "study.db"
        self.experiments = [self.folder / f"{name}.yaml" for name in (["first", "second"] if not text and self.dice.random() < 0.3 else ["first"])]
        for path in self.experiments:
            path.write_text(text or study(self.dice, path.stem))

    def environment(self, **more):
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("WARPSTUDY_", "XDG_")) or name in ("WARPSTUDY_SCENES", "WARPSTUDY_PAPERS")}
        name, _, value = self.mark.partition("=")
        return {**kept, name: value, "HOME": str(self.folder / "home"), "TMPDIR": str(self.folder / "tmp"), "LC_ALL": "C", "TERM": "dumb",
                "WARPSTUDY_CACHE": str(self.folder / "cache"), "WARPSTUDY_PROGRESS": "no", **more}

    def start(self, *arguments, environment=None, **options):
        """The program, with what it prints in the file `log`."""
        with open(self.folder / "log", "wb") as log:
            return subprocess.Popen([self.program, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                                    env=environment or self.environment(), **options)

    def wait(self, process, longest=LONGEST):
        try:
            return process.wait(longest)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise Failure(f"it hangs: {longest} s and no end: {self.log()}") from None

    def log(self):
        return (self.folder / "log").read_text(errors="replace")[-1500:]

    def command(self, *arguments, codes=(0,)):
        """What a command prints; its exit code must be one of `codes`."""
        code = self.wait(self.start(*arguments))
        if code not in codes:
            raise Failure(f"{' '.join(map(str, arguments))}: exit code {code}: {self.log()}")
        return self.log()

    def run(self, *more, database=None, **options):
        more = [*([f"--device={self.device}"] if self.device else []), *more]
        return self.start("run", *self.experiments, "--quiet", "--db", database or self.database, *more, **options)

    def undisturbed(self):
        """Measures the reference, and forgets the scenes built for it half of the time. Seconds that it took."""
        began = time.monotonic()
        self.reference = self.folder / "reference.db"
        code = self.wait(self.run(database=self.reference))
        if code:
            raise Failure(f"the undisturbed run: exit code {code}: {self.log()}")
        self.facts, self.wanted = contracts.facts(self.reference), contracts.times_done(self.reference)
        if len(self.wanted) < 2:
            raise Failure("the undisturbed run did next to nothing")
        if self.dice.random() < 0.5:
            shutil.rmtree(self.folder / "cache")
            (self.folder / "cache").mkdir()
        return time.monotonic() - began

    def left_over(self):
        """Processes of this folder that still run."""
        mark = self.mark.encode()
        return [pid for pid in os.listdir("/proc") if pid.isdigit() and mark in mark_of(pid)]

    def check_left_over(self):
        """Neither processes nor files; built scenes that a kill left half-written are cleared by `scene cache clear`. A device's compiled
        kernels stay in the cache."""
        for _ in range(50):
            processes = self.left_over()
            if not processes:
                break
            time.sleep(0.1)  # the kernel ends workers with their parent, in its own time
        told = [f"process {pid} is left" for pid in processes]
        told += [f"file {path} is left" for path in [*(self.folder / "tmp").iterdir(), *(self.folder / "data").iterdir()] if path != self.database]
        if self.device:
            return told
        self.command("scene", "cache", "clear")
        return told + [f"{path} is left after `scene cache clear`" for path in (self.folder / "cache").iterdir()]

    def check(self):
        """(lost, done twice, sentences about all that is wrong)"""
        done = contracts.times_done(self.database)
        lost, twice = self.wanted.keys() - done.keys(), [key for key, times in done.items() if times > 1]
        told = [f"lost: {key}" for key in list(lost)[:3]] + [f"done twice: {key}" for key in twice[:3]]
        told += [f"done, and never asked for: {key}" for key in list(done.keys() - self.wanted.keys())[:3]]
        return len(lost), len(twice), told + contracts.sound(self.database) + contracts.differences(self.facts, contracts.facts(self.database))

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def keep(self):
        """The folder, to be looked at."""
        return self.folder

    def judge(self, play, again):
        """What is wrong after `play`, in lines, with the command that repeats it; nothing is kept of a good end."""
        try:
            told = play()
        except Failure as failure:
            told = [str(failure)]
        if told:
            return [f"FAILED: {text}" for text in told] + [f"  kept: {self.keep()}", f"  again: {again} {self.program}"]
        self.remove()
        return []


def left(began, share):
    """The time that is left, in words."""
    seconds = (time.monotonic() - began) * (1 / share - 1) if share > 0 else 0
    return f"{seconds / 60:.0f} min left" if seconds >= 90 else f"{seconds:.0f} s left"


SIGNALS = {"KILL": signal.SIGKILL, "INT": signal.SIGINT, "TERM": signal.SIGTERM, "USR1": signal.SIGUSR1, "HUP": signal.SIGHUP}
