"""EvaluationBinary: hits and errors of outputs that are independent decisions, each by a threshold of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import items

from ..numbers import real
from .ratios import Outcomes, RatioEvaluation, accuracy_of, matthews
from .rows import Rows, check_numbers, positive, with_columns
from .streamed import Kept, on_a_screen

KINDS = ("hits", "false_alarms", "misses", "rest")


class EvaluationBinary(RatioEvaluation):
    """Evaluation of outputs that each decide between two classes, such as those of a sigmoid.

    thresholds: above which an output says yes: one number for all, or one for each    names: of the outputs
    A label above 0.5 says yes.  Masks may have a number for each output.
    A ratio 0 / 0 is left out of the mean over outputs, and is 0 by itself.
    Raises ValueError for thresholds that are no finite numbers, or not as many as names, TypeError for anything else.

    >>> evaluation = nn.EvaluationBinary(thresholds=[0.5, 0.2])
    >>> evaluation.eval([[1, 0], [1, 1]], [[0.9, 0.3], [0.4, 0.8]])
    >>> evaluation.true_positives(), evaluation.false_positives(), evaluation.recall(0)
    ([1, 1], [0, 1], 0.5)
    """

    settings = ("thresholds", "names")
    kept = {1: KINDS}
    takes_output_masks = True

    def __init__(self, thresholds: float | Sequence[float] = 0.5, names: Sequence[str] | None = None) -> None:
        who = "EvaluationBinary: "
        self.thresholds: Any = thresholds
        if isinstance(thresholds, int | float):
            self.thresholds = real(thresholds, f"{who}thresholds")
        else:
            self.thresholds = [real(each, f"{who}a threshold") for each in items(f"{who}thresholds", thresholds)]
        self.names = None if names is None else [str(name) for name in items(f"{who}names", names)]
        super().__init__()
        if self.names is not None:
            self._check_outputs(len(self.names), "names")

    @property
    def n_outputs(self) -> int | None:
        """The number of outputs, None while it is not known."""
        return None if self._state is None else int(self._state["hits"].shape[0])

    def _found(self, rows: Rows) -> Kept:
        labels, predictions, mask = with_columns("EvaluationBinary", rows).counted
        check_numbers("EvaluationBinary", predictions)
        self._check_outputs(predictions.shape[1], "predictions")
        says = predictions > nd.asarray(self.thresholds, dtype="float64")
        is_so = positive("EvaluationBinary", labels, mask)
        kinds = (says & is_so, says & ~is_so, ~says & is_so, ~says & ~is_so)
        counts = [nd.astype(kind, "float64") for kind in kinds]
        if mask is not None:
            counts = [each * mask for each in counts]
        return {name: nd.sum(each, axis=0) for name, each in zip(KINDS, counts, strict=True)}

    def _check_outputs(self, n: int, where: str) -> None:
        for what, known in (("thresholds", self.thresholds), ("names", self.names)):
            if isinstance(known, list) and len(known) != n:
                raise ValueError(f"EvaluationBinary: {len(known)} {what}, but {where} have {n} outputs")

    def _check_kept(self, state: Kept) -> None:
        super()._check_kept(state)
        self._check_outputs(state["hits"].shape[0], "counts")

    def _outcomes(self) -> list[Outcomes]:
        if self._state is None:
            return []
        columns = (self._state[name].tolist() for name in KINDS)
        return [Outcomes(*map(int, kinds)) for kinds in zip(*columns, strict=True)]

    def n_examples(self, number: int) -> int:
        """How many examples of an output counted.

        number: of the output
        Raises ValueError unless `number` is a whole number of at least 0, IndexError for an output that does not exist.
        """
        outcomes = self._outcomes()
        number = self._known(number, len(outcomes))
        return sum(outcomes[number]) if outcomes else 0

    def accuracy(self, number: int | None = None, *, average: str | None = None) -> float:
        """The fraction of decisions that are right.

        number, average: as in `precision`
        Returns a number from 0 to 1.
        Raises as `precision` does.
        """
        return self._of(accuracy_of, number, average)

    def matthews_correlation(self, number: int | None = None, *, average: str | None = None) -> float:
        """Matthews' correlation of decisions with labels, from -1 to 1; 0 where it is not defined.

        number, average: as in `precision`
        Returns a number.
        Raises as `precision` does.
        """
        return self._of(matthews, number, average)

    def stats(self) -> str:
        """A table with a line for each output.  Raises nothing."""
        outcomes = self._outcomes()
        names = self.names or [str(i) for i in range(len(outcomes))]
        width = max([len("output"), *map(len, names)])
        lines = [
            "======== EvaluationBinary ========",
            f"{'output':{width}}  accuracy  precision    recall        F1  examples",
        ]
        rows = []
        for i, name in enumerate(names[: len(outcomes)]):
            numbers = self.accuracy(i), self.precision(i), self.recall(i), self.f1(i)
            accuracy, precision, recall, f1 = numbers
            rows.append(
                f"{name:{width}}  {accuracy:8.4f}  {precision:9.4f}  {recall:8.4f}  {f1:8.4f}  {sum(outcomes[i]):8}"
            )
        lines += on_a_screen(rows, "outputs")
        if not outcomes:
            lines.append("No examples counted yet: call eval(labels, predictions).")
        return "\n".join(lines)
