"""Every public name has an example: in its docstring, or in a program on a page of the reference.

Examples of devices run in tests/cuda/devices/test_device_examples.py.
"""

import inspect

import pytest
from public_objects import failures, is_shown, page_names, public_objects

OBJECTS = {name.replace("nd4py.api.memory", "nd4py.memory"): found for name, found in public_objects()}


def test_every_public_name_has_an_example():
    shown = page_names()
    lacking = [name for name, found in OBJECTS.items() if not is_shown(name, found, shown)]
    assert lacking == [], "give the docstring an example, `>>> ...`, or use the name in a program of docs/reference"


def test_examples_in_docstrings(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)  # for those that write files
    once = {id(found): (name, found) for name, found in OBJECTS.items() if not name.startswith("nd4py.cuda")}
    assert failures(once.values()) == 0, capsys.readouterr().out


def test_a_wrong_example_is_noticed(capsys):
    def wrong():
        """
        >>> nd.sum(nd.ones(2)).item()
        3.0
        """

    assert failures([("wrong", wrong)]) == 1


@pytest.mark.parametrize("name, is_enough", [
    ("nd4py.without", False),
    ("nd4py.zeros", True),
    ("nd4py.memory.trim", True),
    ("nd4py.nn.LOSSES", True),
    ("nd4py.cuda.attach", True),
])  # fmt: skip
def test_a_name_without_an_example_is_found(name, is_enough):
    def without():
        """Nothing.  Raises nothing."""

    assert is_shown(name, without, page_names()) is is_enough
    assert is_shown("nd4py.module", inspect, frozenset())
