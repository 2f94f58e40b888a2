"""An index that leaves no axis gives a copy: an element that keeps its value, wherever the array lies."""

import random

import numpy as np
import pytest

import nd4py as nd

SHARED = np.arange(6.0)


def deferred():
    """An array whose values have not been computed."""
    return nd.arange(6.0) * 1 + 0


def foreign():
    return nd.asarray(SHARED.copy())


@pytest.fixture(params=["own", "foreign", "deferred", "a view", "backwards", "workspace", "integers", "halves"])
def x(request):
    """0 to 5, in memory of every kind."""
    if request.param == "workspace":
        with nd.workspace("elements of a test"):
            yield nd.arange(6.0)
        return
    yield {
        "own": lambda: nd.arange(6.0),
        "foreign": foreign,
        "deferred": deferred,
        "a view": lambda: nd.arange(12.0).reshape(6, 2)[:, 0] / 2,
        "backwards": lambda: nd.arange(5.0, -1.0, -1.0)[::-1],
        "integers": lambda: nd.arange(6),
        "halves": lambda: nd.arange(6, dtype="float16"),
    }[request.param]()


def test_swap(x):
    x[0], x[1] = x[1], x[0]
    assert x.tolist() == [1, 0, 2, 3, 4, 5]


def test_shuffle_loses_nothing(x):
    random.Random(5).shuffle(x)
    assert sorted(x.tolist()) == [0, 1, 2, 3, 4, 5]
    assert x.tolist() != [0, 1, 2, 3, 4, 5]


def test_an_element_keeps_its_value(x):
    old, behind, by_array = x[1], x[-1], x[nd.asarray(2)]
    x[...] = 9
    assert [old.item(), behind.item(), by_array.item()] == [1, 5, 2]


def test_writing_an_element_leaves_the_array_alone(x):
    element = x[2]
    element += 7
    element[...] += 1
    assert element.item() == 10
    assert x.tolist() == [0, 1, 2, 3, 4, 5]


def test_sum_of_a_loop(x):
    total = x[0]
    for element in x:
        total += element
    assert total.item() == 15
    assert x.tolist() == [0, 1, 2, 3, 4, 5]


def test_history(x):
    kept = []
    for i in range(4):
        x[0] = i
        kept.append(x[0])
    assert [element.item() for element in kept] == [0, 1, 2, 3]


def test_iteration_gives_values_of_their_time(x):
    elements = []
    for element in x:
        elements.append(element)
        x[:] = 8
    assert [element.item() for element in elements] == [0, 8, 8, 8, 8, 8]


def test_in_place_operators_of_an_index_write_the_array(x):
    x[1] += 5
    x[2] *= 4
    x[-1] -= 1
    assert x.tolist() == [0, 6, 8, 3, 4, 4]


def test_sorting_in_place_by_hand(x):
    x[...] = nd.asarray([3, 0, 5, 1, 4, 2], dtype=x.dtype)
    for i in range(6):
        for j in range(5 - i):
            if x[j] > x[j + 1]:
                x[j], x[j + 1] = x[j + 1], x[j]
    assert x.tolist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("key", [(1, 2), (-1, 0), (np.int64(1), 2), (nd.asarray(1), nd.asarray(0))], ids=str)
@pytest.mark.parametrize("has_ellipsis", [False, True])
def test_an_ellipsis_makes_a_view(key, has_ellipsis):
    y, z = nd.arange(12.0).reshape(3, 4) + 0, np.arange(12.0).reshape(3, 4)
    numbers = tuple(map(int, key))
    for where in range(3) if has_ellipsis else [None]:
        ours, theirs = list(key), list(numbers)
        if where is not None:
            ours.insert(where, ...)
            theirs.insert(where, ...)
        element, expected = y[tuple(ours)], z[tuple(theirs)]
        y[numbers] = z[numbers] = -1.0
        assert element.item() == expected.item()
        assert element.shape == ()
        y[numbers] = z[numbers] = 3.0


def test_rows_stay_views():
    y = nd.zeros((2, 3))
    y[0][1] = 5
    y[1, :] += 2
    for row in y:
        row *= 2
    assert y.tolist() == [[0, 10, 0], [4, 4, 4]]


def test_an_array_without_dimensions():
    y = nd.asarray(3.0)
    copied, view = y[()], y[...]
    y[...] = 4
    assert (copied.item(), view.item()) == (3, 4)
    y[()] += 1
    assert y.item() == 5


def test_elements_of_what_cannot_be_written():
    y = nd.ones(3).broadcast_to((2, 3))
    element = y[1, 2]
    element += 1
    assert element.is_writable
    assert y.tolist() == [[1, 1, 1]] * 2


def test_element_outlives_its_array():
    y = nd.arange(4.0)
    element = y[3]
    y.close()
    assert element.item() == 3


def test_gradients_flow_through_elements():
    weights = nd.asarray([1.0, 2.0, 3.0])

    def loss(y):
        element = y[0]
        total = element * y[2]
        for part in y:
            total = total + part * part
        return total + (weights * y)[1]

    assert nd.grad(loss)(nd.asarray([2.0, 3.0, 5.0])).tolist() == [4 + 5, 6 + 2, 10 + 2]


def test_a_gradient_sees_the_element_that_was_read():
    scale = nd.asarray([2.0, 3.0])

    def loss(y):
        product = y * scale[0]
        scale[0] = 50.0
        return nd.sum(product)

    assert nd.grad(loss)(nd.ones(2)).tolist() == [2, 2]


def test_elements_taken_in_a_scope_belong_to_it():
    outside = nd.arange(3.0)
    with nd.workspace("elements of a scope"):
        element = outside[1]
        kept = element.detach()
        assert element.is_attached
    assert kept.item() == 1
    with pytest.raises(nd.WorkspaceError):
        element.item()


@pytest.mark.parametrize("key", [(True, 0), (0, True), (np.True_, -1), (True, True, 0)], ids=repr)
def test_an_element_is_written_behind_a_truth_value(key):
    x, y = nd.zeros(3), np.zeros(3)
    x[key], y[key] = 7.0, 7.0
    assert x.tolist() == y.tolist()
    x[key] += 1.0
    assert x.tolist() == [value and value + 1.0 for value in y.tolist()]
