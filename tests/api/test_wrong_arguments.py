"""Everything public with every kind of wrong argument: an error of the right class in our words, no crash, no hang."""

import functools
import os
import random
import subprocess
import sys

import pytest
import wrong_arguments
from namespace_calls import CALLS
from public_calls import CALLS as OTHERS
from training_calls import CALLS as OF_TRAINING
from wrong_arguments import verdict

import nd4py as nd

N_PARTS = 8
NAMES = sorted({**CALLS, **OTHERS, **OF_TRAINING})
# All of it takes over a minute: `python tests/support/wrong_arguments.py`.
SHARE = os.environ.get("ND4PY_TEST_SHARE", "0.05")
SEED = os.environ.get("ND4PY_TEST_SEED") or str(random.SystemRandom().randrange(2**31))


@pytest.mark.parametrize("part", range(N_PARTS))
def test_wrong_arguments_end_in_errors_that_fit(part):
    command = [sys.executable, wrong_arguments.__file__, "--share", SHARE, "--seed", SEED, *NAMES[part::N_PARTS]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    again = f"python tests/support/wrong_arguments.py --share {SHARE} --seed {SEED} of part {part} of {N_PARTS}"
    assert (done.returncode, done.stdout) == (0, ""), f"{again}\n{done.stderr[-2000:]}"


def test_everything_public_is_called(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert not wrong_arguments.uncalled()


def test_what_has_no_call_is_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(CALLS, "concat")
    monkeypatch.delitem(CALLS, "concatenate")
    monkeypatch.delitem(OTHERS, "memory.human")
    monkeypatch.delitem(OTHERS, "random.beta")
    monkeypatch.delitem(OF_TRAINING, "nn.MultiLayerNetwork.output")
    missing = set(wrong_arguments.uncalled())
    assert missing == {
        "nd4py.concat", "nd4py.concatenate", "nd4py.api.memory.human", "nd4py.random.beta",
        "nd4py.random.Generator.beta", "nd4py.random.RandomState.beta", "nd4py.nn.MultiLayerNetwork.output",
    }  # fmt: skip


# The data sets that have to be fetched first.
@pytest.mark.parametrize("name", sorted({**OTHERS, **OF_TRAINING}.keys() - {"data.MnistDataSetIterator"}))
def test_good_calls_are_good(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wrong_arguments.consume({**OTHERS, **OF_TRAINING}[name]()())
    if name in OTHERS:
        wrong_arguments.restore()


@pytest.mark.parametrize(
    "call",
    [
        lambda: {}["x"], lambda: None.shape, lambda: 1 // 0, lambda: [0] * 2**70, lambda: exec("raise ValueError"),
        lambda: exec("raise SystemError('x')"), lambda: len(3), lambda: 1 + "x", lambda: float(10**400),
        lambda: tuple(5), lambda: next(iter(())),
    ],
)  # fmt: skip
def test_faults_are_found(call):
    assert verdict(call)
    assert not verdict(lambda: None)


def test_names_of_other_functions_are_found():
    call = functools.partial(nd.maximum, "x", 1)
    assert verdict(call, {"clip"})
    assert not verdict(call, {"maximum"})
    assert not verdict(functools.partial(nd.clip, nd.ones(3), nd.ones(2)), {"clip"})
