"""StreamedEvaluation: the base class of evaluations, which batches come to one after another.

Design: what an evaluation keeps of a batch is a few arrays, and what it keeps of two batches is joined from those of
each, mostly by adding.  Batches, `merge` and files then need no code of their own, memory does not grow where arrays
are added, and a batch that is interrupted has changed nothing.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from nd4py import api as nd
from nd4py.api.arguments import instance
from nd4py.api.unknown_settings import TellingArguments

from .rows import Rows, comparable

Kept = Mapping[str, nd.NDArray]
MOST_ROWS_SHOWN = 25  # of a table in `stats`: with what stands around it, the length of a screen


def on_a_screen(rows: list[str], what: str) -> list[str]:
    """The rows of a table, the first of them where there are too many for a screen, and how many are left out."""
    if len(rows) <= MOST_ROWS_SHOWN:
        return rows
    return [*rows[: MOST_ROWS_SHOWN - 1], f"and {len(rows) - MOST_ROWS_SHOWN + 1} more {what}"]


class StreamedEvaluation(TellingArguments, ABC):
    """The base class of evaluations.

    A subclass says in `_found` what it keeps of the rows of a batch, and in `kept` which arrays these are.
    """

    settings: ClassVar[tuple[str, ...]] = ()  # arguments of the constructor, which are attributes
    kept: ClassVar[Mapping[int, tuple[str, ...]]]  # the arrays in float64 that are kept, by their numbers of axes
    takes_output_masks: ClassVar[bool] = False  # whether masks may have a number for each output

    def __init__(self) -> None:
        self.reset()

    def _whole(self) -> Kept | None:
        """What is kept of all batches, None before the first."""
        return self._state

    def reset(self) -> None:
        """Forget all examples.  Raises nothing."""
        self._state: Kept | None = None

    def eval(self, labels: Any, predictions: Any, mask: Any = None) -> None:
        """Count a batch.

        labels: one row for each example, as the outputs of the network, or numbers of classes
        predictions: (batch, n), outputs of the network; or of sequences (batch, length, n), of images
            (batch, n, height, width), of which each step or pixel counts
        mask: 1 at what counts, with the first axes of the predictions; in some evaluations one number for each output
        Arrays on a device are copied to the host.
        Raises ValueError for shapes that do not agree, for predictions that are NaN and for labels of decisions that
        are not from 0 to 1.
        """
        with nd.scope_out_of_workspaces():  # of the caller, which end before the evaluation does
            self._count(comparable(labels, predictions, mask))

    def _count(self, rows: Rows) -> None:
        """Count the rows of a batch.  Raises as `eval` does."""
        if rows.mask is not None and not self.takes_output_masks:
            raise ValueError(
                f"{type(self).__name__}.eval: a mask with a number for each output; give one for each example, "
                "or use EvaluationBinary, ROCBinary or RegressionEvaluation"
            )
        if rows.predictions.shape[0]:
            self._take({name: array.block() for name, array in self._found(rows).items()})

    def merge(self, other: Self) -> None:
        """Add the examples that `other` has counted.

        Raises TypeError for anything but an evaluation of the same class, ValueError where both do not fit together.
        """
        instance(f"{type(self).__name__}.merge: other", other, type(self))
        state = other._whole()
        if state is not None:
            self._check_same(other)
            with nd.scope_out_of_workspaces():
                self._take(state)

    def _take(self, found: Kept) -> None:
        """Join what is kept with what was found in a batch."""
        state = found if self._state is None else self._joined(self._state, found)
        self._state = {name: array.block() for name, array in state.items()}

    def _joined(self, first: Kept, second: Kept) -> Kept:
        """What is kept of two parts of the data: the sums of the arrays that are kept of each."""
        for name, array in first.items():
            if array.shape != second[name].shape:
                raise ValueError(f"{type(self).__name__}: {array.shape[0]} outputs so far, now {second[name].shape[0]}")
        return {name: array + second[name] for name, array in first.items()}

    def _check_same(self, other: Self) -> None:
        """Raises ValueError where the settings of two evaluations do not fit together."""
        for name in self.settings:
            self._check_setting(name, other)

    def _check_setting(self, name: str, other: Self) -> None:
        mine, others = getattr(self, name), getattr(other, name)
        if mine != others:
            raise ValueError(f"{type(self).__name__}.merge: {name} is {mine!r} here and {others!r} there")

    @abstractmethod
    def _found(self, rows: Rows) -> Kept:
        """What is kept of one batch of at least one row.  Raises ValueError for shapes that do not agree."""

    @abstractmethod
    def stats(self) -> str:
        """The numbers as a text.  Raises nothing."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}, {'empty' if self._whole() is None else 'print it for its numbers'}>"

    def __str__(self) -> str:
        return f"{type(self).__name__}(no examples)" if self._whole() is None else self.stats()

    def to_json(self) -> str:
        """The settings and counts as a text, which `from_json` reads.  Raises nothing."""
        settings = {name: getattr(self, name) for name in self.settings}
        return json.dumps({"class": type(self).__name__, "settings": settings, "state": self._described()})

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The evaluation that `to_json` described, which may go on.

        Raises TypeError for anything but a text, ValueError for one that does not describe an evaluation of this class.
        """
        if not isinstance(text, str | bytes):
            raise TypeError(f"{cls.__name__}.from_json: text must be a str, given {type(text).__name__}")
        try:
            described = json.loads(text)
            if described["class"] != cls.__name__:
                raise ValueError(f"it is one of {described['class']!r}")
            evaluation = cls(**{str(name): value for name, value in described["settings"].items()})
            evaluation._restore(described["state"])
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ValueError(f"{cls.__name__}.from_json: this text is of no {cls.__name__} ({error})") from None
        return evaluation

    def _described(self) -> Any:
        """What is kept, as lists of numbers."""
        state = self._whole()
        return None if state is None else {name: state[name].tolist() for names in self.kept.values() for name in names}

    def _restore(self, described: Any) -> None:
        """Take up what `_described` gave.  Raises ValueError or TypeError where it is damaged."""
        if described is None:
            self.reset()
            return
        n_axes_of = {name: n_axes for n_axes, names in self.kept.items() for name in names}
        if set(described) != set(n_axes_of):
            raise ValueError(f"{sorted(n_axes_of)} are needed, given {sorted(described)}")
        with nd.scope_out_of_workspaces():
            state = {name: nd.asarray(described[name], dtype="float64") for name in n_axes_of}
        for name, n_axes in n_axes_of.items():
            if state[name].ndim != n_axes:
                raise ValueError(f"{name} must have {n_axes} axes, given shape {state[name].shape}")
        self._check_kept(state)
        self.reset()
        self._take(state)

    def _check_kept(self, state: Kept) -> None:
        """Raises ValueError where the arrays of a file do not fit together: those with as many axes have one shape."""
        for n_axes, names in self.kept.items():
            shapes = {state[name].shape for name in names}
            if len(shapes) != 1:
                raise ValueError(f"arrays with {n_axes} axes must have one shape, given {sorted(shapes)}")
