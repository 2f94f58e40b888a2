"""The command: children run programs, and what they find is shrunk, printed and counted."""

import argparse
import json
import os
import random
import selectors
import subprocess
import sys
import time
from pathlib import Path

from .generator import GROUPS
from .script import plain, script
from .shrink import shrunk
from .worker import as_data, from_data

TESTS = Path(__file__).resolve().parents[1]
SEEDS_OF_A_CHILD = 100_000
# What a child runs under: everything deferred or not, and several numbers of threads.
MODES = (
    {},
    {"ND4PY_COMBINE_FROM": "0"},
    {"ND4PY_COMBINE_FROM": "0", "OMP_NUM_THREADS": "3"},
    {"OMP_NUM_THREADS": "1"},
    {"ND4PY_COMBINE_FROM": "0", "OMP_NUM_THREADS": "1"},
    {"OMP_NUM_THREADS": "4"},
)
PATIENCE = 60.0  # seconds after which a program hangs


class Child:
    """A process that runs programs, with what it said."""

    def __init__(self, arguments, mode, setup=""):
        root = str(TESTS.parent)
        paths = [str(TESTS), *(path for path in os.environ.get("PYTHONPATH", root).split(os.pathsep) if path)]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "OMP_WAIT_POLICY": "passive"} | mode
        code = f"import runpy, sys\n{setup}\nrunpy.run_module('fuzz.worker', run_name='__main__')"
        command = [sys.executable, "-P", "-X", "faulthandler", "-W", "ignore", "-c", code, *arguments]
        self.mode = mode
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, env=environment, cwd=root)  # fmt: skip
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)

    def said(self, seconds):
        """The next thing it says, "" at its end, None when `seconds` are over."""
        if not self.selector.select(seconds):
            return None
        line = self.process.stdout.readline()
        return json.loads(line) if line else ""

    def tell(self, data):
        self.process.stdin.write(json.dumps(data) + "\n")
        self.process.stdin.flush()

    def end(self):
        """End it, and return the last lines of its errors."""
        if self.process.stdout.closed:
            return ""
        self.process.kill()
        self.selector.close()
        _, errors = self.process.communicate()
        return "\n".join(errors.strip().splitlines()[-30:])


class Fault:
    """What was found: the seed, the mode, the program, and what was wrong."""

    def __init__(self, seed, mode, steps, message, group=""):
        self.seed, self.mode, self.steps, self.message, self.group = seed, mode, steps, message, group


def batch(seed, seconds, options, mode, setup="", patience=PATIENCE):
    """Run programs from `seed` on for some seconds: (programs, steps, a fault or None)."""
    arguments = ["--seed", str(seed), "--seconds", str(seconds), *options]
    child = Child(arguments, mode, setup)
    n_programs = n_steps = 0
    current, made = None, []
    try:
        while said := child.said(patience + (60 if current is None else 0)):
            current = said.get("seed", current)
            made = [] if "seed" in said else said.get("made", made)
            if "done" in said:
                n_programs, n_steps = n_programs + 1, n_steps + said["steps"]
            if "fault" in said:
                fault = Fault(current, mode, from_data(said["steps"]), said["message"], said["group"])
                return n_programs, n_steps, fault
        message = f"hangs: nothing for {patience} s"
        if said == "":
            code = child.process.wait()
            message = f"the process ended with {code}\n{child.end()}" if code else ""
        return n_programs, n_steps, Fault(current, mode, from_data(made), message) if message else None
    finally:
        child.end()


class Judge:
    """Says of a program whether it fails as before, in a child that is started again when it dies."""

    def __init__(self, mode, message, setup=""):
        self.mode, self.kind, self.setup = mode, message[:14], setup
        self.child = None
        self.message = message

    def __call__(self, steps):
        if self.child is None:
            self.child = Child(["--replay"], self.mode, self.setup)
        self.child.tell(as_data(steps))
        said = self.child.said(20)
        if not said:  # it died, or hangs
            message = "hangs" if said is None else f"the process ended with {self.child.process.wait()}"
            self.child.end()
            self.child = None
        else:
            message = said["message"]
        if message is None or message[:14] != self.kind:
            return False
        self.message = message
        return True

    def close(self):
        if self.child is not None:
            self.child.end()


def shorten(fault, seconds=20.0, setup=""):
    """The fault with the shortest program that shows it in a process of its own."""
    if not fault.steps:
        return fault
    judge = Judge(fault.mode, fault.message, setup)
    try:
        if judge(fault.steps):
            fault.steps = shrunk(fault.steps, judge, seconds)
            fault.message = judge.message if judge(fault.steps) else fault.message
        else:
            fault.message += "\n(not when the program runs alone: it needs those before it in the process)"
    finally:
        judge.close()
    return fault


def report(fault, folder):
    """Print a fault, and leave its program as a script."""
    title = f"seed {fault.seed}, mode {fault.mode or 'plain'}: {fault.message}"
    print(f"\nFAULT  {title}\n{plain(fault.steps)}")
    if fault.steps:
        path = Path(folder) / f"fault_{fault.seed}.py"
        path.write_text(script(fault.steps, title, fault.mode))
        print(f"  as a script: {path}")
    print(f"  again: python -m tests.fuzz --seed {fault.seed} --programs 1", flush=True)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=0.0)
    parser.add_argument("--seconds", type=float, default=0.0)
    parser.add_argument("--seed", type=int, help="the first seed; a fresh one if not given")
    parser.add_argument("--programs", type=int, help="the number of programs of each child")
    parser.add_argument("--only", default="", help=f"groups of instructions: {', '.join(GROUPS)}")
    parser.add_argument("--faults", type=int, default=5, help="stop after so many")
    parser.add_argument("--folder", default=".", help="where scripts of faults go")
    given = parser.parse_args(arguments)
    seconds = given.minutes * 60 + given.seconds or 60.0
    seed = random.SystemRandom().randrange(10**9) * 1000 if given.seed is None else given.seed
    options = ["--only", given.only]
    if given.programs:
        options += ["--programs", str(given.programs)]
    print(f"seed {seed}, {seconds:.0f} s", flush=True)
    until = time.monotonic() + seconds
    programs = steps = 0
    faults = []
    turns = 0
    while time.monotonic() < until and len(faults) < given.faults and not (given.programs and turns == len(MODES)):
        left = until - time.monotonic()
        # Short turns first, so that every mode has had one within a minute.
        turn = min(left, max(seconds / len(MODES), 5.0), 60.0)
        mode = MODES[turns % len(MODES)]
        n, k, fault = batch(seed + (0 if given.programs else turns * SEEDS_OF_A_CHILD), turn, options, mode)
        programs, steps, turns = programs + n, steps + k, turns + 1
        if fault is not None:
            faults.append(shorten(fault))
            report(fault, given.folder)
    print(f"{programs} programs, {steps} steps, {len(faults)} faults; seed {seed}")
    return 1 if faults else 0
