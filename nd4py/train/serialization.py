"""Saving networks to files and loading them."""

from __future__ import annotations

import os

from nd4py.api.arguments import instance
from nd4py.data import DataSetPreProcessor
from nd4py.nn import ComputationGraph, Model, MultiLayerNetwork
from nd4py.nn.networks.archive import open_archive
from nd4py.nn.networks.configuration import configuration_class_of

from .weight_averages import WeightAverage, described_average


def save(
    network: Model,
    path: str | os.PathLike[str],
    *,
    save_updater: bool = True,
    normalizer: DataSetPreProcessor | None = None,
    average: WeightAverage | None = None,
) -> None:
    """Write `network`, and the `normalizer` of its data, to a zip file.

    save_updater: the updater's state too, to go on training with.
    average: of the network's weights, to go on averaging with
    A file that was there before stays whole until the new one is complete.
    Raises TypeError for anything but a network, path, normalizer or average, OSError where the file cannot be written.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> train.save(net, "net.zip")
    >>> train.load("net.zip").num_params()
    10
    """
    instance("save: network", network, Model).save(
        path, save_updater=save_updater, normalizer=normalizer, average=average
    )


def load_normalizer(path: str | os.PathLike[str]) -> DataSetPreProcessor:
    """The normalizer that was saved with the network at `path`.

    Raises ValueError when there is none or the file is damaged, OSError when it cannot be opened.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> train.save(net, "net.zip", normalizer=data.ImagePreProcessingScaler())
    >>> type(train.load_normalizer("net.zip")).__name__
    'ImagePreProcessingScaler'
    """
    with open_archive(path) as archive:
        text = archive.normalizer()
        if text is None:
            raise ValueError(
                f"{path} has no normalizer: save the network with normalizer=, or load one from its own file"
            )
        try:
            return DataSetPreProcessor.from_json(text)
        except ValueError as error:
            raise archive.damaged(str(error)) from None


def load_average(path: str | os.PathLike[str], *, classes: tuple[type, ...] = ()) -> WeightAverage:
    """The average of weights that was saved with the network at `path`, with its values, a listener that goes on.

    classes: of averages of the caller's own
    Raises ValueError when there is none or the file is damaged, OSError when it cannot be opened.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> average = train.ExponentialMovingAverage(0.99)
    >>> average.update(net)
    >>> train.save(net, "net.zip", average=average)
    >>> net = train.load("net.zip")
    >>> net.add_listeners(train.load_average("net.zip"))
    >>> net.listeners[0].n_averaged
    1
    """
    with open_archive(path) as archive:
        text = archive.average()
        if text is None:
            raise ValueError(f"{path} has no average of weights: save the network with average=")
        try:
            average, size, dtype = described_average(text, classes)
        except ValueError as error:
            raise archive.damaged(str(error)) from None
        if size:
            average.values = archive.average_values(size, dtype).copy()
    return average


def load(
    path: str | os.PathLike[str], *, classes: tuple[type, ...] = (), load_updater: bool = True
) -> MultiLayerNetwork | ComputationGraph:
    """The network saved at `path`; `classes` are the layers, updaters ... of the caller's own it was made from.

    load_updater: the updater's state too, if it was saved; else it is as before the first step
    Returns a `MultiLayerNetwork` or a `ComputationGraph`, whichever was saved.
    Raises ValueError when the file is damaged or does not fit together, OSError when it cannot be opened.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> train.save(net, "net.zip")
    >>> nd.array_equal(train.load("net.zip").params(), net.params())
    array(True, dtype=bool)
    """
    with open_archive(path) as archive:
        is_stack = configuration_class_of(archive.configuration()) is MultiLayerNetwork.configuration_class
    if is_stack:
        return MultiLayerNetwork.load(path, classes=classes, load_updater=load_updater)
    return ComputationGraph.load(path, classes=classes, load_updater=load_updater)
