"""Every public name has an example: in its docstring, or in a program on a page of the reference.  Those of networks,
data and training have a test too.

Examples of devices run in tests/cuda/devices/test_device_examples.py, those of PyTorch in tests/clients/pytorch.
"""

import inspect
import re
from functools import cache
from pathlib import Path

import pytest
from public_objects import failures, is_shown, methods_of, page_names, public_objects

import nd4py as nd

TESTS = Path(__file__).parents[1]
OBJECTS = {name.replace("nd4py.api.memory", "nd4py.memory"): found for name, found in public_objects()}


def test_every_public_name_has_an_example():
    shown = page_names()
    lacking = [name for name, found in OBJECTS.items() if not is_shown(name, found, shown)]
    assert lacking == [], "give the docstring an example, `>>> ...`, or use the name in a program of docs/reference"


# Classes whose methods are what users call: each has an example of its own.
SHOWN_BY_METHOD = (nd.NDArray, nd.random.Generator)


@pytest.mark.parametrize("cls", SHOWN_BY_METHOD, ids=lambda cls: cls.__name__)
def test_every_method_has_an_example(cls):
    lacking = [name for name, method in methods_of(cls) if ">>>" not in (inspect.getdoc(method) or "")]
    assert lacking == [], "give the docstring an example, `>>> ...`"


@pytest.mark.parametrize("cls", SHOWN_BY_METHOD, ids=lambda cls: cls.__name__)
def test_examples_of_methods(cls, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert failures(methods_of(cls)) == 0, capsys.readouterr().out


def test_examples_in_docstrings(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)  # for those that write files
    elsewhere = ("nd4py.cuda", "nd4py.torch")
    once = {id(found): (name, found) for name, found in OBJECTS.items() if not name.startswith(elsewhere)}
    assert failures(once.values()) == 0, capsys.readouterr().out


FOLDERS = ("nn", "data", "train", "parallel")


@cache
def words_in_tests():
    """The words in the tests of networks, data and training, and in the cases that they share."""
    files = [path for folder in FOLDERS for path in (TESTS / folder).rglob("test_*.py")]
    tables = (TESTS / "support" / "cases.py", *(TESTS / "support" / "nn_cases").glob("*.py"))
    texts = [path.read_text(encoding="utf-8") for path in (*files, *tables)]
    return set(re.findall(r"\w+", "".join(texts)))


@pytest.mark.parametrize("package", FOLDERS)
def test_every_public_name_of_a_package_is_tested(package):
    names = {name.rpartition(".")[2] for name in OBJECTS if name.startswith(f"nd4py.{package}.")}
    assert sorted(names - words_in_tests()) == [], f"use them in tests/{package}"


def test_a_name_without_a_test_is_found():
    assert "DenseLayer" in words_in_tests()
    assert "NoSuchLayer" not in words_in_tests()


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
