"""An element has the same bits wherever it stands in an array: every row, gradients of rows too.

A loop's vector body and the tail behind it are compiled apart, and a compiler may fuse a product with a sum in one of
them and not in the other; where a row leaves it the choice, equal elements of one array would have unequal results.
"""

import numpy as np
import pytest
from table import draw

import nd4py as nd
from nd4py._exec.dispatch.dispatch import call
from nd4py._exec.dispatch.row_table import row_number
from nd4py._spec.ops import ALL
from nd4py.cpu.isa.isa import supported

N = 200
PARTS = ((0, 1), (0, 3), (1, 5), (7, 13), (64, 37), (100, 100), (163, 31))  # where they begin, and their lengths
FLOATING = ("float16", "bfloat16", "float32", "float64", "complex64", "complex128")
ROWS = [
    pytest.param(op, dtype, id=f"{op.name}-{dtype}")
    for op in ALL
    if op.family == "map"
    for dtype in op.dtypes
    if dtype in FLOATING
]


def operands_of(op, dtype):
    """Numbers of the row's domain; where a gradient has more operands than domains, numbers around 0."""
    domains = op.domain if isinstance(op.domain[0], tuple) else (op.domain,) * len(op.args)
    domains = (*domains, *[(-2.0, 2.0)] * len(op.args))[: len(op.args)]
    rng = np.random.default_rng(11)
    drawn = dtype if dtype != "bfloat16" else "float32"
    values = [draw(rng, drawn, max(low, -100.0), min(high, 100.0), N) for low, high in domains]
    kinds = ["bool" if name == "condition" else dtype for name in op.args]
    return [nd.asarray(x).astype(kind) for x, kind in zip(values, kinds, strict=True)]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("instruction_set", supported(), indirect=True)
@pytest.mark.parametrize("op, dtype", ROWS)
def test_bits_do_not_depend_on_the_position(op, dtype, instruction_set):
    operands = operands_of(op, dtype)
    params = tuple(0.37 if default is None else default for _, default in op.params)

    def results(key):
        found = call(row_number(op.name), tuple(x[key] for x in operands), params, None)
        return found if isinstance(found, tuple) else (found,)

    whole = results(slice(None))
    for first, n in PARTS:
        part = slice(first, first + n)
        for label, key in (("", part), (" one apart", slice(first, first + n, 2))):
            for x, y in zip(whole, results(key), strict=True):
                assert_same_bits(x[key], y, f"{op.name} of {n} elements from {first}{label}")


def assert_same_bits(x, y, label):
    """Equal bits, NaN aside."""
    x, y = (np.array(np.asarray(z.astype("float32") if z.dtype == "bfloat16" else z)) for z in (x, y))
    size = x.dtype.itemsize
    differs = (x.view(np.uint8).reshape(-1, size) != y.view(np.uint8).reshape(-1, size)).any(axis=-1)
    differs &= ~(np.isnan(x) & np.isnan(y))
    assert not differs.any(), f"{label}: {x[differs][:3]} and {y[differs][:3]}"
