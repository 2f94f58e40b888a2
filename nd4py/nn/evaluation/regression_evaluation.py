"""RegressionEvaluation: errors of numbers that are predicted, and their correlation with what they should be."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from nd4py import api as nd
from nd4py.api.arguments import items

from ..numbers import whole
from .rows import Rows, check_numbers, with_columns
from .streamed import Kept, StreamedEvaluation, on_a_screen

KEPT = ("n", "label_mean", "mean", "label_squares", "squares", "products", "squared_errors", "absolute_errors")

MOST_BESIDE_DISTANCES = 64.0  # squared errors and means beside which products follow from sums to 1e-14
MOST_COLUMNS = 1_000_000  # that a number may stand for: names are made of it


class RegressionEvaluation(StreamedEvaluation):
    """Evaluation of outputs that are numbers: the errors of each column, and what of the labels they explain.

    names: of the columns; a whole number is how many there are
    Means and sums of squared distances from them are kept, and joined as by Chan, Golub & LeVeque 1983,
    https://doi.org/10.1080/00031305.1983.10483115, so that large numbers with small differences lose nothing.
    Masks may have a number for each column.  What is not defined is NaN, and left out of means over columns.
    Raises TypeError for names that are no sequence, ValueError for a number below 1 or above a million.

    >>> evaluation = nn.RegressionEvaluation()
    >>> evaluation.eval([[1.0], [2.0], [3.0]], [[1.0], [2.5], [2.0]])
    >>> evaluation.mean_absolute_error(), evaluation.r_squared()
    (0.5, 0.375)
    """

    settings = ("names",)
    kept = {1: KEPT}
    takes_output_masks = True

    def __init__(self, names: Sequence[str] | int | None = None) -> None:
        if isinstance(names, int):
            if (n := whole(names, "RegressionEvaluation: the number of columns")) > MOST_COLUMNS:
                raise ValueError(
                    f"RegressionEvaluation: the number of columns must be at most {MOST_COLUMNS}, given {n}"
                )
            names = [str(i) for i in range(n)]
        self.names = None if names is None else [str(name) for name in items("RegressionEvaluation: names", names)]
        super().__init__()

    @property
    def n_columns(self) -> int | None:
        """The number of columns, None while it is not known."""
        return None if self._state is None else int(self._state["n"].shape[0])

    def _found(self, rows: Rows) -> Kept:
        rows = with_columns("RegressionEvaluation", rows)
        labels, predictions, mask = rows.counted
        self._check_columns(predictions.shape[1])
        if mask is None:
            n = nd.full(predictions.shape[1], predictions.shape[0], dtype="float64")
        else:
            n = nd.sum(mask, axis=0)
        divisor = nd.maximum(n, 1.0)  # what does not count is 0 in both

        # Each sum is one pass over the rows, in which differences are made anew: an array of them would be another.
        # Those that read both come first: reading both from memory at once is faster than one after the other, and
        # the other passes find them in the caches.
        absolute_errors = nd.sum(nd.abs(predictions - labels), axis=0)
        squared_errors = nd.sum(nd.square(predictions - labels), axis=0)
        label_mean, mean = nd.sum(labels, axis=0) / divisor, nd.sum(predictions, axis=0) / divisor
        if nd.any(nd.isnan(mean)):  # as it is where a prediction is, or where infinities of both signs are
            check_numbers("RegressionEvaluation", predictions)

        def distance(x: nd.NDArray, middle: nd.NDArray) -> nd.NDArray:
            return x - middle if mask is None else (x - middle) * mask

        label_squares = nd.sum(nd.square(distance(labels, label_mean)), axis=0)
        squares = nd.sum(nd.square(distance(predictions, mean)), axis=0)
        # sum (p - l)^2 = squares + label_squares - 2 products + n (mean - label_mean)^2 gives the products without
        # another pass.  Errors or means that are large beside the distances would cost digits: then they are summed.
        means = n * (nd.square(mean) + nd.square(label_mean))
        if nd.all(squared_errors + means <= MOST_BESIDE_DISTANCES * nd.sqrt(squares * label_squares)):
            products = (squares + label_squares + n * nd.square(mean - label_mean) - squared_errors) / 2.0
        else:
            products = nd.sum(distance(labels, label_mean) * distance(predictions, mean), axis=0)
        return {
            "n": n,
            "label_mean": label_mean,
            "mean": mean,
            "label_squares": label_squares,
            "squares": squares,
            "products": products,
            "squared_errors": squared_errors,
            "absolute_errors": absolute_errors,
        }

    def _joined(self, first: Kept, second: Kept) -> Kept:
        state = dict(super()._joined(first, second))
        share = second["n"] / nd.maximum(state["n"], 1.0)
        label_gap, gap = second["label_mean"] - first["label_mean"], second["mean"] - first["mean"]
        weight = first["n"] * share
        return state | {
            "label_mean": first["label_mean"] + label_gap * share,
            "mean": first["mean"] + gap * share,
            "label_squares": state["label_squares"] + label_gap * label_gap * weight,
            "squares": state["squares"] + gap * gap * weight,
            "products": state["products"] + label_gap * gap * weight,
        }

    def _check_columns(self, n: int) -> None:
        if self.names is not None and len(self.names) != n:
            raise ValueError(f"RegressionEvaluation: {len(self.names)} names for {n} columns")

    def _check_kept(self, state: Kept) -> None:
        super()._check_kept(state)
        self._check_columns(state["n"].shape[0])

    def n_examples(self, number: int) -> int:
        """How many examples of a column counted.

        number: of the column
        Raises ValueError unless `number` is a whole number of at least 0, IndexError for a column that does not exist.
        """
        if self._state is None:
            whole(number, "RegressionEvaluation: number", least=0)
            return 0
        return int(self._column(self._state["n"].tolist(), number))

    def mean_squared_error(self, number: int | None = None) -> float:
        """The mean of (prediction - label)**2.

        number: of the column; None: the mean over all columns
        Returns a number, NaN before the first example.
        Raises ValueError unless `number` is a whole number of at least 0, IndexError for a column that does not exist.
        """
        return self._of(lambda of: of["squared_errors"] / of["n"], number)

    def mean_absolute_error(self, number: int | None = None) -> float:
        """The mean of |prediction - label|.

        number: of the column; None: the mean over all columns
        Returns a number, NaN before the first example.
        Raises as `mean_squared_error` does.
        """
        return self._of(lambda of: of["absolute_errors"] / of["n"], number)

    def root_mean_squared_error(self, number: int | None = None) -> float:
        """The square root of the mean squared error.

        number: of the column; None: the mean over all columns
        Returns a number, NaN before the first example.
        Raises as `mean_squared_error` does.
        """
        return self._of(lambda of: math.sqrt(of["squared_errors"] / of["n"]), number)

    def relative_squared_error(self, number: int | None = None) -> float:
        """The squared errors over those of the mean of the labels: sum (prediction - label)**2 / sum (label - mean)**2.

        number: of the column; None: the mean over all columns
        Returns a number, NaN where all labels are equal and before the first example.
        Raises as `mean_squared_error` does.
        """
        return self._of(lambda of: of["squared_errors"] / of["label_squares"], number)

    def pearson_correlation(self, number: int | None = None) -> float:
        """Pearson's correlation of predictions with labels, from -1 to 1.

        number: of the column; None: the mean over all columns
        Returns a number, NaN where labels or predictions are all equal and before the first example.
        Raises as `mean_squared_error` does.
        """
        return self._of(lambda of: of["products"] / (math.sqrt(of["label_squares"]) * math.sqrt(of["squares"])), number)

    def r_squared(self, number: int | None = None) -> float:
        """R**2, the coefficient of determination, 1 less the relative squared error; at most 1.

        number: of the column; None: the mean over all columns
        Returns a number, NaN where all labels are equal and before the first example.
        Raises as `mean_squared_error` does.
        """
        return self._of(lambda of: 1.0 - of["squared_errors"] / of["label_squares"], number)

    def stats(self) -> str:
        """A table with a line for each column.  Raises nothing."""
        names = self.names or [str(i) for i in range(self.n_columns or 0)]
        width = max([len("column"), *map(len, names)])
        titles = ("MSE", "MAE", "RMSE", "RSE", "correlation", "R^2")
        lines = [
            "======== RegressionEvaluation ========",
            f"{'column':{width}}" + "".join(f"  {title:>12}" for title in titles),
        ]
        rows = []
        for i, name in enumerate(names[: self.n_columns or 0]):
            metrics = (
                self.mean_squared_error, self.mean_absolute_error, self.root_mean_squared_error,
                self.relative_squared_error, self.pearson_correlation, self.r_squared,
            )  # fmt: skip
            rows.append(f"{name:{width}}" + "".join(f"  {metric(i):12.5g}" for metric in metrics))
        lines += on_a_screen(rows, "columns")
        if self._state is None:
            lines.append("No examples counted yet: call eval(labels, predictions).")
        return "\n".join(lines)

    def _of(self, metric: Callable[[dict[str, float]], float], number: int | None) -> float:
        if self._state is None:
            if number is not None:
                whole(number, "RegressionEvaluation: number", least=0)
            return math.nan
        columns = zip(*(self._state[name].tolist() for name in KEPT), strict=True)
        values = [_or_nan(metric, dict(zip(KEPT, column, strict=True))) for column in columns]
        if number is not None:
            return self._column(values, number)
        defined = [value for value in values if not math.isnan(value)]
        return sum(defined) / len(defined) if defined else math.nan

    @staticmethod
    def _column(values: list[float], number: int) -> float:
        number = whole(number, "RegressionEvaluation: number", least=0)
        if number >= len(values):
            raise IndexError(f"RegressionEvaluation: number must be below {len(values)}, the columns, given {number}")
        return values[number]


def _or_nan(metric: Callable[[dict[str, float]], float], of: dict[str, float]) -> float:
    try:
        return metric(of)
    except ZeroDivisionError:
        return math.nan
