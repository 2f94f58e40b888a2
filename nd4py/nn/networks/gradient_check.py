"""Gradient checks: the gradient of a network's score against central differences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import instance

from ..numbers import real, whole
from ..parameters import Slot
from .batches import parts_of
from .network import Network
from .update import is_trained

MOST_SHOWN = 5  # elements of a parameter that the report prints


@dataclass(frozen=True)
class GradientFailure:
    """An element of a parameter whose gradient differs from the central difference.

    index: its place in the parameter    gradient: what the network computed    difference: the central difference

    >>> nn.GradientFailure((0, 1), gradient=2.0, difference=1.0).relative_error
    0.3333333333333333
    """

    index: tuple[int, ...]
    gradient: float
    difference: float

    @property
    def relative_error(self) -> float:
        """|gradient - difference| / (|gradient| + |difference|), 0 where both are 0."""
        return _relative_error(self.gradient, self.difference)

    def __str__(self) -> str:
        return (
            f"{list(self.index)}: gradient {self.gradient:.9g}, central difference {self.difference:.9g}, "
            f"relative error {self.relative_error:.3g}"
        )


@dataclass(frozen=True)
class ParameterCheck:
    """What a gradient check found about one parameter.

    name: in `param_table()`    n_checked: its elements that were compared    failures: those that differ
    largest_relative_error: of the elements that were compared, also where it is forgiven as tiny

    >>> nn.ParameterCheck("0_W", n_checked=4, largest_relative_error=1e-9, failures=()).n_failed
    0
    """

    name: str
    n_checked: int
    largest_relative_error: float
    failures: tuple[GradientFailure, ...]

    @property
    def n_failed(self) -> int:
        """How many elements differ."""
        return len(self.failures)


@dataclass(frozen=True)
class GradientCheckReport:
    """What a gradient check found; true when every gradient is right.  Print it for a table.

    parameters: those that were checked, in the order of `param_table()`

    >>> report = nn.GradientCheckReport((nn.ParameterCheck("0_W", 4, 1e-9, ()),))
    >>> bool(report), report.n_checked, report.n_failed
    (True, 4, 0)
    """

    parameters: tuple[ParameterCheck, ...]

    @property
    def n_checked(self) -> int:
        """How many elements were compared."""
        return sum(each.n_checked for each in self.parameters)

    @property
    def n_failed(self) -> int:
        """How many elements differ."""
        return sum(each.n_failed for each in self.parameters)

    def __bool__(self) -> bool:
        return self.n_failed == 0

    def __str__(self) -> str:
        width = max(len("parameter"), *(len(each.name) for each in self.parameters))
        lines = [
            f"gradient check {'passed' if self else 'FAILED'}: {self.n_failed:,} of {self.n_checked:,} elements differ",
            f"{'parameter':{width}}  {'checked':>9}  {'failed':>9}  largest relative error",
        ]
        for each in self.parameters:
            lines.append(
                f"{each.name:{width}}  {each.n_checked:>9,}  {each.n_failed:>9,}  {each.largest_relative_error:>22.3g}"
            )
            lines += [f"    {failure}" for failure in each.failures[:MOST_SHOWN]]
            if each.n_failed > MOST_SHOWN:
                lines.append(f"    and {each.n_failed - MOST_SHOWN:,} more")
        return "\n".join(lines)


def gradient_check(
    network: Network,
    data: Any,
    labels: Any = None,
    *,
    step: float = 1e-6,
    max_relative_error: float = 1e-3,
    min_absolute_error: float = 1e-8,
    n_samples: int | None = None,
    seed: int = 0,
) -> GradientCheckReport:
    """The gradient of a network's score, compared with (score(p + step) - score(p - step)) / (2 step).

    An element fails when its relative error, |a - b| / (|a| + |b|), is above `max_relative_error` and |a - b| is not
    below `min_absolute_error`, or when one of both is not finite.
    network: with dtype="float64"; it is not changed
    data: one batch, as for `fit`: (features, labels), with their masks, or with several inputs and outputs; or
        features, with their `labels`
    step: how far a parameter is moved to both sides
    n_samples: how many elements of each parameter are compared, drawn with `seed`; None compares all of them
    Scores are those of training.  Dropout and noise draw the same for each of them.  L1 and L2 are part of the score;
    limits of the gradient and the updater come later and are not looked at.  Running values, such as those of batch
    normalization, have no gradient and are left out, and so are frozen layers.
    Two scores are computed for each element: check small networks, or with `n_samples`.
    Returns a report that is true when all is right, and says which elements of which parameter are not.
    Raises TypeError for anything but a network or a batch; ValueError for a network in another dtype, one without
    parameters to train, a score that is not the same twice, and settings that are no numbers in their range.

    >>> layers = [nn.DenseLayer(3, activation="tanh"), nn.OutputLayer(2)]
    >>> net = nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(4), dtype="float64")
    >>> x = nd.random.Generator(1).normal(size=(5, 4))
    >>> bool(nn.gradient_check(net, (x, nd.one_hot([0, 1, 1, 0, 1], 2))))
    True
    """
    dtype = instance("gradient_check: network", network, Network).configuration.dtype
    if dtype != "float64":
        raise ValueError(
            f"gradient_check: the network computes in {dtype}, which is too coarse for differences; make it with "
            'dtype="float64"'
        )
    step = _positive(step, "step")
    most, least = _positive(max_relative_error, "max_relative_error"), real(min_absolute_error, "min_absolute_error")
    count = None if n_samples is None else whole(n_samples, "gradient_check: n_samples")
    rng = nd.random.Generator(whole(seed, "gradient_check: seed", least=0))
    slots = [slot for slot in network.slots if is_trained(network.stages, slot)]
    if not slots:
        raise ValueError("gradient_check: no parameter of the network is trained; unfreeze a layer")
    data = data if labels is None else (data, labels)
    twin, parts = network.clone(), parts_of(data)
    gradient = twin.compute_gradient_and_score(*parts[:4])[0].tolist()
    _check_repeatable(twin, data)
    checks = []
    for slot in slots:
        pairs = [(i, gradient[i], _difference(twin, data, i, step)) for i in _chosen(slot, count, rng)]
        checks.append(_compared(slot, pairs, most, least))
    return GradientCheckReport(tuple(checks))


def _positive(value: Any, name: str) -> float:
    number = real(value, f"gradient_check: {name}", low=0.0)
    if number == 0.0:
        raise ValueError(f"gradient_check: {name} must be above 0, given {value!r}")
    return number


def _check_repeatable(network: Network, data: Any) -> None:
    first, second = (network.score([data], train=True) for _ in range(2))
    if first != second and math.isfinite(first):
        raise ValueError(
            f"gradient_check: the score of one batch is {first!r}, and then {second!r}; a layer draws numbers that "
            "are not from the `rng` it is given, or keeps something: switch that off"
        )


def _chosen(slot: Slot, n_samples: int | None, rng: Any) -> Sequence[int]:
    """The elements of the flat vector that are compared."""
    elements = range(slot.start, slot.stop)
    if n_samples is None or n_samples >= len(elements):
        return elements
    return sorted(elements[i] for i in rng.permutation(len(elements)).tolist()[:n_samples])


def _difference(network: Network, data: Any, element: int, step: float) -> float:
    """The central difference of the score along one element of the parameters, which are as before afterwards."""
    params = network.params()
    before, scores = float(params[element]), []
    for moved in (before + step, before - step):
        params[element] = moved
        scores.append(network.score([data], train=True))
    params[element] = before
    return (scores[0] - scores[1]) / (2 * step)


def _compared(slot: Slot, pairs: Sequence[tuple[int, float, float]], most: float, least: float) -> ParameterCheck:
    """What the gradients and the differences of a parameter's elements come to."""
    failures = tuple(
        GradientFailure(_index(slot, element), gradient, difference)
        for element, gradient, difference in pairs
        if not (_relative_error(gradient, difference) <= most or abs(gradient - difference) < least)
    )
    errors = [_relative_error(gradient, difference) for _, gradient, difference in pairs]
    largest = math.nan if any(map(math.isnan, errors)) else max(errors, default=0.0)
    return ParameterCheck(slot.key, len(pairs), largest, failures)


def _index(slot: Slot, element: int) -> tuple[int, ...]:
    """Where an element of the flat vector is in its parameter."""
    return tuple(int(i) for i in nd.unravel_index(element - slot.start, slot.parameter.shape))


def _relative_error(gradient: float, difference: float) -> float:
    size = abs(gradient) + abs(difference)
    return abs(gradient - difference) / size if size else 0.0
