"""Programs that run with NumPy and with nd4py: `program(np)` is called with either package, the results compared.

A program makes its arrays of `np`, as one that was written for NumPy does.  Where NumPy refuses, nd4py has to refuse.
"""

import warnings

import numpy
import pytest

import nd4py as nd

REFUSALS = (TypeError, ValueError, IndexError, OverflowError, NotImplementedError)


def outcome(program, np):
    """What a program gives, or the error it ends with."""
    refusals = (Exception,) if np is numpy else REFUSALS
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # NumPy's about NaN, which nd4py never gives
            return program(np)
    except refusals as error:
        return error


def assert_same(got, want, rtol=1e-12):
    """Arrays of one dtype, shape and values; tuples and lists item by item; other things equal."""
    if isinstance(want, tuple | list) and any(isinstance(item, numpy.ndarray | tuple | list) for item in want):
        assert isinstance(got, tuple | list)
        assert len(got) == len(want)
        for one, expected in zip(got, want, strict=True):
            assert_same(one, expected, rtol)
    elif isinstance(want, numpy.ndarray | numpy.generic):
        got = numpy.asarray(got)
        assert (got.dtype, got.shape) == (want.dtype, want.shape)
        if want.dtype.kind in "fc":
            rtol = max(rtol, 8 * float(numpy.finfo(want.dtype).eps))
            numpy.testing.assert_allclose(got, want, rtol=rtol, atol=rtol)
        else:
            numpy.testing.assert_array_equal(got, want)
    else:
        assert got == want


def check(program):
    """A program gives the same with nd4py as with NumPy."""
    want, got = outcome(program, numpy), outcome(program, nd)
    if isinstance(want, Exception):
        assert isinstance(got, Exception), f"NumPy refuses ({want!r}), nd4py gives {got}"
    else:
        if isinstance(got, Exception):
            raise got
        assert_same(got, want)


def parameters(programs):
    """The programs of a table as parameters of a test: name -> program, or a list of them."""
    return [
        pytest.param(program, id=f"{name}-{i}" if len(listed) > 1 else name)
        for name, given in programs.items()
        for listed in [given if isinstance(given, list) else [given]]
        for i, program in enumerate(listed)
    ]
