"""Whole programs of the kinds that newcomers write print what they print with NumPy, digit by digit."""

import contextlib
import io
from pathlib import Path

import numpy
import pytest

import nd4py as nd

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))


def printed(text, name, library):
    """What a program prints with a library as `np`."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(text.replace("import nd4py as np", f"import {library} as np"), name, "exec"), {})
    return out.getvalue()


@pytest.fixture(autouse=True)
def print_options():
    """Those of before, which a program may change, in both libraries."""
    with numpy.printoptions(), nd.printoptions():
        yield


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_prints_what_it_prints_with_numpy(path):
    text = path.read_text()
    assert "import nd4py as np" in text
    want = printed(text, path.name, "numpy")
    assert len(want.splitlines()) > 8
    assert printed(text, path.name, "nd4py") == want


def test_programs_are_there():
    assert len(PROGRAMS) >= 10
