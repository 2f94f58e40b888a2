"""Irregular operations: the examples of their rows, on every instruction set this machine has, against NumPy."""

import numpy as np
import pytest
from table import arguments_of, assert_close, dtypes_of, reference_of

import nd4py as nd
from nd4py._spec.ops import OPS

EXAMPLES = [
    pytest.param(op, dtype, text, id=f"{op.name}-{dtype}-{number}")
    for op in OPS
    for dtype in dtypes_of(op)
    for number, text in enumerate(op.examples)
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("op, dtype, text", EXAMPLES)
def test_examples_match_the_reference(op, dtype, text, instruction_set):
    """Of several results, the reference may give the first alone."""
    arguments, keywords = arguments_of(text, op, dtype)
    got = getattr(nd, op.name)(*[nd.asarray(x) if isinstance(x, np.ndarray) else x for x in arguments], **keywords)
    want = reference_of(op, arguments, keywords)
    got, want = got if isinstance(got, tuple) else (got,), want if isinstance(want, tuple) else (want,)
    for one, expected in zip(got[: len(want)], want, strict=True):
        assert_close(one, expected, dtype, op.ulp, op.name)


@pytest.mark.parametrize("op", [op for op in OPS if op.family != "custom"], ids=lambda op: op.name)
def test_rows_with_expressions_have_other_tests(op):
    assert not op.examples
    assert not op.kernels
