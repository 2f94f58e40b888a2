"""UCI's synthetic control charts: 600 sequences of 60 numbers in six classes, from the published file.

Source: Alcock, Manolopoulos, "Time-Series Similarity Queries Employing a Feature-Based Approach", 1999; UCI Machine
Learning Repository.
"""

from __future__ import annotations

from pathlib import Path

from nd4py import api as nd
from nd4py.api.arguments import instance

from .dataset import DataSet
from .iterators import ViewDataSetIterator

CLASSES = ("normal", "cyclic", "increasing", "decreasing", "upward shift", "downward shift")
N_OF_CLASS, LENGTH = 100, 60
N_TRAIN = 450
SPLIT_SEED = 12345  # the same division for every seed of the iterator
SOURCE = "https://archive.ics.uci.edu/dataset/139/synthetic+control+chart+time+series"


class UciSequenceDataSetIterator(ViewDataSetIterator):
    """Control charts: features (batch, 60, 1), one number a step, and the class of each one-hot, (batch, 6), float32.

    batch: sequences in each; the last may be smaller
    train: 450 of the sequences, or the other 150; the division is the same for every seed
    seed: each pass draws a new order from it; None keeps one order
    path: of the published file synthetic_control.data
    The numbers are as published, about 30: normalize them.
    Raises FileNotFoundError saying where to get it, ValueError naming the line of a damaged file.

    >>> try:
    ...     data.UciSequenceDataSetIterator(32, train=True, path="no such file")
    ... except FileNotFoundError:
    ...     print("get synthetic_control.data")
    get synthetic_control.data
    """

    classes = CLASSES

    def __init__(self, batch, train, seed=123, *, path="~/.nd4py/synthetic_control.data"):
        instance("UciSequenceDataSetIterator: train", train, bool)
        with nd.scope_out_of_workspaces():
            charts = nd.asarray(_read(Path(path).expanduser()), dtype="float32")
            labels = nd.one_hot(nd.repeat(nd.arange(len(CLASSES)), N_OF_CLASS), len(CLASSES), dtype="float32")
            split = DataSet(charts[:, :, None], labels).split_test_and_train(N_TRAIN, seed=SPLIT_SEED)
        super().__init__(split.train if train else split.test, batch, seed)


def _read(path):
    """The rows of numbers.  Raises FileNotFoundError, and ValueError naming the line that is wrong."""
    if not path.is_file():
        raise FileNotFoundError(
            f"UCI sequences: there is no file {path}; get synthetic_control.data from {SOURCE}, or give its path"
        )
    rows = []
    with open(path, encoding="ascii", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                row = [float(text) for text in line.split()]
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from None
            if len(row) != LENGTH:
                raise ValueError(f"{path}, line {number}: {len(row)} numbers, expected {LENGTH}; the file is damaged")
            rows.append(row)
    if len(rows) != N_OF_CLASS * len(CLASSES):
        raise ValueError(f"{path}: {len(rows)} sequences, expected {N_OF_CLASS * len(CLASSES)}; the file is damaged")
    return rows
