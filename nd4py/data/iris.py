"""Fisher's irises: 150 flowers of three kinds, from the published file.

Source: Fisher, "The use of multiple measurements in taxonomic problems", 1936; UCI Machine Learning Repository.
"""

from pathlib import Path

from .records.csv_records import CSVRecordReader
from .records.record_iterator import RecordReaderDataSetIterator

CLASSES = ("Iris-setosa", "Iris-versicolor", "Iris-virginica")
SOURCE = "https://archive.ics.uci.edu/dataset/53/iris"


class IrisDataSetIterator(RecordReaderDataSetIterator):
    """Sepal length and width, petal length and width in cm, and the kind one-hot, float32.

    batch: flowers in each
    seed: each pass draws a new order from it; None keeps the file's order
    path: of the published file iris.data
    Raises FileNotFoundError saying where to get it, ValueError naming the line of a damaged file.

    >>> try:
    ...     data.IrisDataSetIterator(150, path="no such file")
    ... except FileNotFoundError:
    ...     print("get iris.data")
    get iris.data
    """

    def __init__(self, batch, seed=123, *, path="~/.nd4py/iris.data"):
        found = Path(path).expanduser()
        if not found.is_file():
            raise FileNotFoundError(f"Iris: there is no file {found}; get iris.data from {SOURCE}, or give its path")
        reader = CSVRecordReader(found, header=False)
        super().__init__(reader, batch, label=4, classes=CLASSES, seed=seed)
