"""Losses of the namespace take what a model puts out first and labels last, as PyTorch's do."""

import inspect

import numpy as np
import pytest

import nd4py as nd
from nd4py._spec.op import LOSS_ARGUMENTS
from nd4py._spec.ops import LOSSES

ROWS = [op.name for op in LOSSES]
ORDERED = [op.name for op in LOSSES if op.is_ordered]
OUTPUTS = np.asarray([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]])
LABELS = np.asarray([[1, 0, 0], [0, 0, 1]])


@pytest.mark.parametrize("name", ROWS)
def test_outputs_come_first(name):
    assert tuple(inspect.signature(getattr(nd, name)).parameters)[:2] == LOSS_ARGUMENTS == ("x", "labels")


def test_cross_entropy_of_probabilities():
    loss = nd.cross_entropy(nd.asarray(OUTPUTS), nd.asarray(LABELS, dtype="float64"))
    np.testing.assert_allclose(loss, -LABELS * np.log(OUTPUTS))
    g = nd.grad(lambda x: nd.sum(nd.cross_entropy(x, nd.asarray(LABELS))))(nd.asarray(OUTPUTS))
    np.testing.assert_allclose(g, -LABELS / OUTPUTS)


@pytest.mark.parametrize("kind", ["int64", "uint8", "bool"])
@pytest.mark.parametrize("name", ORDERED)
def test_labels_before_outputs_are_refused(name, kind):
    with pytest.raises(TypeError, match=f"{name}: x, .* comes first and labels last; given {kind} before float64"):
        getattr(nd, name)(nd.asarray(LABELS).astype(kind), nd.asarray(OUTPUTS))


@pytest.mark.parametrize("name", ORDERED)
def test_class_numbers_are_refused_with_the_remedy(name):
    with pytest.raises(ValueError, match=r"labels have the shape of x, .*one_hot\(labels, 3\)"):
        getattr(nd, name)(nd.asarray(OUTPUTS), nd.asarray([0, 2]))
    square = nd.asarray(OUTPUTS[:, :2])
    with pytest.raises(ValueError, match=r"one_hot\(labels, 2\)"):
        getattr(nd, name)(square, nd.asarray([0, 1]))


@pytest.mark.parametrize("kind", ["int64", "bool", "float32", "float64"])
@pytest.mark.parametrize("name", ORDERED)
def test_labels_of_every_kind_are_taken(name, kind):
    got = getattr(nd, name)(nd.asarray(OUTPUTS), nd.asarray(LABELS).astype(kind))
    want = getattr(nd, name)(nd.asarray(OUTPUTS), nd.asarray(LABELS, dtype="float64"))
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("name", ORDERED)
def test_deferred_operands_stay_so(name):
    x, labels = nd.full((1000, 100), 0.5) * 1.0, nd.ones((1000, 100)) * 1.0
    y = getattr(nd, name)(x, labels)
    assert nd.explain(y) is not None
    assert np.isfinite(np.asarray(y)).all()
