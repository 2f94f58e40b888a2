"""Losses of outputs that are numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from nd4py import api as nd

from ..activations import activation, features_axis
from ..numbers import real
from .loss import Loss, averaged, summed

SMALLEST_NORM = 1e-8


def mse(labels: nd.NDArray, z: nd.NDArray, name: Any) -> nd.NDArray:
    """Mean squared error: (y - labels)**2, mean over the outputs."""
    return averaged(nd.squared_error, labels, z, name)


def squared_loss(labels: nd.NDArray, z: nd.NDArray, name: Any) -> nd.NDArray:
    """(y - labels)**2, summed over the outputs."""
    return summed(nd.squared_error, labels, z, name)


def mae(labels: nd.NDArray, z: nd.NDArray, name: Any) -> nd.NDArray:
    """Mean absolute error: |y - labels|, mean over the outputs."""
    return averaged(nd.absolute_error, labels, z, name)


def l1(labels: nd.NDArray, z: nd.NDArray, name: Any) -> nd.NDArray:
    """|y - labels|, summed over the outputs."""
    return summed(nd.absolute_error, labels, z, name)


def mape(labels: nd.NDArray, z: nd.NDArray, name: Any) -> nd.NDArray:
    """Mean absolute percentage error: 100 * |y - labels| / |labels|, mean over the outputs; labels must not be 0."""
    return averaged(nd.absolute_percentage_error, labels, z, name)


def msle(labels: nd.NDArray, z: nd.NDArray, name: Any) -> nd.NDArray:
    """Mean squared logarithmic error: log((1 + y) / (1 + labels))**2, mean over the outputs; y and labels above -1."""
    return averaged(nd.squared_log_error, labels, z, name)


def cosine_proximity(labels: nd.NDArray, z: nd.NDArray, name: Any) -> nd.NDArray:
    """Minus the cosine of the angle between labels and outputs."""
    outputs, axis = activation(name)(z), features_axis(z)
    squares = nd.sum_of_squares(labels, axis=axis, keepdims=True) * nd.sum_of_squares(outputs, axis=axis, keepdims=True)
    products = nd.sum(labels * outputs, axis=axis, keepdims=True)
    return -(products / nd.sqrt(nd.maximum(squares, SMALLEST_NORM**2)))


def poisson(labels: nd.NDArray, z: nd.NDArray, name: Any) -> nd.NDArray:
    """y - labels * log(y), summed over the outputs."""
    return summed(nd.poisson_loss, labels, z, name)


def wasserstein(labels: nd.NDArray, z: nd.NDArray, name: Any) -> nd.NDArray:
    """labels * y, mean over the outputs."""
    return averaged(nd.wasserstein_loss, labels, z, name)


def log_cosh(labels: nd.NDArray, z: nd.NDArray, name: Any) -> nd.NDArray:
    """log(cosh(y - labels)), mean over the outputs: half the square of small errors, the size of large ones."""
    return averaged(nd.log_cosh_loss, labels, z, name)


@dataclass(frozen=True)
class HuberLoss(Loss):
    """(y - labels)**2 / 2 where |y - labels| <= delta, else delta * (|y - labels| - delta / 2); mean over the outputs.

    Huber 1964, https://doi.org/10.1214/aoms/1177703732.  "huber" is this with delta=1.
    Raises ValueError for a delta that is not above 0.

    >>> nn.HuberLoss(delta=2.0)(nd.asarray([[0.0]]), nd.asarray([[3.0]]), "identity")
    array([[4.]], dtype=float64)
    """

    delta: float = 1.0

    def __post_init__(self) -> None:
        if real(self.delta, "HuberLoss: delta", low=0.0) == 0.0:
            raise ValueError("HuberLoss: delta must be above 0, given 0")

    def __call__(self, labels: nd.NDArray, z: nd.NDArray, name: Any, mask: nd.NDArray | None = None) -> nd.NDArray:
        return averaged(partial(nd.huber_loss, delta=self.delta), labels, z, name)
