"""Updater: the base class of optimizers, which compute the change of the parameters from a gradient.

An updater is a pair over one flat vector of n parameters: `init` makes its state, one vector of zeros that holds
`len(state)` parts of n elements; `update` changes the state in place and returns the amount to subtract.  `advance`
does the same and leaves the state as it is, so that a step that is interrupted has changed nothing.
An updater that looks at rows and columns says so by `sees_shapes`: it is then given one parameter after another, each
in its own shape, and `state_size` says how many elements its state has.
The arithmetic is a row of the table, one pass over memory.  Where Deeplearning4j and the papers differ (the epsilon of
the Adam family, the second moment of Nadam) the papers are followed.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.arguments import array, items

from ..names import Settings
from ..numbers import plain, real, whole
from .schedule import checked_rate, rate_at

State = nd.NDArray | None
UNBOUNDED = ("eps", "weight_decay")  # settings that need not be below 1


@dataclass(frozen=True)
class Updater(Settings, ABC):
    """The base class of updaters.

    learning_rate: a number or a schedule
    eps: a number >= 0 that keeps divisors away from 0
    b1, b2, decay, momentum, rho: how much of a former mean stays in a step, a number in [0, 1)
    weight_decay: the share of the parameters that is taken off beside the step, times the learning rate
    Raises ValueError for a setting that is no finite number in its range.

    >>> isinstance(nn.Adam(), nn.Updater), nn.Adam().state
    (True, ('m', 'v'))
    """

    state: ClassVar[tuple[str, ...]] = ()  # names of the parts, which are operands and results of `row`
    row: ClassVar[Callable[..., Any]]  # (gradient, *parts, **settings) -> `results`
    results: ClassVar[tuple[str, ...]] = ()  # in which order `row` gives the parts and "delta"; ("m", "v", "delta") ...
    takes_params: ClassVar[bool] = False  # whether `row` takes the parameters, as its second operand
    sees_shapes: ClassVar[bool] = False  # whether it is given each parameter by itself, in its own shape

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if "update" in vars(cls):
            cls.update = checked(vars(cls)["update"])  # type: ignore[method-assign]

    def __post_init__(self) -> None:
        for field in fields(self):
            what, value = f"{type(self).__name__}: {field.name}", plain(getattr(self, field.name))
            if field.name == "learning_rate":
                value = checked_rate(value, what)
            elif real(value, what, low=0.0) >= 1.0 and field.name not in UNBOUNDED:
                raise ValueError(f"{what} must be at least 0 and less than 1, given {value!r}")
            object.__setattr__(self, field.name, value)

    def init(self, params: nd.NDArray) -> State:
        """The state before the first update, or None for updaters without any.

        Raises TypeError for an argument that is not an array.
        """
        if not self.state:
            return None
        array(f"{type(self).__name__}.init: params", params)
        return nd.zeros(self.state_size(params.shape), dtype=params.dtype, device=params.device)

    def state_size(self, shape: Sequence[int]) -> int:
        """The number of elements that the state of parameters of that shape has.

        Raises TypeError for anything but sizes, ValueError for one that is no whole number.
        """
        return len(self.state) * math.prod(sizes(shape))

    def rate(self, iteration: int, epoch: int) -> float:
        """The learning rate at this point of the training; 1 for updaters that have none.

        Raises ValueError unless `iteration` and `epoch` are whole numbers of at least 0.
        """
        return rate_at(getattr(self, "learning_rate", 1.0), iteration, epoch)

    @abstractmethod
    def settings(self, iteration: int, epoch: int) -> dict[str, Any]:
        """The numbers `row` takes at `iteration`, counted from 0.

        Raises ValueError unless `iteration` is a whole number of at least 0, and what a schedule raises.
        """

    def update(
        self, gradient: nd.NDArray, state: State, iteration: int, epoch: int, params: State = None
    ) -> nd.NDArray:
        """The amount to subtract from the parameters, at `iteration` counted from 0.  Changes `state` in place.

        params: the parameters, for updaters with weight decay of their own
        Raises TypeError for an argument that is not an array, ValueError for a state of another size, and for missing
        parameters.
        """
        return self._by_row(gradient, state, state, nd.empty_like(gradient), (iteration, epoch), params)

    def advance(
        self, gradient: nd.NDArray, state: State, iteration: int, epoch: int, params: State = None
    ) -> tuple[nd.NDArray, State]:
        """The amount to subtract, and the state after the update, a new vector; `state` stays as it is.

        The amount may be written over `gradient`.
        params: the parameters, for updaters with weight decay of their own
        Raises TypeError for an argument that is not an array, ValueError for a state of another size, and for missing
        parameters.
        """
        if state is None:
            return self.update(gradient, None, iteration, epoch), None
        if type(self).update is Updater.update:
            advanced = nd.empty_like(array("advance: state", state))
            return self._by_row(gradient, state, advanced, gradient, (iteration, epoch), params), advanced
        advanced = array("advance: state", state).copy()  # an update of its own writes where it reads
        return self.update(gradient, advanced, iteration, epoch, *([params] if self.takes_params else ())), advanced

    def _by_row(
        self, gradient: nd.NDArray, state: State, into: State, delta: nd.NDArray, when: tuple[int, int], params: State
    ) -> nd.NDArray:
        settings, shape, names = self.settings(*when), array("update: gradient", gradient).shape, self.state
        before = parts(state, len(names), shape)
        after = dict(zip(names, parts(into, len(names), shape), strict=True)) | {"delta": delta}
        own = [self._given_params(params, shape)] if self.takes_params else []
        out = tuple(after[name] for name in self.results or after)
        type(self).row(gradient, *own, *before, **settings, out=out)
        return delta

    def _given_params(self, params: Any, shape: tuple[int, ...]) -> nd.NDArray:
        who = f"{type(self).__name__}.update: params"
        if params is None:
            raise ValueError(f"{who}: the parameters are needed for the weight decay, given None")
        if array(who, params).shape != shape:
            raise ValueError(f"{who} must have the shape of the gradient, {shape}, given {params.shape}")
        given: nd.NDArray = params
        return given


def checked(update: Callable[..., nd.NDArray]) -> Callable[..., nd.NDArray]:
    """An updater's own `update`, with the gradient and the state checked."""

    @wraps(update)
    def checked_update(self: Updater, gradient: Any, state: Any, *when: Any, **keywords: Any) -> nd.NDArray:
        shape = array("update: gradient", gradient).shape
        if self.state and array("update: state", state).shape != (n := self.state_size(shape),):
            raise ValueError(
                f"update: state must have {n} elements for a gradient of {shape}, given shape {state.shape}"
            )
        return update(self, gradient, state, *when, **keywords)

    return checked_update


def sizes(shape: Any) -> tuple[int, ...]:
    """A shape as numbers.  Raises TypeError for anything but a sequence, ValueError for what is no size."""
    return tuple(whole(size, "state_size: a size", least=0) for size in items("state_size: shape", shape))


def parts(state: Any, n_parts: int, shape: tuple[int, ...]) -> list[nd.NDArray]:
    """Views of the parts that a flat state is made of, each of the shape of the parameters.

    Raises ValueError unless it has as many elements.
    """
    n = math.prod(shape)
    if array("update: state", state).shape != (n_parts * n,):
        raise ValueError(f"update: state must have {n_parts} elements for each of {n}, given shape {state.shape}")
    found = [state[start : start + n] for start in range(0, n_parts * n, n or 1)]
    return found if len(shape) == 1 else [part.reshape(shape) for part in found]
