"""Other objects where arrays belong: every function of the namespace converts them, or says what was wrong."""

import re

import numpy as np
import pytest
from namespace_calls import CALLS

import nd4py as nd

# The calls of these ask their operand for an attribute, or an element, before nd4py sees it.
ASKED_FIRST = {"ascontiguous", "atleast_1d", "ravel"}
# What Python says where nothing was checked.
UNCHECKED = re.compile(r"unsupported operand|has no attribute|object is not|takes \d|unexpected keyword")
STAND_INS = {
    "a list": lambda x: x.tolist(),
    "a string": lambda x: "x",
    "nothing": lambda x: None,
    "an object": lambda x: object(),
    "a list in a dict": lambda x: {"x": x.tolist()},
}


class InPlaceOf:
    """Makes operands for `CALLS` that are no arrays."""

    device = "cpu"

    def __init__(self, stand_in):
        self.stand_in = stand_in

    def __call__(self, x):
        return self.stand_in(x)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", STAND_INS)
@pytest.mark.parametrize("name", sorted(CALLS.keys() - ASKED_FIRST))
def test_what_is_no_array_is_taken_or_refused_in_words(name, kind):
    try:
        CALLS[name](nd, InPlaceOf(STAND_INS[kind]))
    except (TypeError, ValueError, IndexError) as error:
        assert re.search(r"\w", str(error))
        assert not UNCHECKED.search(str(error))


@pytest.mark.parametrize("other", ["x", None, object(), nd.float32, slice(None)])
def test_an_operand_beside_an_array_is_named(other):
    x = nd.ones(3)
    with pytest.raises(TypeError, match=r"add: x2 must be an nd4py array or a Python scalar, given .*asarray"):
        nd.add(x, other)
    with pytest.raises(TypeError, match=r"add: x1 must be"):
        nd.add(other, x, out=nd.ones(3))


def test_functions_that_take_lists_compute_what_they_do_with_arrays():
    mask, numbers = [[True, False], [True, True]], [[1.0, 2.0], [3.0, 4.0]]
    assert nd.sqrt([1, 4]).tolist() == [1.0, 2.0]
    assert nd.add(numbers, (10, 20)).tolist() == [[11.0, 22.0], [13.0, 24.0]]
    assert (nd.arange(2) * numbers).tolist() == (numbers * nd.arange(2)).tolist() == [[0.0, 2.0], [0.0, 4.0]]
    assert nd.sum(numbers, axis=0).tolist() == [4.0, 6.0]
    assert nd.max(3).item() == 3
    assert nd.cumulative_sum([1, 2, 3]).tolist() == [1, 3, 6]
    assert nd.where(mask)[0].tolist() == [0, 1, 1]
    assert nd.extract(mask, numbers).tolist() == [1.0, 3.0, 4.0]
    assert nd.take(numbers, [1], axis=0).tolist() == [[3.0, 4.0]]
    assert nd.take_along_axis(numbers, [[1], [0]]).tolist() == [[2.0], [3.0]]
    assert nd.zeros_like(numbers).shape == (2, 2)
    assert nd.clip(numbers, 2.0, 3.0).tolist() == [[2.0, 2.0], [3.0, 3.0]]
    assert nd.index_add(numbers, [0, 0], 1.0).tolist() == [[3.0, 4.0], [3.0, 4.0]]
    assert nd.astype([1, 2], "float32").dtype == nd.float32


def test_like_functions_and_astype_leave_what_is_deferred_so():
    x = nd.ones(1_000_000) + 1
    assert nd.zeros_like(x).shape == x.shape
    assert nd.explain(x) is not None
    y = nd.astype(x, "float32")
    assert nd.explain(y) is not None
    assert float(y[3]) == 2.0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: nd.arange("3"), "arange: needs numbers, given str"),
        (lambda: nd.arange(0, (1, 2)), "arange: needs numbers, given tuple"),
        (lambda: nd.linspace(None, 1), "linspace: needs numbers, given NoneType"),
        (lambda: nd.geomspace("1", 2), "geomspace: needs numbers, given str"),
        (lambda: nd.eye(2, "3"), "integer"),
        (lambda: nd.eye(2.5), "integer"),
        (lambda: nd.tri(3, k=0.5), "integer"),
        (lambda: nd.linalg.norm(nd.ones(3), ord=(1, 2)), r"norm: ord must be a number, given \(1, 2\)"),
        (lambda: nd.put_along_axis([1, 2], [0], 5), "put_along_axis: needs an array to write to, given list"),
        (lambda: nd.ones(()).__format__(3), "str"),
    ],
)
def test_numbers_that_are_none_are_refused(call, words):
    with pytest.raises(TypeError, match=words):
        call()


def test_numpy_numbers_are_numbers():
    assert nd.eye(np.int64(2), k=np.int8(1)).tolist() == [[0.0, 1.0], [0.0, 0.0]]
    assert nd.arange(np.float32(3)).shape == (3,)
    assert float(nd.linalg.vector_norm(nd.ones(4), ord=np.float32(1))) == 4.0
