"""Partitions: tasks that read one part of the data each, as a list of batches.

Design: a part is read by a task that may run on any worker, and again there or elsewhere when the worker is lost.  No
batch has examples of two parts, so that no example ever waits for a part on another machine.
"""

import os
from itertools import chain
from math import ceil

from nd4py import api as nd
from nd4py.api.arguments import items
from nd4py.data import DataSet
from nd4py.nn.networks.batches import is_batch
from nd4py.nn.networks.frames import framed

from ..given_batches import as_data_set


def partitions_of(runner, features, labels, batch_size, n_parts):
    """The parts of the data, each a task whose result is a list of batches.

    features, labels: as for `DaskTrainer.fit`
    n_parts: into how many parts collections are cut anew; None leaves them as they are
    Raises TypeError or ValueError for data of another kind, or arrays of several lengths.
    """
    if hasattr(features, "to_bag") or hasattr(features, "to_dask_array"):
        rows = _of_frame(features, labels, n_parts)
        return [runner.task("read", table_batches, part, *columns, batch_size) for part, *columns in rows]
    if hasattr(features, "to_dataframe") and hasattr(features, "to_delayed"):
        _without_labels(labels, "a bag of examples")
        if n_parts is not None:
            features = features.repartition(npartitions=n_parts)
        return [runner.task("read", item_batches, part, batch_size) for part in features.to_delayed()]
    if hasattr(features, "to_delayed") and hasattr(features, "chunks"):
        pairs = _of_arrays(features, labels, batch_size, n_parts)
        return [runner.task("read", array_batches, x, y, batch_size) for x, y in pairs]
    if hasattr(features, "shape"):
        raise TypeError(
            f"DaskTrainer.fit: features must be a dask array, given {type(features).__name__}; "
            "dask.array.from_array(x, chunks=) makes one of it, or train with a ParallelWrapper"
        )
    _without_labels(labels, "functions and paths")
    if isinstance(features, str | os.PathLike) or callable(features) or is_batch(features):
        features = [features]
    try:
        sources = list(features)
    except TypeError:
        raise TypeError(
            "DaskTrainer.fit: features must be a dask array, dataframe or bag, or a list of functions and paths, "
            f"given {type(features).__name__}"
        ) from None
    return [runner.task("read", source_batches, _checked_source(each), batch_size) for each in sources]


def array_batches(features, labels, batch_size):
    """The batches of two arrays of rows that belong together."""
    return DataSet(nd.asarray(features), nd.asarray(labels)).batch_by(batch_size)


def table_batches(table, feature_columns, label_columns, batch_size):
    """The batches of a pandas DataFrame."""
    if len(table) == 0:
        return []
    dtype = "float32" if all(str(each) == "float32" for each in table.dtypes) else "float64"
    x, y = (nd.asarray(framed(table[list(names)]), dtype=dtype) for names in (feature_columns, label_columns))
    return array_batches(x, y, batch_size)


def item_batches(examples, batch_size):
    """The batches of the items of a bag: data sets, or pairs of the features and labels of one example."""
    examples = list(examples)
    if not examples or hasattr(examples[0], "features"):
        return cut(examples, batch_size)
    features, labels = (nd.stack([nd.asarray(each) for each in part]) for part in zip(*examples, strict=True))
    return array_batches(features, labels, batch_size or len(examples))


def source_batches(source, batch_size):
    """The batches of what a function returns or a file holds: a data set, a pair of arrays, or many of them."""
    found = source() if callable(source) else DataSet.load(source) if isinstance(source, str | os.PathLike) else source
    found = [found] if is_batch(found) else items("DaskTrainer.fit: what a source gives", found)
    return cut([as_data_set("DaskTrainer.fit: a batch of a source", each) for each in found], batch_size)


def cut(batches, batch_size):
    """Data sets cut into batches of one size, or as they are where that is None."""
    if batch_size is None or not batches:
        return batches
    joined = batches[0] if len(batches) == 1 else type(batches[0]).merge(batches)
    return joined.batch_by(batch_size)


def counts(*lengths):
    """The numbers of batches of all parts."""
    return lengths


def _of_arrays(features, labels, batch_size, n_parts):
    """The parts of two dask arrays, pair by pair."""
    if not hasattr(labels, "chunks") or features.shape[0] != labels.shape[0]:
        raise ValueError(
            "DaskTrainer.fit: features and labels must be dask arrays with as many rows, given "
            f"{features.shape} and {getattr(labels, 'shape', type(labels).__name__)}"
        )
    rows = features.chunks[0]
    if n_parts is not None:
        rows = ceil(ceil(features.shape[0] / n_parts) / batch_size) * batch_size  # whole batches in all parts but one
    cut_anew = (each.rechunk({0: rows, **dict.fromkeys(range(1, each.ndim), -1)}) for each in (features, labels))
    return zip(*(each.to_delayed().ravel().tolist() for each in cut_anew), strict=True)


def _of_frame(frame, labels, n_parts):
    """The parts of a dask DataFrame, with the columns of features and of labels."""
    names = [labels] if isinstance(labels, str) else list(labels or ())
    missing = [name for name in names if name not in frame.columns]
    if missing or not names:
        raise ValueError(
            f"DaskTrainer.fit: labels must name columns of the dataframe, {list(frame.columns)}, given {labels!r}"
        )
    columns = tuple(name for name in frame.columns if name not in names), tuple(names)
    if n_parts is not None:
        frame = frame.repartition(npartitions=n_parts)
    return ((part, *columns) for part in chain(frame.to_delayed()))


def _without_labels(labels, what):
    if labels is not None:
        raise ValueError(f"DaskTrainer.fit: {what} have their labels with them; leave labels out")


def _checked_source(source):
    if callable(source) or isinstance(source, str | os.PathLike) or is_batch(source):
        return source
    raise TypeError(
        f"DaskTrainer.fit: each part must be a function, a path or a data set, given {type(source).__name__}"
    )
