"""Losses of outputs that are classes or bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nd4py import api as nd

from ..activations import activation, features_axis
from ..numbers import real
from .loss import Loss, masked, summed

SMALLEST_COUNT = 1e-10  # of a batch that has no ones, and predicts none


def xent(labels: nd.NDArray, z: nd.NDArray, name: Any) -> nd.NDArray:
    """Binary cross entropy: -labels * log(y) - (1 - labels) * log(1 - y), summed over the outputs.

    With sigmoid it is softplus(z) - labels * z, which is exact for every z; with others y is clipped by 1e-5.
    """
    if name == "sigmoid":
        return nd.softplus(z) - labels * z
    return summed(nd.binary_cross_entropy, labels, z, name)


def mcxent(labels: nd.NDArray, z: nd.NDArray, name: Any) -> nd.NDArray:
    """Cross entropy over classes: -labels * log(y), summed over the outputs.

    With softmax the logarithm is taken of the exponentials before they are formed (log-sum-exp), exact for every z;
    with others y is at least 1e-10.
    """
    if name == "softmax":
        return -(labels * nd.log_softmax(z, axis=features_axis(z)))
    return summed(nd.cross_entropy, labels, z, name)


def sparse_mcxent(labels: nd.NDArray, z: nd.NDArray, name: Any) -> nd.NDArray:
    """`mcxent` with labels that are the numbers of classes: integers, with one element or none along the outputs."""
    axis = features_axis(z)
    numbers = nd.squeeze(labels, axis=axis) if labels.ndim == z.ndim else labels
    return mcxent(nd.moveaxis(nd.one_hot(numbers, z.shape[axis], dtype=z.dtype), -1, axis), z, name)


def kl_divergence(labels: nd.NDArray, z: nd.NDArray, name: Any) -> nd.NDArray:
    """Kullback-Leibler divergence: labels * log(labels / y), summed over the outputs."""
    return summed(nd.kl_divergence, labels, z, name)


def hinge(labels: nd.NDArray, z: nd.NDArray, name: Any) -> nd.NDArray:
    """max(0, 1 - labels * y), labels -1 or 1, summed over the outputs."""
    return summed(nd.hinge, labels, z, name)


def squared_hinge(labels: nd.NDArray, z: nd.NDArray, name: Any) -> nd.NDArray:
    """max(0, 1 - labels * y)**2, labels -1 or 1, summed over the outputs."""
    return summed(nd.squared_hinge, labels, z, name)


def multi_label(labels: nd.NDArray, z: nd.NDArray, name: Any) -> nd.NDArray:
    """The mean of exp(y[l] - y[k]) over all pairs of an output k whose label is 1 and an output l whose label is 0.

    0 for an example without such pairs.  Zhang & Zhou 2006, https://doi.org/10.1109/TKDE.2006.162, equation 3.
    """
    y, axis, absent = activation(name)(z), features_axis(z), -1e30
    is_positive = labels > 0.5
    positives = nd.sum(nd.astype(is_positive, z.dtype), axis=axis, keepdims=True)
    pairs = nd.maximum(positives * (z.shape[axis] - positives), 1.0)
    of_zeros = nd.logsumexp(nd.where(is_positive, absent, y), axis=axis, keepdims=True)
    of_ones = nd.logsumexp(nd.where(is_positive, -y, absent), axis=axis, keepdims=True)
    return nd.exp(of_zeros + of_ones - nd.log(pairs))


@dataclass(frozen=True)
class FocalLoss(Loss):
    """Cross entropy times (1 - p)**gamma, p being the probability of the label: what is right already counts less.

    With softmax, labels are one-hot: -labels * (1 - y)**gamma * log(y).  With other activations, labels are bits:
    -labels * (1 - y)**gamma * log(y) - (1 - labels) * y**gamma * log(1 - y).  Summed over the outputs.
    alpha: None, or the weight of ones; with bits, zeros then have the weight 1 - alpha.
    Lin et al. 2017, https://arxiv.org/abs/1708.02002, equation 5.  "focal" is this with gamma=2 and no alpha.
    Raises ValueError for a negative gamma or an alpha outside of [0, 1].

    >>> nn.FocalLoss(gamma=2.0)(nd.asarray([[1.0]]), nd.asarray([[0.0]]), "sigmoid")  # log(2) / 4
    array([[0.1732868]], dtype=float64)
    """

    gamma: float = 2.0
    alpha: float | None = None

    def __post_init__(self) -> None:
        real(self.gamma, "FocalLoss: gamma", low=0.0)
        if self.alpha is not None:
            real(self.alpha, "FocalLoss: alpha", low=0.0, high=1.0)

    def __call__(self, labels: nd.NDArray, z: nd.NDArray, name: Any, mask: nd.NDArray | None = None) -> nd.NDArray:
        if name == "softmax":
            weights: Any = self.alpha
            missing = -nd.expm1(nd.log_softmax(z, axis=features_axis(z)))
        else:
            y = activation(name)(z)
            missing = labels * (1.0 - y) + (1.0 - labels) * y
            weights = None if self.alpha is None else labels * self.alpha + (1.0 - labels) * (1.0 - self.alpha)
        entropy = mcxent(labels, z, name) if name == "softmax" else xent(labels, z, name)
        losses = entropy * missing**self.gamma
        return losses if weights is None else losses * weights


@dataclass(frozen=True)
class FMeasureLoss(Loss):
    """1 - F of the whole batch, with probabilities in place of counts: 1 - (1 + b) * tp / ((1 + b) * tp + b * fn + fp)

    b = beta**2; tp, fn, fp: sums of labels * y, labels * (1 - y), (1 - labels) * y
    Of two outputs the second is class 1, and the first is left out; otherwise all outputs are counted together.
    Every example has the loss of its batch, so that their mean is that loss; what a mask leaves out is not counted.
    Pastor-Pellicer et al. 2013, https://doi.org/10.1007/978-3-642-38679-4_37.  "f_measure" is this with beta=1.
    Raises ValueError for a beta that is not above 0.

    >>> nn.FMeasureLoss()(nd.asarray([[1.0], [0.0]]), nd.asarray([[0.5], [0.5]]), "identity")
    array([[0.5],
           [0.5]], dtype=float64)
    """

    beta: float = 1.0

    takes_mask = True

    def __post_init__(self) -> None:
        if real(self.beta, "FMeasureLoss: beta", low=0.0) == 0.0:
            raise ValueError("FMeasureLoss: beta must be above 0, given 0")

    def __call__(self, labels: nd.NDArray, z: nd.NDArray, name: Any, mask: nd.NDArray | None = None) -> nd.NDArray:
        y, axis = activation(name)(z), features_axis(z)
        counted = nd.ones_like(labels) if mask is None else masked(nd.ones_like(labels), mask)
        if z.shape[axis] == 2:
            counted = counted * nd.reshape(nd.asarray([0.0, 1.0], dtype=z.dtype), (2, *(1,) * (z.ndim - 1 - axis)))
        weight = self.beta * self.beta
        hits = (1.0 + weight) * nd.sum(counted * labels * y)
        misses = nd.sum(counted * labels * (1.0 - y)) * weight + nd.sum(counted * (1.0 - labels) * y)
        loss = 1.0 - hits / nd.maximum(hits + misses, SMALLEST_COUNT)
        return nd.broadcast_to(loss, (z.shape[0], *(1,) * (z.ndim - 1)))
