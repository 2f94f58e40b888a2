"""A child process that runs programs one after the other, and says which one it is at: `seed`, then what came of it.

Lines on standard output are JSON: {"seed": n} before a program is made, {"made": its steps} before it runs, {"done": n,
"steps": k} after it, and a "fault" with its program as it was found.
"""

import argparse
import json
import os
import sys
import time
import warnings

os.environ.setdefault("OMP_WAIT_POLICY", "passive")

from .generator import Maker
from .steps import Step
from .subject import FindingError, run, verdict


def say(**facts):
    print(json.dumps(facts), flush=True)


def run_seed(seed, only):
    """A program and its finding, or None."""
    maker = Maker(seed, only)
    try:
        steps, expected = maker.program()
        say(made=as_data(steps))
        run(steps, expected)
    except FindingError as finding:
        return maker.steps, finding
    return maker.steps, None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--programs", type=int, default=10**9)
    parser.add_argument("--only", default="")
    parser.add_argument("--replay", action="store_true", help="programs come from standard input, one list a line")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.replay:
        replay()
        return
    only = tuple(filter(None, given.only.split(",")))
    until = time.monotonic() + given.seconds
    for seed in range(given.seed, given.seed + given.programs):
        if time.monotonic() > until:
            break
        say(seed=seed)
        steps, finding = run_seed(seed, only)
        if finding is not None:
            say(fault=seed, message=finding.message, group=steps[finding.position].group, steps=as_data(steps))
            return
        say(done=seed, steps=len(steps))


def replay():
    """Answer for each program on standard input what is wrong with it."""
    for line in sys.stdin:
        finding = verdict(from_data(json.loads(line)))
        say(message=finding.message if finding is not None else None)


def as_data(steps):
    return [[getattr(step, name) for name in Step.__dataclass_fields__] for step in steps]


def from_data(data):
    return [Step(*fields) for fields in data]


if __name__ == "__main__":
    main()
