"""Batches that trainers are given: data sets, or pairs of features and labels."""

from nd4py import api as nd
from nd4py.api.arguments import having, items
from nd4py.data import DataSet
from nd4py.nn.networks.batches import is_batch


def as_data_set(what, batch):
    """A batch as a data set.  Raises TypeError for what is none, ValueError for other than two arrays."""
    if not isinstance(batch, tuple | list):
        return having(what, batch, "a DataSet", "features", "labels", "num_examples")
    pair = items(what, batch)
    if len(pair) != 2:
        raise ValueError(f"{what} must be a DataSet or a pair of features and labels, given {len(pair)} values")
    return DataSet(*map(nd.asarray, pair))


def check_many(who, given):
    """Raises TypeError for one batch in place of an iterator over batches."""
    if is_batch(given) or hasattr(given, "shape"):
        raise TypeError(
            f"{who} takes an iterator over batches, given {type(given).__name__}; "
            "data.ArrayDataSetIterator(x, y, batch=32) makes one of arrays"
        )
