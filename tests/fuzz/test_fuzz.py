"""The fuzzer in the default run: a few seconds of programs from a fresh seed, which the output names."""

import re

import numpy as np
import pytest

from fuzz import run
from fuzz.generator import GROUPS, Maker
from fuzz.shrink import shrunk
from fuzz.steps import Step
from fuzz.subject import expectations, verdict
from fuzz.worker import as_data, from_data

SOURCE = Step("$1 = xp.asarray(data((50,), 'float64', 'count', 0), copy=True)")
LOOK = Step("values_of($1)", "$1", look=1)


def test_random_programs_do_what_numpy_does(tmp_path, capfd):
    status = run.main(["--seconds", "6", "--folder", str(tmp_path)])
    output = capfd.readouterr().out
    assert status == 0, output
    assert int(re.search(r"(\d+) programs", output)[1]) > 10, output


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of NumPy, about means of nothing
@pytest.mark.parametrize("group", GROUPS)
def test_every_group_makes_programs_that_can_be_made_again(group):
    for seed in range(3):
        steps, expected = Maker(seed, (group,)).program()
        again, _ = Maker(seed, (group,)).program()
        assert steps == again == from_data(as_data(steps))
        assert len(steps) == len(expected) > 3


def test_parts_of_one_axis_that_meet_are_read_before_they_are_written():
    write = Step("$1[14:27] = $1[2:39:3]", "$1[14:27] = cast($1[2:39:3], $1)")
    assert verdict([SOURCE, write, LOOK]) is None
    values = expectations([SOURCE, write, LOOK])[-1].values
    assert np.array_equal(values[14:27], np.arange(50.0)[2:39:3])


def test_a_difference_is_found_and_shrunk():
    wrong = Step("$1[7:21] = xp.asarray(3.0)", "$1[7:21] = 4.0")
    other = Step("$2 = xp.asarray(data((9, 9), 'int32', 'small', 5), copy=True)")
    steps = [other, SOURCE, Step("$3 = $1[::-1]"), wrong, Step("$2 += $2", "$2[...] = $2 * 2"), LOOK]
    assert "a1 holds" in str(verdict(steps))
    short = shrunk(steps, lambda steps: verdict(steps) is not None)
    assert [step.text.partition(" ")[0] for step in short] == ["$1", "$1[0:1]", "values_of($1)"]


def test_what_ended_is_refused():
    scope = Step("scopes.entered(nd.workspace('w', nd.WorkspaceConfiguration()))", "model.enter('w')")
    steps = [scope, SOURCE, LOOK, Step("scopes.leave()", "model.leave()"), LOOK]
    assert [want.outcome for want in expectations(steps)] == ["done", "done", "done", "done", "released"]
    assert verdict(steps) is None
    assert "WorkspaceError" in str(verdict([*steps[:2], Step("scopes.leave()", "None"), LOOK]))


def test_a_crash_and_an_endless_program_are_faults():
    crash = "import os, threading; threading.Timer(0.5, os.abort).start()"
    _, _, fault = run.batch(1, 30, [], {}, crash)
    assert fault is not None
    assert "the process ended with -6" in fault.message
    hang = "import time, fuzz.worker as worker; worker.run_seed = lambda *given: time.sleep(60)"
    _, _, fault = run.batch(1, 30, [], {}, f"{hang}; worker.main()", patience=-50)
    assert fault is not None
    assert "hangs" in fault.message


def test_numbers_of_a_step_are_changed_in_both_lines():
    step = Step("$1[2:9] = 3", "$1[2:9] = cast(3, $1)")
    assert step.numbers == [2, 9, 3]
    changed = step.with_number(1, 4)
    assert (changed.ours(), changed.models()) == ("a1[2:4] = 3", "n1[2:4] = cast(3, n1)")
