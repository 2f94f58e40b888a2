"""History: what a run of training has measured, for each iteration and each epoch."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


class History:
    """Scores and times of a run of training, as `fit` returns it.

    iterations, iteration_scores: the number of every iteration, counted from 1, and the score of its batch before it
    epochs, scores: the number of every whole epoch, counted from 1, and the mean of its batches' scores, which count as
        much as they have examples; nan where no step was made, as long as the scale of losses in float16 is too large
    validation_scores: after each of these epochs, empty without `validation_data`
    seconds: that each of these epochs took, validation included
    Raises nothing.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> history = net.fit(nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2), batch_size=3, epochs=2)
    >>> history.iterations, history.epochs
    ([1, 2, 3, 4], [1, 2])
    >>> sorted(history.history), len(history.history["loss"])
    (['loss'], 2)
    """

    def __init__(self) -> None:
        self.iterations: list[int] = []
        self.iteration_scores: list[float] = []
        self.epochs: list[int] = []
        self.scores: list[float] = []
        self.validation_scores: list[float] = []
        self.seconds: list[float] = []
        self._total, self._n_examples = 0.0, 0  # of the epoch under way

    def __repr__(self) -> str:
        last = f", score {self.scores[-1]:.6g} in the last" if self.scores else ""
        return f"<History of {len(self.iterations)} iterations in {len(self.epochs)} epochs{last}>"

    @property
    def history(self) -> dict[str, list[float]]:
        """The scores of all epochs by name: "loss", and "val_loss" where there is validation data."""
        found = {"loss": list(self.scores)}
        return found | {"val_loss": list(self.validation_scores)} if self.validation_scores else found

    def add_iteration(self, iteration: int, score: float, n_examples: int) -> None:
        """Note an iteration.

        iteration: its number, counted from 1    score: of its batch    n_examples: in the batch
        Raises nothing.

        >>> history = nn.History()
        >>> history.add_iteration(1, 0.5, 32)
        >>> history.iteration_scores
        [0.5]
        """
        self.iterations.append(iteration)
        self.iteration_scores.append(score)
        self._total += score * n_examples
        self._n_examples += n_examples

    def end_epoch(self, epoch: int, seconds: float, validation_score: float | None = None) -> None:
        """Note the end of an epoch, whose score is the mean of the iterations since the one before.

        epoch: its number, counted from 1    seconds: that it took    validation_score: None where there is none
        Raises nothing.

        >>> history = nn.History()
        >>> history.add_iteration(1, 0.5, 32)
        >>> history.end_epoch(1, seconds=0.1)
        >>> history.scores
        [0.5]
        """
        self.epochs.append(epoch)
        self.scores.append(self._total / self._n_examples if self._n_examples else math.nan)
        self.seconds.append(seconds)
        if validation_score is not None:
            self.validation_scores.append(validation_score)
        self._total, self._n_examples = 0.0, 0

    def state(self) -> dict[str, Any]:
        """All of it as JSON can hold it, for a checkpoint.  Raises nothing."""
        return {name.strip("_"): value for name, value in vars(self).items()}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Take over what `state` returned.

        state: of another history
        Raises ValueError for anything else.

        >>> history, other = nn.History(), nn.History()
        >>> history.add_iteration(1, 0.5, 32)
        >>> other.set_state(history.state())
        >>> other.iterations
        [1]
        """
        names = {name.strip("_"): name for name in vars(self)}
        if not isinstance(state, Mapping) or set(state) != set(names):
            raise ValueError(f"History.set_state: needs {sorted(names)}, as History.state() returns, given {state!r}")
        for name, own in names.items():
            value = state[name]
            setattr(self, own, list(value) if isinstance(value, list | tuple) else value)
