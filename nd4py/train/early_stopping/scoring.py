"""Score calculators: what early stopping compares networks by."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import having
from nd4py.api.unknown_settings import TellingArguments
from nd4py.nn import Evaluation
from nd4py.nn.networks.batches import batches_of, features_of

LESS_IS_BETTER = ("error", "false_positive_rate", "false_negative_rate", "false_alarm_rate")  # ends of metrics' names


class ScoreCalculator(TellingArguments, ABC):
    """The base class of what gives networks a score.

    minimize: whether lower scores are better
    Raises nothing.

    >>> class Size(train.ScoreCalculator):
    ...     def score(self, network):
    ...         return float(network.num_params())
    >>> Size().minimize
    True
    """

    minimize = True

    @abstractmethod
    def score(self, network: Any) -> float:
        """The score of a network.  Returns a number.  Raises TypeError for anything but a network."""


class DataSetLossCalculator(ScoreCalculator):
    """The loss on data, with L1 and L2: lower is better.

    data: as `network.score` takes it, which can be looped over again
    average: the mean over the examples; else the sum over the batches of their means
    Raises nothing.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> batch = data.DataSet(nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2))
    >>> train.DataSetLossCalculator(batch).score(net) == net.score(batch)
    True
    """

    def __init__(self, data: Any, average: bool = True) -> None:
        self._data, self._average = data, bool(average)

    def score(self, network: Any) -> float:
        having("score: network", network, "a network", "score", "evaluate")
        if self._average:
            return float(network.score(self._data))
        return sum(float(network.score(batch)) for batch in batches_of(self._data))


class EvaluationScoreCalculator(ScoreCalculator):
    """A number of an evaluation: accuracy, F1, the area under a ROC curve, a mean squared error.

    data: as `network.evaluate` takes it, which can be looped over again
    metric: the name of the evaluation's method, such as "accuracy" or "f1", or a function of the evaluation
    evaluation: a class or function that makes a new one: `Evaluation`, `RegressionEvaluation`, `ROC` ...
    minimize: whether lower numbers are better; None says so for errors, and for the rates of false decisions
    Raises TypeError where the evaluation has no such method.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> batch = data.DataSet(nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2))
    >>> calculator = train.EvaluationScoreCalculator(batch, "accuracy")
    >>> calculator.score(net), calculator.minimize
    (0.5, False)
    """

    def __init__(
        self,
        data: Any,
        metric: str | Callable[[Any], float] = "accuracy",
        *,
        evaluation: Callable[[], Any] = Evaluation,
        minimize: bool | None = None,
    ) -> None:
        if not callable(evaluation):
            raise TypeError(f"EvaluationScoreCalculator: evaluation makes evaluations, given {evaluation!r}")
        if not callable(metric):
            check_method(evaluation(), metric)
        self._data, self._metric, self._make = data, metric, evaluation
        is_error = isinstance(metric, str) and metric.endswith(LESS_IS_BETTER)
        self.minimize = is_error if minimize is None else bool(minimize)

    def score(self, network: Any) -> float:
        having("score: network", network, "a network", "score", "evaluate")
        found = network.evaluate(self._data, self._make())
        return float(self._metric(found) if callable(self._metric) else getattr(found, self._metric)())


def check_method(evaluation: Any, metric: Any) -> None:
    """Raises TypeError unless an evaluation has a method of this name."""
    if not isinstance(metric, str) or not callable(getattr(evaluation, metric, None)):
        known = [name for name in dir(evaluation) if name[0] != "_" and callable(getattr(evaluation, name))]
        raise TypeError(
            f"EvaluationScoreCalculator: metric must be a method of {type(evaluation).__name__} that returns a number, "
            f"given {metric!r}; its methods are {', '.join(known)}"
        )


class ReconstructionScoreCalculator(ScoreCalculator):
    """How well an `AutoEncoder` or `VariationalAutoencoder` reconstructs data: the mean squared error, lower is better.

    data: an array of features, or batches, of which labels are not looked at
    layer: the number or name of the layer; it is given what the layers below make of the data
    log_probability: for a `VariationalAutoencoder`, the mean log probability of the data instead: higher is better
    n_samples: that a probability is computed from
    Raises nothing; `score` raises TypeError for a layer that reconstructs nothing.

    >>> net = nn.MultiLayerNetwork([nn.AutoEncoder(3), nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> train.ReconstructionScoreCalculator(nd.ones((6, 4))).score(net) >= 0
    True
    """

    def __init__(self, data: Any, layer: int | str = 0, *, log_probability: bool = False, n_samples: int = 8) -> None:
        self._data, self._layer, self._n_samples = data, layer, n_samples
        self.minimize = not log_probability

    def score(self, network: Any) -> float:
        having("score: network", network, "a network with layers to pretrain", "layer_params", "feed_forward")
        layer = network.get_layer(self._layer)
        params = network.layer_params(self._layer)
        having("score: layer", layer, "an autoencoder", "reconstruct")
        total, n_examples = 0.0, 0
        batches = (self._data,) if hasattr(self._data, "shape") else batches_of(self._data)
        for batch in batches:
            x = self._input_of(network, features_of(batch).features)
            if self.minimize:
                error = layer.reconstruct(params, x) - x
                total += float(nd.sum(error * error)) / max(x.size // x.shape[0], 1)
            else:
                rng = nd.random.Generator(network.configuration.seed)
                found = layer.reconstruction_log_probability(params, x, self._n_samples, rng)
                total += float(nd.sum(found))
            n_examples += x.shape[0]
        if not n_examples:
            raise ValueError("ReconstructionScoreCalculator: no examples in data")
        return total / n_examples

    def _input_of(self, network: Any, features: Any) -> nd.NDArray:
        """What the layer is given for features."""
        every = network.feed_forward(features)
        values = list(every.values()) if isinstance(every, dict) else every
        stage = next(each for each in network.stages if self._layer in (each.index, each.name, each.layer.name))
        return stage.prepare(values[stage.sources[0]])
