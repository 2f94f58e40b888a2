"""Single elements: what reads, writes and iterates over them, for all kinds of keys and values, beside NumPy."""

import copy
import operator
import pickle
from enum import IntEnum
from fractions import Fraction

import numpy as np
import pytest

import nd4py as nd
from nd4py import WorkspaceError

DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128",
]  # fmt: skip


class Two(IntEnum):
    VALUE = 2


class Index:
    """An object that is an index, and nothing else."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


def indices(value):
    """One index, spelled in all ways."""
    whole = [np.int8, np.int16, np.int32, np.int64, *([np.uint8, np.uint64] if value >= 0 else [])]
    return [value, *[kind(value) for kind in whole], Index(value), nd.asarray(value), np.asarray(value)]


def sample(dtype, shape):
    """Small numbers of a dtype."""
    size = int(np.prod(shape))
    values = np.arange(1, size + 1).reshape(shape)
    return (values % 3 == 0) if dtype == "bool" else values.astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("value", [0, 3, -1, -4])
def test_every_spelling_of_an_index_reads_the_element(dtype, value):
    expected = sample(dtype, (4,))
    x = nd.asarray(expected)
    for index in indices(value):
        for _ in range(2):  # a type that was an index once takes a shorter way
            y = x[index]
            assert type(y) is nd.NDArray
            assert y.shape == ()
            assert y.dtype == x.dtype
            assert y.item() == expected[value].item(), type(index)
        assert x[(index,)].item() == expected[value].item()


@pytest.mark.parametrize("dtype", DTYPES)
def test_tuples_of_indices_read_elements_and_rows(dtype):
    expected = sample(dtype, (3, 4))
    for x, by_numpy in ((nd.asarray(expected), expected), (nd.asarray(expected).T, expected.T)):
        for i in (0, 2, -1):
            assert np.array_equal(np.asarray(x[i]), by_numpy[i])
            for first in indices(i):
                for second in indices(-i):
                    assert x[first, second].item() == by_numpy[i, -i].item()


@pytest.mark.parametrize("index", [4, -5, np.int64(4), np.uint8(200), Index(-5), 2**40, 2**70])
def test_an_index_out_of_range_is_an_error(index):
    x = nd.zeros(4)
    text = f"index {operator.index(index)} is out of range for axis 0 of size 4"
    for key in (index, (index,)):
        with pytest.raises(IndexError, match=text):
            x[key]
        with pytest.raises(IndexError, match=text):
            x[key] = 1
    with pytest.raises(IndexError, match="is out of range for axis 1 of size 4"):
        nd.zeros((4, 4))[0, index]


def test_bools_are_masks_and_no_indices():
    x = nd.asarray([1.0, 2.0])
    for _ in range(2):
        assert x[True].shape == (1, 2)
        assert x[np.True_].shape == (1, 2)
        assert x[nd.asarray(True)].shape == (1, 2)
        assert x[np.int64(1)].item() == 2.0  # which teaches that NumPy's integers are indices, not its bools
    for index in (1.0, "1", Fraction(1), np.float64(1)):
        with pytest.raises(IndexError):
            x[index]


def test_too_many_indices_are_an_error():
    for shape, key in ((3, (0, 0)), ((), 0), ((), np.int64(0)), ((2, 2), (0, 0, 0))):
        x = nd.zeros(shape)
        with pytest.raises(IndexError, match="too many indices"):
            x[key]
        with pytest.raises(IndexError, match="too many indices"):
            x[key] = 1


def test_an_element_is_a_copy_and_a_view_is_none():
    x = nd.asarray([1, 2, 3], dtype="uint8")[::-1]
    assert x[1].item() == 2
    assert [item.item() for item in x] == [3, 2, 1]
    x = nd.asarray([1.0, 2.0, 3.0])
    element, view = x[1], x[1, ...]
    x[1] = 20.0
    assert element.item() == 2.0
    assert view.item() == 20.0
    element[()] = 7.0
    assert element.item() == 7.0
    assert x[1].item() == 20.0
    zero = nd.asarray(5.0)
    assert zero[()].item() == 5.0
    zero[()] = 6
    assert zero.item() == 6.0
    part = zero[...]
    part[...] = 8.0
    assert zero.item() == 8.0


VALUES = [0, 1, 2, -1, 300, 2**40, 2**63, 2**70, True, False, 0.0, 1.0, 1.5, float("nan"), float("inf"), 1j, 1.0 + 0j]
SCALARS = [kind(1) for kind in (np.bool_, np.int8, np.uint8, np.int64, np.uint64, np.float16, np.float32, np.float64)]
SCALARS += [np.int64(2**53 + 1), np.int64(-5), np.int64(300), np.float32(1.5), np.complex64(1j), np.longdouble(1.5)]


@pytest.mark.parametrize("dtype", DTYPES)
def test_an_element_is_written_as_a_row_is(dtype):
    """One element goes a short way, several go the general one; both write the same, or raise the same error."""
    for value in [*VALUES, *SCALARS, *map(nd.asarray, [True, 3, 1.5]), nd.asarray(1, dtype), "1", None, [1, 2], [1]]:
        one, several = nd.zeros(3, dtype=dtype), nd.zeros(3, dtype=dtype)
        errors = []
        for x, key in ((one, 1), (several, slice(1, 2))):
            try:
                x[key] = value
            except (TypeError, ValueError, OverflowError) as error:
                errors.append((type(error), str(error)))
        if isinstance(value, list) and len(value) == 2:
            assert len(errors) == 2
            continue
        assert len(errors) in (0, 2), (value, errors)
        assert not errors or errors[0] == errors[1]
        assert np.asarray(one).tobytes() == np.asarray(several).tobytes(), value


@pytest.mark.parametrize("dtype", ["float32", "int64", "bool"])
def test_who_reads_later_reads_what_was_there(dtype):
    x = nd.ones(200_000, dtype=dtype)
    with nd.combine(True):
        y = x == x
        x[7] = 0
    assert bool(y[7])
    assert x[7].item() == 0
    frozen = nd.broadcast_to(nd.asarray(1.0), (3,))
    with pytest.raises(ValueError, match="read-only"):
        frozen[0] = 1.0


def test_a_written_element_is_noticed_by_the_tape():
    x = nd.asarray([1.0, 2.0])

    def spoils(w):
        y = w * x
        x[0] = 5.0
        return y.sum()

    with pytest.raises((RuntimeError, ValueError), match="written|changed|place"):
        nd.grad(spoils)(nd.asarray([3.0, 4.0]))

    def writes(w):
        w[0] = 1.0
        return w.sum()

    with pytest.raises(ValueError, match="gradients do not flow"):
        nd.grad(writes)(nd.asarray([3.0, 4.0]))

    def puts(w):
        nd.zeros(2)[0] = w[0]
        return w.sum()

    with pytest.raises(ValueError, match="gradients do not flow"):
        nd.grad(puts)(nd.asarray([3.0, 4.0]))


@pytest.mark.parametrize("index", [1, np.int64(1), (1,), -1], ids=str)
def test_elements_rows_and_iteration_have_gradients(index):
    x = nd.asarray([1.0, 2.0])
    assert nd.grad(lambda w: w[index] * w[index])(x).tolist() == [0.0, 4.0]
    assert nd.grad(lambda w: sum(item * item for item in w))(x).tolist() == [2.0, 4.0]
    m = nd.asarray([[1.0, 2.0], [3.0, 4.0]])
    assert nd.grad(lambda w: sum((row * row).sum() for row in w))(m).tolist() == [[2.0, 4.0], [6.0, 8.0]]
    assert nd.grad(lambda w: (w.T[0] * w.mT[1]).sum())(m).tolist() == [[2.0, 1.0], [4.0, 3.0]]
    for take in (float, int, complex, operator.index, bool, lambda item: item.item(), lambda item: [item.tolist()]):
        if take is bool:
            continue
        with pytest.raises(TypeError):
            nd.grad(lambda w, take=take: take(w[0]) * w[1])(x)


@pytest.mark.parametrize("dtype", DTYPES)
def test_builtins_take_arrays_as_numpy_does(dtype):
    expected = sample(dtype, (5,))[::-1]
    for x in (nd.asarray(expected), nd.asarray(np.repeat(expected, 2))[::2]):
        assert [item.item() for item in x] == expected.tolist() == x.tolist()
        assert [item.item() for item in list(x)] == [item.item() for item in reversed(list(reversed(list(x))))]
        assert sum(x).item() == sum(expected.tolist())
        if not dtype.startswith("complex"):
            assert max(x).item() == max(expected)
            assert min(x).item() == min(expected)
            assert [item.item() for item in sorted(x)] == sorted(expected.tolist())
            assert [float(item) for item in x] == [float(item) for item in expected]
            assert [int(item) for item in x] == [int(item) for item in expected]
        assert [bool(item) for item in x] == [bool(item) for item in expected]
        assert [complex(item) for item in x] == [complex(item) for item in expected]
    rows = nd.asarray(sample(dtype, (3, 2)))
    assert [row.tolist() for row in rows] == sample(dtype, (3, 2)).tolist()
    assert list(nd.zeros((0, 3), dtype=dtype)) == []
    assert len(list(nd.zeros((3, 0), dtype=dtype))) == 3


def test_an_iterator_looks_at_the_array_itself():
    x = nd.asarray([1.0, 2.0, 3.0])
    iterator = iter(x)
    assert iter(iterator) is iterator
    assert operator.length_hint(iterator) == 3
    assert next(iterator).item() == 1.0
    x[1] = 20.0
    assert next(iterator).item() == 20.0
    assert operator.length_hint(iterator) == 1
    row = next(iter(nd.zeros((2, 2))))
    with pytest.raises(TypeError, match="iteration over an array without dimensions"):
        iter(nd.zeros(()))
    row[0] = 1.0
    m = nd.zeros((2, 2))
    for row in m:
        row[...] = 3.0
    assert m.tolist() == [[3.0, 3.0], [3.0, 3.0]]
    x.close()
    with pytest.raises(ValueError, match="closed"):
        next(iterator)


def test_elements_belong_to_their_workspace():
    outside = nd.asarray([1.0, 2.0])
    with nd.workspace("elements"):
        inside, element, compared = nd.asarray([1.0, 2.0]), outside[0], outside[0] == outside[1]
        iterator = iter(inside)
        assert element.is_attached()
        assert compared.is_attached()
        kept = outside[1].detach()
    for lost in (element, compared):
        with pytest.raises(WorkspaceError):
            float(lost)
    with pytest.raises(WorkspaceError):
        next(iterator)
    assert float(kept) == 2.0


def test_an_array_without_dimensions_owns_its_element():
    x = nd.asarray([1.5, 2.5])[1]
    assert x.closeable
    assert not x.is_attached()
    view = np.asarray(x)
    assert not x.closeable
    del x
    view[()] = 3.5
    assert view == 3.5
    y = nd.asarray([1.5, 2.5])[0]
    part = y.reshape(1)
    del y
    assert part.tolist() == [1.5]
    z = nd.asarray(4.0)
    z.close()
    z.close()
    with pytest.raises(ValueError, match="closed"):
        z + 1
    many = [nd.asarray([float(i)])[0] for i in range(300)]
    assert [item.item() for item in many] == [float(i) for i in range(300)]
    for item in (many[3], copy.copy(many[3]), copy.deepcopy(many[3]), pickle.loads(pickle.dumps(many[3]))):
        assert item.item() == 3.0
    capsule = nd.from_dlpack(many[7])
    del many[7]
    assert capsule.item() == 7.0


def test_results_of_deferred_chains_may_have_no_dimensions():
    x = nd.ones(300_000, dtype="float32")
    total = (x + x).sum()
    held = total + 1
    assert total.item() == 600_000
    assert held.item() == 600_001
    total += 1
    assert total.item() == 600_001
    with nd.combine(True):
        a = nd.asarray(2.0)
        y = x * a
        a[()] = 5.0
        assert y[0].item() == 2.0
        y = x * a
        a.close()
        assert y[0].item() == 5.0
