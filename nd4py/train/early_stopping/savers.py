"""Savers: where early stopping keeps the best network, and the latest."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from nd4py.api.arguments import having
from nd4py.api.unknown_settings import TellingArguments


class InMemoryModelSaver:
    """Keeps the best and the latest network as clones, updater state and counters included.

    Raises nothing.

    >>> saver = train.InMemoryModelSaver()
    >>> saver.best() is None
    True
    """

    def __init__(self) -> None:
        self._best: Any = None
        self._latest: Any = None

    def save_best(self, network: Any, score: float) -> None:
        """Keep the best.

        network: is cloned    score: its
        Raises TypeError for anything but a network.
        """
        self._best = having("save_best: network", network, "a network", "clone").clone()

    def save_latest(self, network: Any, score: float) -> None:
        """Keep the latest; arguments as for `save_best`.  Raises TypeError for anything but a network."""
        self._latest = having("save_latest: network", network, "a network", "clone").clone()

    def best(self) -> Any:
        """The best, None before the first.  Raises nothing."""
        return self._best

    def latest(self) -> Any:
        """The latest, None before the first.  Raises nothing."""
        return self._latest


class LocalFileModelSaver(TellingArguments):
    """Keeps the best and the latest network in the files bestModel.zip and latestModel.zip of a folder.

    folder: made if need be    classes: the layers, updaters ... of the caller's own that the networks are made from
    Stacks of layers and graphs alike.  A file is replaced only when the new one is complete.
    Raises OSError where a file cannot be written.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> saver = train.LocalFileModelSaver("models")
    >>> saver.save_best(net, 0.5)
    >>> saver.best().num_params()
    10
    """

    def __init__(self, folder: str | os.PathLike[str], *, classes: tuple[type, ...] = ()) -> None:
        self._folder, self._classes = Path(folder), classes
        self._kind: Any = None

    def save_best(self, network: Any, score: float) -> None:
        """Keep the best.

        network: is written    score: its
        Raises TypeError for anything but a network, OSError where the file cannot be written.
        """
        self._write(having("save_best: network", network, "a network", "save", "load"), "bestModel.zip")

    def save_latest(self, network: Any, score: float) -> None:
        """Keep the latest; arguments as for `save_best`, and raises as it does."""
        self._write(having("save_latest: network", network, "a network", "save", "load"), "latestModel.zip")

    def best(self) -> Any:
        """The best, read from its file; None before the first.  Raises ValueError when the file is damaged."""
        return self._read("bestModel.zip")

    def latest(self) -> Any:
        """The latest, read from its file; None before the first.  Raises ValueError when the file is damaged."""
        return self._read("latestModel.zip")

    def _write(self, network: Any, name: str) -> None:
        self._kind = type(network)
        self._folder.mkdir(parents=True, exist_ok=True)
        network.save(self._folder / name)

    def _read(self, name: str) -> Any:
        path = self._folder / name
        return None if self._kind is None or not path.exists() else self._kind.load(path, classes=self._classes)
