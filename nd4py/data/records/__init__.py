"""Readers of records: tables of named columns from files, and batches made of them.

The files, as the build lists them:

- array_records.py: Records that are in memory already, or in NumPy's and Arrow's files.
- arrow_columns.py: Columns of Arrow tables as columns of ours, which share their memory where that is possible.
- columns_to_arrays.py: Which columns of a table are features and which labels, and the arrays that they become.
- combined_records.py: Records made of those of other readers: rows with one key reduced to one, two readers joined,
  windows of sequences.
- csv_records.py: CSV files, read by pyarrow where it is installed, and by Python's own module otherwise.
- image_records.py: Images in files, read by Pillow.
- multi_iterator.py: Batches for several inputs and outputs of what record readers read:
  RecordReaderMultiDataSetIterator.
- reader.py: RecordReader: rows from files, a table at a time.
- record_iterator.py: Batches of what a record reader reads: RecordReaderDataSetIterator.
- sequence_iterator.py: Batches of sequences that a record reader reads: SequenceRecordReaderDataSetIterator.
- tables.py: Tables: named columns of as many rows, and the place in a file that they come from.
- text_records.py: Text files of which each line is a record: as it is, as JSON, or in the SVMLight format.
"""

from .array_records import CollectionRecordReader, NumpyRecordReader, ParquetRecordReader
from .combined_records import JoinedRecordReader, ReducedRecordReader, WindowRecordReader
from .csv_records import CSVRecordReader
from .image_records import ImageRecordReader
from .multi_iterator import RecordReaderMultiDataSetIterator
from .reader import RecordReader, find_files
from .record_iterator import RecordReaderDataSetIterator
from .sequence_iterator import SequenceRecordReaderDataSetIterator
from .tables import Table, Texts
from .text_records import JsonLinesRecordReader, LineRecordReader, SVMLightRecordReader

__all__ = [
    "CSVRecordReader",
    "CollectionRecordReader",
    "ImageRecordReader",
    "JoinedRecordReader",
    "JsonLinesRecordReader",
    "LineRecordReader",
    "NumpyRecordReader",
    "ParquetRecordReader",
    "RecordReader",
    "RecordReaderDataSetIterator",
    "RecordReaderMultiDataSetIterator",
    "ReducedRecordReader",
    "SVMLightRecordReader",
    "SequenceRecordReaderDataSetIterator",
    "Table",
    "Texts",
    "WindowRecordReader",
    "find_files",
]
