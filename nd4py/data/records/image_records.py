"""Images in files, read by Pillow."""

import csv
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path

from nd4py import api as nd
from nd4py.api.arguments import instance, whole

from ..optional_packages import optional
from .reader import FileRecordReader, find_files
from .tables import Table, Texts

ENDINGS = (".jpg", ".jpeg", ".png", ".bmp", ".gif", ".tif", ".tiff", ".webp", ".ppm", ".pgm")
MODES = {1: "L", 3: "RGB", 4: "RGBA"}
IMAGES_AT_ONCE = 64
AHEAD = 2  # runs of images that each thread has waiting, so that none is idle between two batches
RUN = 8  # images that a thread decodes before it is asked again: handing over one takes a tenth of its decoding


class ImageRecordReader(FileRecordReader):
    """Images of one size: the columns "image", (n, channels, height, width) uint8, and "label", texts.

    files: a folder, which is looked into with all folders inside, in the order of names; or paths of images
    height, width: to which images of another size are brought, bilinearly
    channels: 1 for grey, 3 for red, green and blue, 4 with transparency
    label: "folder" is the name of the folder an image lies in; a regular expression with one group is searched for in
    the path; a dict has the label of each image by the end of its path, such as "1.png" or "cat/1.png"; a
    `pathlib.Path` is a CSV file with such an end and the label in its first two columns; None for no labels
    n_threads: which decode; order and results are the same for any number
    Raises ImportError where Pillow is missing, ValueError naming the file of an image that cannot be decoded or has no
    label, FileNotFoundError where there are no files.

    >>> import pathlib, PIL.Image
    >>> for name in ("cat", "dog"):
    ...     pathlib.Path("pets", name).mkdir(parents=True)
    ...     PIL.Image.new("RGB", (8, 6)).save(f"pets/{name}/1.png")
    >>> reader = data.ImageRecordReader("pets", height=6, width=8)
    >>> iterator = data.RecordReaderDataSetIterator(reader, 2, label="label")
    >>> iterator.classes, next(iter(iterator)).features.shape
    (['cat', 'dog'], (2, 3, 6, 8))
    """

    def __init__(self, files, height, width, channels=3, *, label="folder", n_threads=1):
        name = "ImageRecordReader"
        if isinstance(files, str | Path) and not Path(files).is_file():
            files = find_files(files, ENDINGS)
        super().__init__(files)
        self._size = tuple(whole(f"{name}: {what}", n) for what, n in (("width", width), ("height", height)))
        if min(self._size) < 1:
            raise ValueError(f"{name}: height and width must be at least 1, given {height} and {width}")
        channels = whole(f"{name}: channels", channels)
        if channels not in MODES:
            raise ValueError(f"{name}: channels must be 1, 3 or 4, given {channels!r}")
        self._mode, self._channels = MODES[channels], channels
        self._n_threads = whole(f"{name}: n_threads", n_threads)
        if self._n_threads < 1:
            raise ValueError(f"{name}: n_threads must be at least 1, given {n_threads}")
        label_of = _labeller(name, label)
        self._labels = None if label_of is None else Texts.of([label_of(path) for path in self._files])
        assert self._pillow  # now, not at the first image

    @property
    def _pillow(self):
        """Pillow's module of images: looked up, so that readers can be copied and sent to other processes."""
        return optional("PIL.Image", type(self).__name__)

    @property
    def labels(self):
        """The different labels in the order of their names; [] where there are none."""
        return [] if self._labels is None else sorted(self._labels.names)

    def classes(self, column):
        """As of every reader; those of labels are found in the paths, without decoding images.

        Raises ValueError where there is no such column, TypeError for what names none, and what `tables` raises.
        """
        return self.labels if self.labels and column in ("label", 1, -1) else super().classes(column)

    def tables(self, n_rows=None):
        size = IMAGES_AT_ONCE if n_rows is None else max(1, whole("tables: n_rows", n_rows))
        pixels = self._pixels()
        for start in range(0, len(self._files), size):
            rows = list(islice(pixels, size))
            width, height = self._size
            by_row = nd.empty((len(rows), height, width, self._channels), dtype="uint8")
            with memoryview(by_row) as view, view.cast("B") as pixels_of_all:
                for i, row in enumerate(rows):
                    pixels_of_all[i * len(row) : (i + 1) * len(row)] = row
            columns = {"image": nd.permute_dims(by_row, (0, 3, 1, 2)).copy()}
            if self._labels is not None:
                columns["label"] = self._labels[start : start + size]
            yield Table(columns, "the images", partial(_number, start))

    def _pixels(self):
        """The bytes of each image in order, decoded by as many threads as were asked for, a few ahead."""
        if self._n_threads == 1:
            yield from map(self._decoded, self._files)
            return
        with ThreadPoolExecutor(self._n_threads, "nd4py images") as pool:
            runs = iter([self._files[start : start + RUN] for start in range(0, len(self._files), RUN)])
            waiting = [pool.submit(self._decoded_run, run) for run in islice(runs, AHEAD * self._n_threads)]
            try:
                while waiting:
                    found = waiting.pop(0).result()
                    waiting += [pool.submit(self._decoded_run, run) for run in islice(runs, 1)]
                    yield from found
            finally:
                for each in waiting:
                    each.cancel()

    def _decoded_run(self, paths):
        return [self._decoded(path) for path in paths]

    def _decoded(self, path):
        try:
            with self._pillow.open(path) as image:
                converted = image if image.mode == self._mode else image.convert(self._mode)
                if converted.size != self._size:
                    converted = converted.resize(self._size, self._pillow.Resampling.BILINEAR)
                return converted.tobytes()
        except FileNotFoundError:
            raise
        except (OSError, ValueError, SyntaxError, self._pillow.DecompressionBombError) as error:
            raise ValueError(f"{path}: no image that can be decoded: {error}") from None


