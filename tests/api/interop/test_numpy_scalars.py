"""Arrays of one number do in programs what NumPy's scalars do: they have hashes, repeat lists and keep their values."""

from collections import Counter

import numpy as np
import pytest

import nd4py as nd


@pytest.mark.parametrize("values", [[3, 1, 3, 2], [0.5, -0.0, 0.0, 2.0], [True, False, True], [1j, 1, 1j]], ids=str)
def test_hashes_are_those_of_numbers(values):
    x, y = nd.asarray(values), np.asarray(values)
    assert set(x) == set(y.tolist())
    assert Counter(x) == Counter(y.tolist())
    assert dict.fromkeys(x, 1) == dict.fromkeys(y.tolist(), 1)
    assert [hash(item) for item in x] == [hash(item) for item in y.tolist()]
    assert x[0] in {values[0]}
    assert hash(nd.sum(x)) == hash(nd.sum(x).item())


@pytest.mark.parametrize("shape", [(1,), (0,), (2, 2)])
def test_arrays_with_axes_have_no_hash(shape):
    with pytest.raises(TypeError, match="unhashable type.*tolist"):
        hash(nd.zeros(shape))


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint16"])
def test_lists_and_tuples_are_repeated(dtype):
    n = nd.asarray([0, 3], dtype=dtype)
    assert [0, 1] * n[1] == [0, 1, 0, 1, 0, 1]
    assert (0,) * n[1] == (0, 0, 0)
    assert [5] * n[0] == []
    assert "-" * n[1] == "---"
    for product in (n * [1, 2], [1, 2] * n, nd.multiply([1, 2], n), [1, 2] * nd.asarray(2.0)):
        assert product.shape == (2,)


def test_elements_keep_their_values():
    x = nd.arange(4)
    first, items = x[0], list(x)
    x[0], x[1] = x[1], x[0]
    assert x.tolist() == [1, 0, 2, 3]
    x[:] = 9
    assert (first.item(), [item.item() for item in items]) == (0, [0, 1, 2, 3])
