"""Batches that trainers are given: data sets, or pairs of features and labels."""

from nd4py import api as nd
from nd4py.api.arguments import having, items
from nd4py.data import ArrayDataSetIterator, DataSet
from nd4py.nn.fitting.sources import BATCH_SIZE, labels_and_epochs
from nd4py.nn.networks.batches import is_batch


def as_data_set(what, batch):
    """A batch as a data set.  Raises TypeError for what is none, ValueError for other than two arrays."""
    if not isinstance(batch, tuple | list):
        return having(what, batch, "a DataSet", "features", "labels", "num_examples")
    pair = items(what, batch)
    if len(pair) != 2:
        raise ValueError(f"{what} must be a DataSet or a pair of features and labels, given {len(pair)} values")
    return DataSet(*map(nd.asarray, pair))


def batches_and_epochs(model, given, labels, epochs, batch_size):
    """What `ParallelWrapper.fit` loops over, and how often: batches, or those cut from features and labels.

    Raises TypeError for one batch in place of many, for labels that are none, and for a size of batches or a second
    number of epochs where they say nothing; ValueError where features and labels do not fit.
    """
    labels, epochs = labels_and_epochs(labels, epochs, "ParallelWrapper.fit")
    if labels is not None:
        seed = model.configuration.seed if hasattr(model, "configuration") else 0  # a model need not have one
        return ArrayDataSetIterator(given, labels, BATCH_SIZE if batch_size is None else batch_size, seed), epochs
    if batch_size is not None:
        raise TypeError(
            "ParallelWrapper.fit: batch_size is for features and labels; an iterator yields batches as they are"
        )
    if is_batch(given) or hasattr(given, "shape"):
        raise TypeError(
            f"ParallelWrapper.fit takes an iterator over batches, or features and labels as two arguments, given "
            f"{type(given).__name__}"
        )
    return given, epochs
