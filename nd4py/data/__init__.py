"""Where batches come from: data sets, iterators, reading ahead, normalizers, and the digits to learn from."""

from .asynchronous import AsyncDataSetIterator, AsyncShieldDataSetIterator
from .dataset import DataSet, Split
from .digits import DigitsDataSetIterator
from .idx import read_idx
from .iterators import ArrayDataSetIterator, DataSetIterator, ListDataSetIterator
from .mnist import MnistDataSetIterator
from .normalizers import ImagePreProcessingScaler, Normalizer, NormalizerMinMaxScaler, NormalizerStandardize

__all__ = [
    "ArrayDataSetIterator",
    "AsyncDataSetIterator",
    "AsyncShieldDataSetIterator",
    "DataSet",
    "DataSetIterator",
    "DigitsDataSetIterator",
    "ImagePreProcessingScaler",
    "ListDataSetIterator",
    "MnistDataSetIterator",
    "Normalizer",
    "NormalizerMinMaxScaler",
    "NormalizerStandardize",
    "Split",
    "read_idx",
]
