"""Where batches come from: data sets, iterators, reading ahead, and the digits to learn from."""

from .asynchronous import AsyncDataSetIterator, AsyncShieldDataSetIterator
from .dataset import DataSet, Split
from .digits import DigitsDataSetIterator
from .idx import read_idx
from .iterators import ArrayDataSetIterator, DataSetIterator, ListDataSetIterator
from .mnist import MnistDataSetIterator

__all__ = [
    "ArrayDataSetIterator",
    "AsyncDataSetIterator",
    "AsyncShieldDataSetIterator",
    "DataSet",
    "DataSetIterator",
    "DigitsDataSetIterator",
    "ListDataSetIterator",
    "MnistDataSetIterator",
    "Split",
    "read_idx",
]
