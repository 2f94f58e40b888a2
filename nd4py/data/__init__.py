"""Where batches come from: data sets, iterators, reading ahead, normalizers, and the digits to learn from.

The files, as the build lists them:

- asynchronous.py: Reading ahead: a thread prepares the next batches while the network works on this one.
- background.py: Threads in the background that no interrupt leaves half begun.
- channel.py: A bounded hand-over from one producer thread to one consumer, which either side may leave at any moment.
- column_statistics.py: What is known of the columns of many arrays: moments and extremes, merged batch by batch.
- dataset.py: A set of examples with their labels: what iterators hand out and networks are fitted on.
- digits.py: The 1,797 scanned digits that come with scikit-learn, enlarged to the size of MNIST's images.
- idx.py: The IDX file format of the MNIST family: a four-byte magic number, the sizes, the elements, all big-endian.
- iterators.py: Batches one after another: what every data source looks like to a network.
- mnist.py: The MNIST handwritten digits, read from the four published files.
- normalizers.py: Features and labels brought to one scale: measured on the training data, applied to every batch,
  undone afterwards.
"""

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
