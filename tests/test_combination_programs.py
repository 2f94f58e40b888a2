"""Random programs give the same bits whether their operations are put off or not."""

import os
import subprocess
import sys
from pathlib import Path

from combination_programs import check
from hypothesis import example, given, settings
from hypothesis import strategies as st

LARGE = [(130, 131), (19, 7, 131), (17_001,), (5, 4001), (4001, 5), (64, 512), (16_384,)]  # about the threshold
SMALL = [(7,), (3, 4), (0, 3), (1,), (), (2, 1, 3), (70, 3), (2000,)]
N_SMALL = 1500  # programs of the subprocess


@given(seed=st.integers(0, 10**9), n_steps=st.integers(1, 25), shape=st.sampled_from(LARGE))
@example(205, 6, (19, 7, 131))  # a cheap operation in place on what a costly one is going to read
@example(34, 10, (4001, 5))
@example(2252171, 15, (130, 131))  # a scalar -0.0 in a run of cheap rows
@settings(max_examples=250)
def test_programs_on_large_arrays(seed, n_steps, shape):
    check(seed, n_steps, shape)


def test_programs_on_small_arrays_when_everything_is_put_off():
    program = (
        "from combination_programs import check\n"
        "from test_combination_programs import N_SMALL, SMALL\n"
        "for seed in range(N_SMALL):\n"
        "    check(seed, 1 + seed % 25, SMALL[seed % len(SMALL)])\n"
    )
    environment = dict(os.environ, ND4PY_COMBINE_FROM="0")
    here = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=here, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
