"""Constraints of weights, which a network applies after every update.

Norms are Euclidean, over `axes`: where these are None, over all axes but that of the outputs, which is the last of
matrices and the first of the weights of convolutions; over the whole of a vector.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import array, items

from ..names import Settings
from ..numbers import real
from ..parameters import Parameter

# Weights of zeros are divided by this and stay zero.
SMALLEST_NORM = 1e-12


class Constraint(Settings, ABC):
    """The base class of what `constraints=` and `bias_constraints=` of a layer list.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Clipped(nn.Constraint):
    ...     def apply(self, weights, parameter):
    ...         return nd.clip(weights, -1.0, 1.0)
    >>> nn.DenseLayer(2, constraints=(Clipped(),)).constraints
    (Clipped(),)
    """

    @abstractmethod
    def apply(self, weights: nd.NDArray, parameter: Parameter) -> nd.NDArray:
        """The array that takes the place of `weights`, the values of `parameter`.

        Returns an array of the same shape.  Raises ValueError for axes that the weights do not have.
        """


@dataclass(frozen=True)
class NormConstraint(Constraint):
    """The base class of constraints of norms.

    axes: over which norms are taken; None for all but that of the outputs.
    """

    axes: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        given: Any = self.axes
        if isinstance(given, int | float) and len(fields(self)) > 1:
            who, norm = type(self).__name__, fields(self)[1].name
            raise TypeError(
                f"{who}: axes must be a sequence, given {given!r}; name what norms become, {who}({norm}={given!r})"
            )
        if self.axes is not None:
            axes = items(f"{type(self).__name__}: axes", self.axes)
            if not axes or any(isinstance(axis, bool) or not isinstance(axis, int) for axis in axes):
                raise ValueError(f"{type(self).__name__}: axes must be numbers of axes, or None, given {self.axes!r}")
            object.__setattr__(self, "axes", axes)

    def norms(self, weights: nd.NDArray) -> nd.NDArray:
        """The norms, with axes of one element where they were taken.

        Raises ValueError for axes that the weights do not have.
        """
        array(f"{type(self).__name__}: weights", weights)
        axes = self.axes
        if axes is None:
            outputs = {1: None, 2: 1}.get(weights.ndim, 0)
            axes = tuple(axis for axis in range(weights.ndim) if axis != outputs)
        if any(not -weights.ndim <= axis < weights.ndim for axis in axes):
            raise ValueError(f"{type(self).__name__}: axes {axes} of weights of shape {weights.shape} do not exist")
        return nd.sqrt(nd.sum_of_squares(weights, axis=axes, keepdims=True))


@dataclass(frozen=True)
class MaxNormConstraint(NormConstraint):
    """Weights whose norm is above `max_norm` are scaled to it.

    Srebro & Shraibman 2005, https://doi.org/10.1007/11503415_37; Srivastava et al. 2014, JMLR 15, section 5.1.
    Raises ValueError for a norm that is not above 0.

    >>> W = nd.asarray([[3.0, 0.3], [4.0, 0.4]])  # two outputs
    >>> nn.MaxNormConstraint(max_norm=1.0).apply(W, nn.Parameter("W", (2, 2)))
    array([[0.6, 0.3],
           [0.8, 0.4]], dtype=float64)
    """

    max_norm: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if real(self.max_norm, "MaxNormConstraint: max_norm", low=0.0) == 0.0:
            raise ValueError("MaxNormConstraint: max_norm must be above 0, given 0")

    def apply(self, weights: nd.NDArray, parameter: Parameter) -> nd.NDArray:
        norms = self.norms(weights)
        return weights * (nd.minimum(norms, self.max_norm) / nd.maximum(norms, SMALLEST_NORM))


@dataclass(frozen=True)
class MinMaxNormConstraint(NormConstraint):
    """Norms are brought into [min_norm, max_norm]: norm' = rate * clipped norm + (1 - rate) * norm.

    Raises ValueError for norms that are no finite numbers from 0 up, or a rate outside [0, 1].

    >>> W = nd.asarray([[3.0, 0.3], [4.0, 0.4]])  # two outputs
    >>> nn.MinMaxNormConstraint(min_norm=1.0, max_norm=2.0).apply(W, nn.Parameter("W", (2, 2)))
    array([[1.2, 0.6],
           [1.6, 0.8]], dtype=float64)
    """

    min_norm: float = 0.0
    max_norm: float = 1.0
    rate: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        real(self.max_norm, "MinMaxNormConstraint: max_norm", low=real(self.min_norm, "min_norm", low=0.0))
        real(self.rate, "MinMaxNormConstraint: rate", low=0.0, high=1.0)

    def apply(self, weights: nd.NDArray, parameter: Parameter) -> nd.NDArray:
        norms = self.norms(weights)
        wanted = self.rate * nd.clip(norms, self.min_norm, self.max_norm) + (1.0 - self.rate) * norms
        return weights * (wanted / nd.maximum(norms, SMALLEST_NORM))


@dataclass(frozen=True)
class UnitNormConstraint(NormConstraint):
    """Weights are divided by their norm; zeros stay.  Raises ValueError for what is no list of axes.

    >>> nn.UnitNormConstraint().apply(nd.asarray([[3.0, 0.3], [4.0, 0.4]]), nn.Parameter("W", (2, 2)))
    array([[0.6, 0.6],
           [0.8, 0.8]], dtype=float64)
    """

    def apply(self, weights: nd.NDArray, parameter: Parameter) -> nd.NDArray:
        return weights / nd.maximum(self.norms(weights), SMALLEST_NORM)


@dataclass(frozen=True)
class NonNegativeConstraint(Constraint):
    """Negative weights become 0.  Raises nothing.

    >>> nn.NonNegativeConstraint().apply(nd.asarray([-1.0, 2.0]), nn.Parameter("b", (2,)))
    array([0., 2.], dtype=float64)
    """

    def apply(self, weights: nd.NDArray, parameter: Parameter) -> nd.NDArray:
        return nd.maximum(array("NonNegativeConstraint: weights", weights), 0.0)


CONSTRAINTS = {
    constraint.__name__: constraint
    for constraint in (MaxNormConstraint, MinMaxNormConstraint, NonNegativeConstraint, UnitNormConstraint)
}
