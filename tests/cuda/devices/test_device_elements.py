"""An index that leaves no axis gives a copy on devices too."""

import random

import pytest

import nd4py as nd

pytestmark = pytest.mark.usefixtures("simulator")

DEVICE = "cuda:0"


MAKERS = {
    "own": lambda: nd.arange(6.0, device=DEVICE),
    "deferred": lambda: nd.arange(6.0, device=DEVICE) * 1 + 0,
    "a view": lambda: (nd.arange(12.0, device=DEVICE).reshape(6, 2) / 2)[:, 0],
    "halves": lambda: nd.arange(6, dtype="float16", device=DEVICE),
}


@pytest.fixture(params=[*MAKERS, "workspace"])
def make(request):
    """What makes 0 to 5 on a device."""
    if request.param == "workspace":
        with nd.workspace("elements on a device"):
            yield MAKERS["own"]
    else:
        yield MAKERS[request.param]


def test_swap(make):
    x = make()
    x[0], x[1] = x[1], x[0]
    assert x.tolist() == [1, 0, 2, 3, 4, 5]


def test_shuffle_loses_nothing(make):
    x = make()
    random.Random(5).shuffle(x)
    assert sorted(x.tolist()) == [0, 1, 2, 3, 4, 5]


def test_an_element_keeps_its_value(make):
    x = make()
    old, kept = x[1], list(x)
    x[...] = 9
    x[1] += 1
    assert old.item() == 1
    assert [element.item() for element in kept] == [0, 1, 2, 3, 4, 5]
    assert x.tolist() == [9, 10, 9, 9, 9, 9]


def test_writing_an_element_leaves_the_array_alone(make):
    x = make()
    total = x[0]
    for element in x:
        total += element
    assert total.item() == 15
    assert x.tolist() == [0, 1, 2, 3, 4, 5]


def test_half_precision_numbers_made_on_a_device():
    """They are made as float32 on the host, whose conversion may be deferred."""
    x = nd.arange(200_000, dtype="float16", device=DEVICE)
    assert x[:3].tolist() == [0, 1, 2]


def test_views(make):
    x = make()
    view, rows = x[2, ...], x.reshape(2, 3) if x.is_contiguous else None
    view[...] = 7
    if rows is not None:
        rows[1][0] = 8
    assert x.tolist()[2] == 7
    assert rows is None or x.tolist()[3] == 8


def test_gradients_flow_through_elements():
    def loss(y):
        return y[0] * y[2] + y[1]

    assert nd.grad(loss)(nd.asarray([2.0, 3.0, 5.0], device=DEVICE)).tolist() == [5, 1, 2]
