"""Data sets and iterators over batches, reading ahead, and normalizers.

The files, as the build lists them:

- asynchronous.py: Prefetching: a thread prepares the next batches while the network works on this one.
- background.py: Starting and joining background threads, and calls that take locks, so that no interrupt leaves one
  half done.
- byte_images.py: Images kept as bytes: the base class of data sets that were published as images.
- channel.py: A bounded queue from one producer thread to one consumer, which either side may close at any moment.
- column_statistics.py: Moments and extremes of columns, merged batch by batch.
- composite_normalizer.py: CompositeNormalizer: several normalizers and preprocessors, one after another, as one.
- dataset.py: DataSet: examples with their labels.
- digits.py: The 1,797 scanned digits that come with scikit-learn, enlarged to the size of MNIST's images.
- drawn_batches.py: Iterators that draw batches from one data set: samples, folds, and one batch again and again for
  benchmarks.
- idx.py: The IDX file format of the MNIST family: a four-byte magic number, the sizes, the elements, all big-endian.
- images/: Images: augmentation of batches, and readers of the published sets of images.
- iris.py: Fisher's irises: 150 flowers of three kinds, from the published file.
- iterators.py: Iterators over batches.
- merging.py: Merging arrays of examples: sequences of several lengths are padded, and masks say where.
- mnist.py: The MNIST handwritten digits, read from the four published files.
- multi_dataset.py: MultiDataSet: examples with several arrays of features and labels.
- multi_normalizer.py: MultiNormalizer: a normalizer for each input and output of examples with several.
- normalizers.py: Normalizers: features and labels brought to one scale, measured on the training data.
- optional_packages.py: Import of optional packages, which a pip extra brings.
- passes.py: Iterators over what another one yields: several passes, fewer batches, kept batches, targets that are the
  inputs.
- pre_processors.py: Preprocessors of data sets: gray, permuted and cropped images, the last label of sequences, under-
  sampling by masks.
- records/: Readers of records: tables of named columns from files, and batches made of them.
- several_sources.py: Iterators that join several sources, or divide the batches of one among several readers.
- transforms/: Transformations of tables: steps from the columns of files to those that a network learns from.
- uci_sequences.py: UCI's synthetic control charts: 600 sequences of 60 numbers in six classes, from the published file.
- vgg16_images.py: VGG16ImagePreProcessor: images less the mean colour of ImageNet, as VGG's networks were trained on
  them.
- worker_processes.py: Worker processes that prepare batches, which travel in memory that both sides map.
"""

from .asynchronous import AsyncDataSetIterator, AsyncShieldDataSetIterator
from .composite_normalizer import CompositeNormalizer
from .dataset import DataSet, Split
from .digits import DigitsDataSetIterator
from .drawn_batches import BenchmarkDataSetIterator, KFoldIterator, SamplingDataSetIterator
from .idx import read_idx
from .images import (
    Augmentation,
    AugmentingDataSetIterator,
    CifarDataSetIterator,
    EmnistDataSetIterator,
    FashionMnistDataSetIterator,
)
from .iris import IrisDataSetIterator
from .iterators import ArrayDataSetIterator, DataSetIterator, ListDataSetIterator, ViewDataSetIterator
from .mnist import MnistDataSetIterator
from .multi_dataset import MultiDataSet
from .multi_normalizer import MultiNormalizer
from .normalizers import ImagePreProcessingScaler, Normalizer, NormalizerMinMaxScaler, NormalizerStandardize
from .passes import (
    CachingDataSetIterator,
    EarlyTerminationDataSetIterator,
    ExistingDataSetIterator,
    MultipleEpochsIterator,
    ReconstructionDataSetIterator,
    WorkspaceShieldDataSetIterator,
)
from .pre_processors import (
    CropAndResizeDataSetPreProcessor,
    DataSetPreProcessor,
    LabelLastTimeStepPreProcessor,
    PermuteDataSetPreProcessor,
    RGBtoGrayscaleDataSetPreProcessor,
    UnderSamplingByMaskingPreProcessor,
)
from .records import (
    CollectionRecordReader,
    CSVRecordReader,
    ImageRecordReader,
    JoinedRecordReader,
    JsonLinesRecordReader,
    LineRecordReader,
    NumpyRecordReader,
    ParquetRecordReader,
    RecordReader,
    RecordReaderDataSetIterator,
    RecordReaderMultiDataSetIterator,
    ReducedRecordReader,
    SequenceRecordReaderDataSetIterator,
    SVMLightRecordReader,
    Table,
    Texts,
    WindowRecordReader,
    find_files,
)
from .several_sources import DataSetIteratorSplitter, JointDataSetIterator
from .transforms import ColumnAnalysis, TransformProcess, analyze
from .uci_sequences import UciSequenceDataSetIterator
from .vgg16_images import VGG16ImagePreProcessor

__all__ = [
    "UnderSamplingByMaskingPreProcessor",
    "RGBtoGrayscaleDataSetPreProcessor",
    "PermuteDataSetPreProcessor",
    "LabelLastTimeStepPreProcessor",
    "DataSetPreProcessor",
    "CropAndResizeDataSetPreProcessor",
    "ArrayDataSetIterator",
    "AsyncDataSetIterator",
    "AsyncShieldDataSetIterator",
    "Augmentation",
    "AugmentingDataSetIterator",
    "BenchmarkDataSetIterator",
    "CSVRecordReader",
    "CachingDataSetIterator",
    "CifarDataSetIterator",
    "CollectionRecordReader",
    "ColumnAnalysis",
    "CompositeNormalizer",
    "DataSet",
    "DataSetIterator",
    "DataSetIteratorSplitter",
    "DigitsDataSetIterator",
    "EarlyTerminationDataSetIterator",
    "EmnistDataSetIterator",
    "ExistingDataSetIterator",
    "FashionMnistDataSetIterator",
    "ImagePreProcessingScaler",
    "ImageRecordReader",
    "IrisDataSetIterator",
    "JoinedRecordReader",
    "JointDataSetIterator",
    "JsonLinesRecordReader",
    "KFoldIterator",
    "LineRecordReader",
    "ListDataSetIterator",
    "MnistDataSetIterator",
    "MultiDataSet",
    "MultiNormalizer",
    "MultipleEpochsIterator",
    "Normalizer",
    "NormalizerMinMaxScaler",
    "NormalizerStandardize",
    "NumpyRecordReader",
    "ParquetRecordReader",
    "ReconstructionDataSetIterator",
    "RecordReader",
    "RecordReaderDataSetIterator",
    "RecordReaderMultiDataSetIterator",
    "ReducedRecordReader",
    "SVMLightRecordReader",
    "SamplingDataSetIterator",
    "SequenceRecordReaderDataSetIterator",
    "Split",
    "Table",
    "Texts",
    "TransformProcess",
    "UciSequenceDataSetIterator",
    "VGG16ImagePreProcessor",
    "ViewDataSetIterator",
    "WindowRecordReader",
    "WorkspaceShieldDataSetIterator",
    "analyze",
    "find_files",
    "read_idx",
]