def _number(start, row):
    """Where an image stands among the files, from 1."""
    return start + row + 1


def _labeller(name, label):
    """A function that gives the label of a path, None for no labels."""
    if label is None:
        return None
    if label == "folder":
        return lambda path: path.parent.name
    if isinstance(label, Mapping):
        named = {instance(f"{name}: a path of label", key, str): str(value) for key, value in label.items()}
        return partial(_listed, named, "the dict given as label")
    if isinstance(label, Path):
        return partial(_listed, _labels_in(label), str(label))
    return partial(_matched, _pattern(name, label))


def _listed(named, source, path):
    """The label of the longest end of the path that has one."""
    parts = path.parts
    for first in range(len(parts)):
        if (found := named.get("/".join(parts[first:]))) is not None:
            return found
    raise ValueError(f"{path}: {source} has no label of it; it has {len(named)} of others, such as {list(named)[:3]}")


def _labels_in(path):
    """The second column of a CSV file by the first; a header is an image that is not there."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(file)
        found = {}
        for row in rows:
            if row and len(row) < 2:
                raise ValueError(f"{path}, line {rows.line_num}: an image and its label are expected, found {row[0]!r}")
            if row:
                found[row[0].replace("\\", "/")] = row[1]
    return found


def _matched(pattern, path):
    found = pattern.search(path.as_posix())
    if found is None:
        raise ValueError(f"{path}: the pattern {pattern.pattern!r} of the label is not in this path")
    return found[1]


def _pattern(name, label):
    """The compiled expression.  Raises TypeError and ValueError for another `label`."""
    if not isinstance(label, str):
        raise TypeError(
            f"{name}: label must be 'folder', a regular expression, a dict, the pathlib.Path of a CSV file or None, "
            f"given {type(label).__name__}"
        )
    try:
        pattern = re.compile(label)
    except re.error as error:
        raise ValueError(f"{name}: label {label!r} is no regular expression: {error}") from None
    if pattern.groups != 1:
        raise ValueError(f"{name}: label needs one group, (...), around the label, given {label!r}")
    return pattern
