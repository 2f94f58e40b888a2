"""Data on its way to a network: passes of iterators, files of numbers, normalizers and steps of columns."""

import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import nd4py as nd
from nd4py import data

from .ratios import ratio

N_ROWS, N_COLUMNS = 100_000, 20
N_IMAGES, SIDE = 5000, 128


def write_pictures(folder):
    """Write pictures of smooth noise into a folder, in ten kinds."""
    from PIL import Image, ImageFilter

    rng = np.random.default_rng(1)
    for number in range(N_IMAGES):
        kind = Path(folder, f"kind{number % 10}")
        kind.mkdir(exist_ok=True)
        pixels = rng.integers(0, 256, (SIDE, SIDE, 3), dtype="uint8")
        Image.fromarray(pixels).filter(ImageFilter.GaussianBlur(2)).save(kind / f"{number}.jpg", quality=85)


def decode_by_pillow(files, n_threads):
    """Decode pictures by Pillow alone, and keep none."""
    from PIL import Image

    def decoded(run):
        return [np.asarray(Image.open(path).convert("RGB")) for path in run]

    with ThreadPoolExecutor(n_threads) as pool:
        for _ in pool.map(decoded, [files[start : start + 64] for start in range(0, len(files), 64)]):
            pass


def examples():
    """Rows of numbers and one-hot labels of three classes."""
    rng = np.random.default_rng(1)
    rows = nd.asarray(rng.standard_normal((N_ROWS, N_COLUMNS)).astype("float32"))
    return rows, nd.one_hot(nd.asarray(rng.integers(0, 3, N_ROWS)), 3, dtype="float32")


ITERATORS = {
    "arrays": lambda x, y, n: data.ArrayDataSetIterator(x, y, n),
    "arrays, shuffled": lambda x, y, n: data.ArrayDataSetIterator(x, y, n, seed=3),
    "list": lambda x, y, n: data.ListDataSetIterator(data.DataSet(x, y).batch_by(n)),
    "by a thread": lambda x, y, n: data.AsyncDataSetIterator(data.ArrayDataSetIterator(x, y, n, seed=3), 4),
}


class TimePass:
    """One pass over batches that are in memory."""

    params = [list(ITERATORS), [32, 1024]]
    param_names = ["iterator", "batch"]

    def setup(self, iterator, batch):
        self.iterator = ITERATORS[iterator](*examples(), batch)

    def time_pass(self, iterator, batch):
        for _ in self.iterator:
            pass


class TimeCsv:
    """A CSV file of numbers and a class as batches."""

    params = [[128, 4096]]
    param_names = ["batch"]

    def setup(self, batch):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "rows.csv"
        rows, labels = (np.asarray(each) for each in examples())
        table = np.column_stack([rows, labels.argmax(1)])
        header = ",".join([*(f"x{i}" for i in range(N_COLUMNS)), "kind"])
        np.savetxt(self.path, table, "%.6g", ",", header=header, comments="")

    def teardown(self, batch):
        self.folder.cleanup()

    def time_batches(self, batch):
        reader = data.CSVRecordReader(self.path)
        for _ in data.RecordReaderDataSetIterator(reader, batch, "kind", classes=3):
            pass


class TrackImages:
    """A folder of JPEG files as batches, beside Pillow's decoding alone on as many threads."""

    params = [[1, 2]]
    param_names = ["threads"]
    unit = "nd4py / Pillow"
    timeout = 300

    def setup(self, threads):
        self.folder = tempfile.TemporaryDirectory()
        write_pictures(self.folder.name)

    def teardown(self, threads):
        self.folder.cleanup()

    def track_ratio(self, threads):
        files = sorted(Path(self.folder.name).rglob("*.jpg"))

        def of_ours():
            reader = data.ImageRecordReader(self.folder.name, SIDE, SIDE, n_threads=threads)
            for _ in data.RecordReaderDataSetIterator(reader, 128, label="label"):
                pass

        return ratio(of_ours, lambda: decode_by_pillow(files, threads))


NORMALIZERS = {
    "standardize": lambda: data.NormalizerStandardize(),
    "minimum and maximum": lambda: data.NormalizerMinMaxScaler(),
}


class TimeNormalizer:
    """Measuring and scaling of rows in memory."""

    params = [list(NORMALIZERS)]
    param_names = ["normalizer"]

    def setup(self, normalizer):
        self.examples = data.DataSet(*examples())
        self.fitted = NORMALIZERS[normalizer]().fit(self.examples)

    def time_fit(self, normalizer):
        NORMALIZERS[normalizer]().fit(self.examples)

    def time_transform(self, normalizer):
        self.fitted.transform(self.examples)
