"""Images kept as bytes: the base class of data sets that were published as images."""

from nd4py import api as nd

from .iterators import ArrayDataSetIterator, WrappingDataSetIterator


class BytesIterator(WrappingDataSetIterator):
    """Images kept as bytes, a quarter of the memory, and handed out as numbers from 0 to 1 with one-hot labels."""

    def __init__(self, images, labels, n_classes, batch, seed):
        super().__init__(ArrayDataSetIterator(images, labels, batch, seed))
        self.n_classes = n_classes

    def __len__(self):
        """The number of batches in a pass."""
        return len(self._base)

    def num_examples(self):
        """The number of images in a pass.  Raises nothing."""
        return self._base.num_examples()

    def batches(self):
        return self._batches_from(0)

    def _batches_from(self, first):
        for batch in self._base_from(first):
            labels = nd.one_hot(nd.astype(batch.labels, "int64"), self.n_classes, dtype="float32")
            yield type(batch)(nd.astype(batch.features, "float32") / 255.0, labels)
