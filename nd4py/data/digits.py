"""The 1,797 scanned digits that come with scikit-learn, enlarged to the size of MNIST's images.

Source: Alpaydin, Kaynak, "Optical Recognition of Handwritten Digits", UCI Machine Learning Repository, 1998.
"""

from nd4py import api as nd

from .dataset import DataSet
from .iterators import ArrayDataSetIterator

N_CLASSES = 10
IMAGE_SIZE = 28
TRAIN_FRACTION = 0.8
# The tutorial's data seed.  How hard the test scans are depends on the split: over eight seeds the example's LeNet
# misread between 4 and 15 of the 360, so results are comparable only while this stays as it is.
SPLIT_SEED = 12345
MAX_GREY = 16.0


class DigitsDataSetIterator(ArrayDataSetIterator):
    """scikit-learn's digits in the form of MNIST: rows of numbers from 0 to 1, labels one-hot.

    features: (batch, 784) float32    labels: (batch, 10) float32
    train: four fifths of the scans, or the other fifth; the division is the same for every seed
    seed: each pass draws a new order from it; None keeps one order
    Raises ImportError if scikit-learn is missing.

    >>> digits = data.DigitsDataSetIterator(batch=32, train=True)
    >>> next(iter(digits)).features.shape
    (32, 784)
    """

    def __init__(self, batch, train, seed=123):
        with nd.scope_out_of_workspaces():  # of the caller
            split = load_digit_images().split_test_and_train(TRAIN_FRACTION, seed=SPLIT_SEED)
        part = split.train if train else split.test
        super().__init__(part.features, part.labels, batch, seed)


def load_digit_images():
    """All scans as one DataSet, features (1797, 784) and labels (1797, 10)."""
    try:
        from sklearn.datasets import load_digits
    except ImportError as error:
        raise ImportError("the digits come with scikit-learn: pip install 'nd4py[examples]'") from error
    scans = load_digits()
    images = enlarge(nd.asarray(scans.images).astype("float32") / MAX_GREY, IMAGE_SIZE)
    labels = nd.one_hot(nd.asarray(scans.target).astype("int64"), N_CLASSES, dtype="float32")
    return DataSet(images.reshape((images.shape[0], -1)), labels)


def enlarge(images, size):
    """Resample square images bilinearly: rows and columns by one matrix product each.

    images: (n, old, old)    Returns (n, size, size).
    """
    n, old = images.shape[0], images.shape[1]
    weights = nd.asarray(_bilinear_weights(old, size), dtype=images.dtype)
    columns = images.reshape((n * old, old)) @ weights
    rows_last = nd.permute_dims(columns.reshape((n, old, size)), (0, 2, 1)).reshape((n * size, old))
    return nd.permute_dims((rows_last @ weights).reshape((n, size, size)), (0, 2, 1))


def _bilinear_weights(old, new):
    """How much each old pixel gives to each new one, as old rows of new columns.  Pixels are squares with a centre."""
    weights = [[0.0] * new for _ in range(old)]
    for column in range(new):
        centre = min(max((column + 0.5) * old / new - 0.5, 0.0), old - 1.0)
        left = int(centre)
        weights[left][column] += 1.0 - (centre - left)
        weights[min(left + 1, old - 1)][column] += centre - left
    return weights
