"""The whole namespace for a batch: nd.vmap(f) is what f gives for each example, stacked, and so are gradients.

A new function of the namespace is in this test by its call in `namespace_calls`.
"""

import numpy as np
import pytest
from namespace_calls import CALLS

import nd4py as nd
from nd4py._exec.batching.batched_array import BatchedArray

SIZE = 2
LOOKING = "values of one cannot be looked at"
# Functions whose answer is a Python bool, number or text, or memory of others: what a batch has none of.
LOOKED_AT = set()
# Calls whose gradient each example refuses, or whose results are no floats, are left out by what they raise.
REFUSED = (TypeError, ValueError, NotImplementedError)


class Operands:
    """Makes the operands of a call: the first of them are given, the others come from the call's own samples."""

    device = "cpu"

    def __init__(self, *given):
        self.given = given
        self.made = []

    def __call__(self, values):
        values = np.asarray(values)
        self.made.append(values.astype("float64") if values.dtype.kind == "f" else values)
        n = len(self.made)
        return self.given[n - 1] if n <= len(self.given) else nd.asarray(self.made[-1])


def varied(x, k):
    """Another example like `x`, off kinks and ties."""
    return x + np.random.default_rng(k).uniform(0.01, 0.04, x.shape) if x.dtype.kind == "f" else x


def examples_of(name):
    """The operands of a call, each an array of examples."""
    operands = Operands()
    CALLS[name](nd, operands)
    return [nd.asarray(np.stack([varied(x, k) for k in range(SIZE)])) for x in operands.made]


def differentiable_examples_of(name):
    """The operands of a call, and the place of the first one with a gradient.  Skips the test where there is none."""
    inputs = examples_of(name)
    place = next((k for k, x in enumerate(inputs) if x.dtype.kind == "f"), None)
    if place is None or name in LOOKED_AT:
        pytest.skip("nothing to differentiate")
    return inputs, place


def leaves(result):
    """The arrays and numbers of a result."""
    if isinstance(result, tuple | list):
        return tuple(y for item in result for y in leaves(item))
    return () if result is None or isinstance(result, str | nd.DType | np.dtype) else (result,)


def number_of(name, *arrays):
    """One number that depends on every floating element of the results of a call; None without any."""
    total = None
    for y in leaves(CALLS[name](nd, Operands(*arrays))):
        if isinstance(y, nd.NDArray | BatchedArray) and y.dtype.kind == "f":
            weights = nd.asarray(np.cos(np.arange(y.size)).reshape(y.shape) + 1.5)
            product = nd.nansum(y * weights)
            total = product if total is None else total + product
    return total


def stacked(function, inputs):
    """What the function gives for each example."""
    results = [function(*[x[i] for x in inputs]) for i in range(SIZE)]
    return [nd.stack([nd.asarray(y) for y in column]) for column in zip(*results, strict=True)]


def assert_alike(got, want):
    for one, other in zip(got, want, strict=True):
        assert one.shape == other.shape
        assert one.dtype == other.dtype
        wide = [np.asarray(x.astype("float64") if x.dtype == "bfloat16" else x) for x in (one, other)]
        np.testing.assert_allclose(
            *wide, rtol=1e-5, atol=1e-9 + 1e-7 * float(np.abs(wide[1][np.isfinite(wide[1])]).max(initial=0))
        )


@pytest.mark.parametrize("name", sorted(CALLS))
def test_functions_of_a_batch(name):
    def function(*arrays):
        return leaves(CALLS[name](nd, Operands(*arrays)))

    inputs = examples_of(name)
    if not inputs:
        pytest.skip("the call has no operand")
    want = stacked(function, inputs)
    if name in LOOKED_AT:
        with pytest.raises(TypeError, match=LOOKING):
            nd.vmap(function)(*inputs)
    else:
        assert_alike(nd.vmap(function)(*inputs), want)


@pytest.mark.parametrize("name", sorted(CALLS))
def test_gradients_of_functions_for_each_example(name):
    inputs, place = differentiable_examples_of(name)

    def gradient(*arrays):
        def number(x):
            return number_of(name, *arrays[:place], x, *arrays[place + 1 :])

        return (nd.grad(number)(arrays[place]),)

    try:
        want = stacked(gradient, inputs)
    except REFUSED:
        pytest.skip("has no gradient")
    assert_alike(nd.vmap(gradient)(*inputs), want)

    def loss(x):
        return nd.vmap(lambda *arrays: number_of(name, *arrays))(*inputs[:place], x, *inputs[place + 1 :]).sum()

    assert_alike((nd.grad(loss)(inputs[place]),), want)


@pytest.mark.parametrize("name", sorted(CALLS))
def test_gradients_around_gradients_of_functions_for_each_example(name):
    """Of the examples, and of an array from outside that all of them read."""
    inputs, place = differentiable_examples_of(name)
    scale = nd.asarray(np.random.default_rng(5).uniform(1.001, 1.002, inputs[place].shape[1:]))

    def gradient(scale, *arrays):
        def number(x):
            return number_of(name, *arrays[:place], x * scale.astype(x.dtype), *arrays[place + 1 :])

        return nd.grad(number)(arrays[place])

    def loss(scale, x, each):
        found = each(gradient, scale, (*inputs[:place], x, *inputs[place + 1 :]))
        return nd.nansum(found.astype("float64") ** 2)

    def looped(function, scale, arrays):
        return nd.stack([function(scale, *[x[i] for x in arrays]) for i in range(SIZE)])

    def batched(function, scale, arrays):
        return nd.vmap(function, (None, *(0 for _ in arrays)))(scale, *arrays)

    try:
        want = nd.grad(loss, (0, 1))(scale, inputs[place], looped)
    except REFUSED:
        pytest.skip("has no second derivative")
    assert_alike(nd.grad(loss, (0, 1))(scale, inputs[place], batched), want)
