"""Moments and extremes of columns, merged batch by batch.

Columns lie along the second axis, those of sequences (n, length, columns) along the third; an array of one axis is one
column.  Statistics are float64, on the host.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from nd4py import api as nd

from .merging import SEQUENCE_NDIM

LEAST_SPAN = 1e-5  # of a column that never changes, as in ND4J


@dataclass(frozen=True)
class ColumnStatistics:
    """Vectors with one number for each column, shape (columns,), or () where arrays have one axis."""

    def beside(self, name, x):
        """The vector `name` in the dtype of `x`, to stand beside its columns."""
        return beside(getattr(self, name), x, x.dtype)

    @property
    def shape(self):
        """(columns,) or ()."""
        return getattr(self, fields(self)[-1].name).shape

    def check_columns(self, x, what):
        """Raise ValueError unless `x` has the columns that were measured."""
        columns = x.shape[2:] if x.ndim == SEQUENCE_NDIM else x.shape[1:2]
        if columns != self.shape:
            raise ValueError(f"{what} have columns {columns}, but {self.shape} were fitted; shape is {x.shape}")

    def to_dict(self):
        """The fields as numbers and lists of them."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: x.tolist() if isinstance(x, nd.NDArray) else x for name, x in values.items()}

    @classmethod
    def from_dict(cls, found):
        """The statistics in a dict that `to_dict` returned.  Raises ValueError or TypeError for other dicts."""
        values = {field.name: found[field.name] for field in fields(cls)}
        vectors = {name: nd.asarray(x, dtype="float64") for name, x in values.items() if name != "n"}
        shapes = {x.shape for x in vectors.values()}
        if len(shapes) != 1 or len(min(shapes)) > 1 or not all(nd.all(nd.isfinite(x)) for x in vectors.values()):
            raise ValueError(f"statistics of shapes {sorted(shapes)}, finite vectors of one length needed")
        return cls(**values | vectors)


@dataclass(frozen=True)
class Moments(ColumnStatistics):
    """n values of each column, their mean, and the sum of their squared distances from it."""

    n: int
    mean: nd.NDArray
    squares: nd.NDArray

    def __post_init__(self):
        if isinstance(self.n, bool) or not isinstance(self.n, int) or self.n < 1 or nd.any(self.squares < 0):
            raise ValueError(f"no moments: n = {self.n!r}, least sum of squares {nd.min(self.squares)}")

    @classmethod
    def of(cls, x, what):
        """The moments of one array.  Raises ValueError where a mean is not finite."""
        axes = other_axes(x)
        # Twice, so that the result of a cast is not kept: both passes read x alone.
        mean = on_host(nd.mean(x.astype("float64", copy=False), axis=axes))
        check_finite(mean, what)
        distances = x.astype("float64", copy=False) - beside(mean, x, "float64")
        squares = nd.sum(nd.square(distances), axis=axes)
        return cls(x.size // max(1, mean.size), mean, on_host(squares))

    def merged(self, other, what):
        """The moments of both together: Chan, Golub, LeVeque, "Updating Formulae and a Pairwise Algorithm", 1979."""
        check_same_columns(self, other, what)
        n = self.n + other.n
        distance = other.mean - self.mean
        mean = self.mean + distance * (other.n / n)
        squares = self.squares + other.squares + nd.square(distance) * (self.n * (other.n / n))
        return Moments(n, mean, squares)

    @property
    def std(self):
        """The population's standard deviation, 1 where it is 0."""
        std = nd.sqrt(self.squares / self.n)
        return nd.where(std == 0, 1.0, std)


@dataclass(frozen=True)
class Extremes(ColumnStatistics):
    """The least and greatest value of each column."""

    min: nd.NDArray
    max: nd.NDArray

    def __post_init__(self):
        if nd.any(self.min > self.max):
            raise ValueError("no extremes: a least value lies above the greatest")

    @classmethod
    def of(cls, x, what):
        """The extremes of one array.  Raises ValueError where one is not finite."""
        axes = other_axes(x)
        found = cls(*(on_host(extreme(x, axis=axes)).astype("float64") for extreme in (nd.min, nd.max)))
        check_finite(found.min, what)
        check_finite(found.max, what)
        return found

    def merged(self, other, what):
        """The extremes of both together."""
        check_same_columns(self, other, what)
        return Extremes(nd.minimum(self.min, other.min), nd.maximum(self.max, other.max))

    @property
    def span(self):
        """The largest minus the smallest value, LEAST_SPAN where they are equal."""
        span = self.max - self.min
        return nd.where(span == 0, LEAST_SPAN, span)


def beside(vector, x, dtype):
    """A number of each column, in `dtype` and on the device of `x`, shaped to stand beside the columns of `x`."""
    on_device = nd.asarray(vector, dtype=dtype, device=x.device)
    return on_device.reshape((-1, *[1] * (x.ndim - 2))) if x.ndim > SEQUENCE_NDIM else on_device


def other_axes(x):
    """All axes but that of the columns."""
    of_columns = 2 if x.ndim == SEQUENCE_NDIM else 1
    return tuple(axis for axis in range(x.ndim) if axis != of_columns)


def on_host(x):
    """x on the host, computed, and in memory of its own."""
    return x.to_device("cpu").block()


def check_finite(vector, what):
    """Raise ValueError where `vector`, a number of each column, is nan or infinite."""
    wrong = nd.nonzero(nd.logical_not(nd.isfinite(vector.reshape(-1))))[0].tolist()
    if wrong:
        raise ValueError(f"{what} hold nan or infinity, in columns {wrong[:5]}; remove such examples or fill them in")


def check_same_columns(one, other, what):
    """Raise ValueError unless both are of as many columns."""
    if one.shape != other.shape:
        raise ValueError(f"{what} have columns {other.shape} in one batch and {one.shape} before; give all the same")
