"""RecordReader: rows from files, a table at a time."""

import os
from abc import ABC, abstractmethod
from operator import attrgetter
from pathlib import Path

from nd4py import api as nd
from nd4py.api.arguments import instance, items, whole
from nd4py.api.unknown_settings import TellingArguments

from .tables import Texts, column_name


class RecordReader(TellingArguments, ABC):
    """Reads tables; every `for` starts again at the first record and yields lists of values.

    >>> class Squares(data.RecordReader):
    ...     def tables(self, n_rows=None):
    ...         yield data.Table({"x": nd.arange(3), "y": nd.arange(3) ** 2})
    >>> list(Squares())
    [[0, 0], [1, 1], [2, 4]]
    """

    @abstractmethod
    def tables(self, n_rows=None):
        """A pass over the records, as an iterator over tables.

        n_rows: how many rows at once serve the caller; a reader that can, makes tables of that many
        Raises ValueError naming file and line for what cannot be read, OSError where a file cannot be opened.
        """

    def sequences(self):
        """A pass over sequences, a table for each; where a reader reads files, each file is one.

        Returns an iterator.
        Raises what `tables` raises.
        """
        return self.tables()

    def classes(self, column):
        """The different texts of a column in the order of their names, which a pass over the records finds.

        column: its name or number
        Returns a list; None where the column begins with numbers, or there are no records.
        Raises ValueError where there is no such column, TypeError for what names none, and what `tables` raises.
        """
        column = column if isinstance(column, str) else whole("classes: column", column)
        if not self._begins_with_texts(column):
            return None
        found = set()
        for table in self.tables():
            values = table.columns[column_name(table, column, "label")]
            found |= set(values.different() if isinstance(values, Texts) else map(str, values.tolist()))
        return sorted(found) if found else None

    def _begins_with_texts(self, column):
        """Whether the first records have texts in a column.  Raises ValueError where there is no such column."""
        first = next(iter(self.tables(1)), None)
        return first is not None and isinstance(first.columns[column_name(first, column, "label")], Texts)

    def __iter__(self):
        for table in self.tables():
            yield from table.records()


class FileRecordReader(RecordReader):
    """A reader of files, one after another."""

    def __init__(self, files):
        self._files = file_list(type(self).__name__, files)

    @property
    def files(self):
        """The paths, in order."""
        return list(self._files)


def file_list(who, files):
    """`files`, a path or several, as a list of paths.  Raises ValueError for none, TypeError for what is no path."""
    if isinstance(files, str | os.PathLike):
        return [Path(files)]
    found = [_path(f"{who}: each of files", file) for file in items(f"{who}: files", files)]
    if not found:
        raise ValueError(f"{who}: no files given; pass one at least")
    return found


def _files_in(folder, is_recursive):
    """The paths of a folder's files, as texts: objects for all that is there would take several times as long."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_file():
                yield entry.path
            elif is_recursive and entry.is_dir(follow_symlinks=False):
                yield from _files_in(entry.path, is_recursive)


def find_files(folder, extensions=None, *, is_recursive=True, seed=None):
    """The files of a folder, in the order of their names.

    folder: a path
    extensions: endings to take, as (".csv",), upper or lower case; None for all
    is_recursive: whether folders inside are looked into
    seed: a whole number puts the files in an order drawn with it
    Returns a list of paths.
    Raises FileNotFoundError where there is no such folder, or no such file in it; TypeError for what is no path.

    >>> import pathlib
    >>> [pathlib.Path(name).touch() for name in ("b.tiff", "a.tiff", "notes.txt")]
    [None, None, None]
    >>> [path.name for path in data.find_files(".", [".tiff"], is_recursive=False)]
    ['a.tiff', 'b.tiff']
    """
    root = _path("find_files: folder", folder)
    if not root.is_dir():
        raise FileNotFoundError(f"find_files: there is no folder {root}")
    endings = None
    if extensions is not None:
        given = [extensions] if isinstance(extensions, str) else items("find_files: extensions", extensions)
        endings = tuple(instance("find_files: each of extensions", each, str).lower() for each in given)
    every = _files_in(root, is_recursive)
    found = [Path(path) for path in every if endings is None or path.lower().endswith(endings)]
    found.sort(key=attrgetter("parts"))
    if not found:
        raise FileNotFoundError(f"find_files: {root} has no files" + (f" ending in {endings}" if endings else ""))
    if seed is None:
        return found
    return [found[place] for place in nd.random.Generator(seed).permutation(len(found)).tolist()]


def in_parts(table_of, n, n_rows):
    """`table_of(start, stop)` for parts of `n_rows` rows each of `n`."""
    size = n if n_rows is None else max(1, whole("tables: n_rows", n_rows))
    return (table_of(start, min(start + size, n)) for start in range(0, n, max(size, 1)))


def _path(what, value):
    if not isinstance(value, str | os.PathLike):
        raise TypeError(f"{what} must be a path, given {type(value).__name__}")
    return Path(value)
