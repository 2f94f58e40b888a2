"""Saving networks to files and loading them again."""

import os

from nd4py.nn import Model, MultiLayerNetwork


def save(network: Model, path: str | os.PathLike[str], *, save_updater: bool = True) -> None:
    """Write `network` to a zip file.  A file that was there before stays whole until the new one is complete."""
    network.save(path, save_updater=save_updater)


def load(path: str | os.PathLike[str], *, classes: tuple[type, ...] = ()) -> MultiLayerNetwork:
    """The network saved at `path`; `classes` are the layers, updaters ... of the caller's own it was made from.

    Raises ValueError when the file is damaged or does not fit together, OSError when it cannot be opened.
    """
    return MultiLayerNetwork.load(path, classes=classes)
