"""Averages of the weights that a network has had, as listeners: exponential and stochastic weight averaging."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import count, having, instance, items, real, whole
from nd4py.nn import Model

from .listeners import TrainingListener

STEPS = ("iteration", "epoch")


@dataclass(eq=False, kw_only=True)
class WeightAverage(TrainingListener):
    """The base class of averages of weights: a listener that takes in the parameters of the network now and then.

    every, start: the parameters are taken in after every so many iterations, or epochs, from `start` of them on
    per: "iteration" or "epoch"
    average_running_values: whether running values, such as those of batch normalization, are averaged too; else they
        are those that the network had last, and belong to other weights: `network.recompute_running_values(data)` makes
        them fit, while the averages are `applied`
    values: the averages, a vector laid out like `params()`, None before the first    n_averaged: how many were taken in
    `share` says how much the newest count.  `train.save(network, path, average=...)` keeps an average beside its
    network, so that training and averaging go on.
    Raises TypeError for a setting that is no number where one is needed, ValueError for one out of its range.

    >>> from dataclasses import dataclass
    >>> @dataclass(eq=False, kw_only=True)
    ... class Latest(train.WeightAverage):
    ...     def share(self, n_averaged):
    ...         return 1.0
    >>> Latest(every=10).every
    10
    """

    every: int = 1
    start: int = 0
    per: str = "iteration"
    average_running_values: bool = False
    values: nd.NDArray | None = field(default=None, init=False, repr=False)
    n_averaged: int = field(default=0, init=False)
    _is_applied: bool = field(default=False, init=False, repr=False)

    def __post_init__(self) -> None:
        who = type(self).__name__
        self.every = count(f"{who}: every", self.every, 1)
        self.start = count(f"{who}: start", self.start)
        if self.per not in STEPS:
            raise ValueError(f"{who}: per must be 'iteration' or 'epoch', given {self.per!r}")

    @abstractmethod
    def share(self, n_averaged: int) -> float:
        """How much the newest parameters count, from 0 to 1, when `n_averaged` have been taken in before them.

        Raises TypeError for anything but a number.
        """

    def iteration_done(self, model: Any, iteration: int, epoch: int) -> None:
        having("iteration_done: model", model, "a network", "params")
        if self.per == "iteration" and self._is_due(whole("iteration_done: iteration", iteration)):
            self.update(model)

    def on_epoch_end(self, model: Any) -> None:
        having("on_epoch_end: model", model, "a network", "params", "epoch_count")
        if self.per == "epoch" and self._is_due(model.epoch_count):
            self.update(model)

    def update(self, model: Model) -> None:
        """Take in the parameters of a network as they are.  Done or not done, also where it is interrupted.

        Raises TypeError for anything but a network, ValueError for one of another size, and while the averages are
        applied.
        """
        params = instance("update: model", model, Model).params()
        if self._is_applied:
            raise ValueError("update: the network has the averages now; leave the `applied` block first")
        with nd.scope_out_of_workspaces():
            if self.values is None:
                values = params.copy()
            else:
                before = self._checked_values(model)
                values = before + (params - before) * self.share(self.n_averaged)
                if not self.average_running_values:
                    for slot in model.slots:
                        if slot.parameter.is_state:
                            values[slot.elements] = params[slot.elements]
            values.block()
        vars(self).update(values=values, n_averaged=self.n_averaged + 1)

    @contextmanager
    def applied(self, model: Model) -> Iterator[Model]:
        """A context in which `model` has the averages for its parameters; then it has its own again.

        What is changed in its parameters meanwhile, such as running values that are computed anew, becomes part of the
        averages.
        Raises TypeError for anything but a network, ValueError for one of another size, before the first average, and
        inside of another such block.
        """
        instance("applied: model", model, Model)
        values = self._checked_values(model)
        if self._is_applied:
            raise ValueError("applied: the averages are applied already")
        own = model.params().copy()
        try:
            self._is_applied = True
            model.adopt(values)
            yield model
            self.values = model.params().copy()
        finally:
            model.adopt(own)
            self._is_applied = False

    def network(self, model: Model) -> Model:
        """A network of its own with the averages for its parameters, else as `model` is, without listeners.

        Raises as `applied` does.
        """
        with self.applied(model):
            return model.clone()

    def to_json(self) -> str:
        """The settings and the count of what was averaged as a text, without the values.  Raises nothing."""
        settings = {each.name: getattr(self, each.name) for each in fields(self) if each.init}
        size, dtype = (0, None) if self.values is None else (self.values.size, str(self.values.dtype))
        described = {"class": type(self).__name__, "settings": settings, "n_averaged": self.n_averaged}
        return json.dumps({**described, "size": size, "dtype": dtype})

    def _is_due(self, done: int) -> bool:
        return done > self.start and (done - self.start) % self.every == 0

    def _checked_values(self, model: Model) -> nd.NDArray:
        """The averages, on the device of the network."""
        if self.values is None:
            raise ValueError(f"{type(self).__name__}: no weights averaged yet; train with it as a listener first")
        if self.values.size != model.num_params():
            raise ValueError(
                f"{type(self).__name__} has averages of {self.values.size} parameters, the network has "
                f"{model.num_params()}"
            )
        return nd.asarray(self.values, device=model.device)


@dataclass(eq=False)
class ExponentialMovingAverage(WeightAverage):
    """An average of the weights in which each counts `decay` times as much as the next one.

    values' = values + (1 - decay) * (params - values), from the first parameters on, as in
    `torch.optim.swa_utils.AveragedModel` with `get_ema_multi_avg_fn(decay)` and in Keras's `SwapEMAWeights`.
    Polyak & Juditsky 1992, https://doi.org/10.1137/0330046
    decay: from 0 to below 1    every, start, per, average_running_values: as in `WeightAverage`
    Raises TypeError for a setting that is no number where one is needed, ValueError for one out of its range.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> average = train.ExponentialMovingAverage(0.9)
    >>> net.add_listeners(average)
    >>> history = net.fit(data.ArrayDataSetIterator(nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2), batch=2))
    >>> average.n_averaged
    3
    >>> with average.applied(net):
    ...     score = net.score((nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2)))
    """

    decay: float = 0.999

    def __post_init__(self) -> None:
        super().__post_init__()
        self.decay = real("ExponentialMovingAverage: decay", self.decay)
        if not 0.0 <= self.decay < 1.0:
            raise ValueError(f"ExponentialMovingAverage: decay must be from 0 to below 1, given {self.decay!r}")

    def share(self, n_averaged: int) -> float:
        whole("share: n_averaged", n_averaged)
        return 1.0 - self.decay


@dataclass(eq=False)
class StochasticWeightAveraging(WeightAverage):
    """The mean of the weights at the ends of epochs, all of which count the same.

    Train with a learning rate that stays high, or goes up and down, from `start` on: `MapSchedule`, `CosineSchedule`.
    Izmailov et al. 2018, https://arxiv.org/abs/1803.05407, algorithm 1; `torch.optim.swa_utils.AveragedModel`.
    every, start, per, average_running_values: as in `WeightAverage`
    Raises TypeError for a setting that is no number where one is needed, ValueError for one out of its range.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> average = train.StochasticWeightAveraging(start=2)
    >>> net.add_listeners(average)
    >>> batches = data.ArrayDataSetIterator(nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2), batch=2)
    >>> history = net.fit(batches, epochs=5)
    >>> average.n_averaged
    3
    >>> with average.applied(net):
    ...     net.recompute_running_values(batches)  # of batch normalization, where there is any
    """

    per: str = field(default="epoch", kw_only=True)

    def share(self, n_averaged: int) -> float:
        return 1 / (count("share: n_averaged", n_averaged) + 1)


AVERAGES: dict[str, type[WeightAverage]] = {
    "ExponentialMovingAverage": ExponentialMovingAverage,
    "StochasticWeightAveraging": StochasticWeightAveraging,
}


def described_average(text: str, classes: tuple[type, ...] = ()) -> tuple[WeightAverage, int, str]:
    """What `WeightAverage.to_json` described, without its values, and the size and the dtype of these.

    classes: of the caller's own.  Raises ValueError for a text that does not describe an average.
    """
    own = [instance("load_average: each of classes", each, type) for each in items("load_average: classes", classes)]
    known = AVERAGES | {each.__name__: each for each in own if issubclass(each, WeightAverage)}
    try:
        found = json.loads(text)
        if found["class"] not in known:
            raise ValueError(f"unknown average {found['class']!r}; give its class in classes=(...)")
        average = known[found["class"]](**found["settings"])
        average.n_averaged = count("n_averaged", found["n_averaged"])
        size, dtype = count("size", found["size"]), str(found["dtype"])
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"{text[:200]!r} does not describe an average of weights ({error!r})") from None
    if (size == 0) != (average.n_averaged == 0):
        raise ValueError(f"an average of {average.n_averaged} vectors has {size} values")
    return average, size, dtype
