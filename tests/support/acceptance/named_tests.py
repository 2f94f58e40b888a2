"""Lists of what is promised, and of the tests that hold it: `{"M1": ["test_file.py::test_name", ...]}`."""

import ast
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parents[2]


@cache
def names_in(file_name):
    """The names of the tests in a file, wherever it is."""
    [path] = TESTS.rglob(file_name)
    return {node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)}


def missing(tests):
    """Those of the tests that are not there."""
    pairs = [(test, *test.split("::")) for test in tests]
    return [test for test, file_name, name in pairs if name not in names_in(file_name)]
