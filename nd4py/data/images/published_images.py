"""CIFAR-10 and CIFAR-100, EMNIST and Fashion-MNIST, read from the published files that a user has."""

from pathlib import Path

from nd4py import api as nd
from nd4py.api.arguments import named

from ..byte_images import BytesIterator
from ..idx import read_idx

CIFAR_SHAPE = (3, 32, 32)
CIFAR_BYTES = 3 * 32 * 32
CIFAR_SOURCE = "https://www.cs.toronto.edu/~kriz/cifar.html (the binary version)"
EMNIST_SOURCE = "https://www.nist.gov/itl/products-and-services/emnist-dataset"
FASHION_SOURCE = "https://github.com/zalandoresearch/fashion-mnist"
EMNIST_CLASSES = {"balanced": 47, "byclass": 62, "bymerge": 47, "digits": 10, "letters": 26, "mnist": 10}


class CifarDataSetIterator(BytesIterator):
    """CIFAR-10 or CIFAR-100: features (batch, 3, 32, 32) from 0 to 1, labels one-hot, float32.

    batch: images in each; the last may be smaller
    train: the 50,000 training images, or the 10,000 test images
    seed: each pass draws a new order from it; None keeps the files' order
    folder: holds data_batch_1.bin to data_batch_5.bin and test_batch.bin, or train.bin and test.bin of CIFAR-100
    n_classes: 10 or 100
    Raises FileNotFoundError naming the files and where to get them, ValueError for a damaged file.
    Source: Krizhevsky, "Learning Multiple Layers of Features from Tiny Images", 2009.

    >>> try:
    ...     data.CifarDataSetIterator(32, train=True, folder="no such folder")
    ... except FileNotFoundError:
    ...     print("get the binary version")
    get the binary version
    """

    def __init__(self, batch, train, seed=123, *, folder="~/.nd4py/cifar", n_classes=10):
        if n_classes not in (10, 100):
            raise ValueError(f"CifarDataSetIterator: n_classes must be 10 or 100, given {n_classes!r}")
        if n_classes == 10:
            names = [f"data_batch_{i}.bin" for i in range(1, 6)] if train else ["test_batch.bin"]
        else:
            names = ["train.bin" if train else "test.bin"]
        paths = [_found(folder, [name], "CIFAR", CIFAR_SOURCE) for name in names]
        n_labels = 1 if n_classes == 10 else 2  # CIFAR-100 has a coarse label before the fine one
        with nd.scope_out_of_workspaces():
            rows = nd.concat([_cifar_rows(path, n_labels) for path in paths], axis=0)
            labels = rows[:, n_labels - 1].copy()
            images = rows[:, n_labels:].reshape((len(rows), *CIFAR_SHAPE))
        _check_labels(labels, n_classes, paths[0])
        super().__init__(images, labels, n_classes, batch, seed)


class EmnistDataSetIterator(BytesIterator):
    """EMNIST: rows of 784 numbers from 0 to 1, upright, and one-hot labels, float32.

    batch, train, seed: as for `CifarDataSetIterator`
    kind: "balanced", "byclass", "bymerge", "digits", "letters" or "mnist"
    folder: holds emnist-<kind>-train-images-idx3-ubyte, -labels-idx1-ubyte and those of test, with or without .gz
    Raises FileNotFoundError naming the files and where to get them, ValueError for a damaged file.
    Source: Cohen et al., "EMNIST: an extension of MNIST to handwritten letters", 2017.

    >>> try:
    ...     data.EmnistDataSetIterator(32, train=True, folder="no such folder")
    ... except FileNotFoundError:
    ...     print("get the IDX files")
    get the IDX files
    """

    def __init__(self, batch, train, seed=123, *, kind="balanced", folder="~/.nd4py/emnist"):
        named("EmnistDataSetIterator: kind", kind, tuple(EMNIST_CLASSES))
        prefix = f"emnist-{kind}-{'train' if train else 'test'}"
        images, labels, path = _idx_pair(folder, prefix, "EMNIST", EMNIST_SOURCE)
        with nd.scope_out_of_workspaces():
            upright = nd.permute_dims(images, (0, 2, 1)).reshape((len(images), -1))  # the files have them transposed
            if kind == "letters":
                labels = labels - 1  # from 1 in the files
        _check_labels(labels, EMNIST_CLASSES[kind], path)
        super().__init__(upright, labels, EMNIST_CLASSES[kind], batch, seed)


class FashionMnistDataSetIterator(BytesIterator):
    """Fashion-MNIST: rows of 784 numbers from 0 to 1 and one-hot labels of 10 classes, float32.

    batch, train, seed: as for `CifarDataSetIterator`
    folder: holds the four files, named as MNIST's, with or without .gz
    Raises FileNotFoundError naming the files and where to get them, ValueError for a damaged file.
    Source: Xiao, Rasul, Vollgraf, "Fashion-MNIST", 2017.

    >>> try:
    ...     data.FashionMnistDataSetIterator(32, train=True, folder="no such folder")
    ... except FileNotFoundError:
    ...     print("get the IDX files")
    get the IDX files
    """

    def __init__(self, batch, train, seed=123, *, folder="~/.nd4py/fashion-mnist"):
        images, labels, path = _idx_pair(folder, "train" if train else "t10k", "Fashion-MNIST", FASHION_SOURCE)
        _check_labels(labels, 10, path)
        super().__init__(images.reshape((len(images), -1)), labels, 10, batch, seed)


def _found(folder, names, what, source):
    """The first of these files that is in the folder.  Raises FileNotFoundError saying where to get it."""
    root = Path(folder).expanduser()
    for name in names:
        if (root / name).is_file():
            return root / name
    raise FileNotFoundError(f"{what}: no {' or '.join(names)} in {root}; get it from {source} and put it there")


def _idx_pair(folder, prefix, what, source):
    """(n, 28, 28) and (n,) uint8 of the two files, and the path of the second.  Raises ValueError for others."""
    paths = [
        _found(folder, [f"{prefix}-{kind}-ubyte{ending}" for ending in ("", ".gz")], what, source)
        for kind in ("images-idx3", "labels-idx1")
    ]
    with nd.scope_out_of_workspaces():
        images, labels = (read_idx(path) for path in paths)
    if images.shape[1:] != (28, 28) or labels.shape != images.shape[:1] or str(images.dtype) != "uint8":
        raise ValueError(
            f"{paths[0]}: expected (n, 28, 28) bytes and as many labels, found {images.shape} and {labels.shape}"
        )
    return images, labels, paths[1]


def _cifar_rows(path, n_labels):
    content = path.read_bytes()
    size = n_labels + CIFAR_BYTES
    if not content or len(content) % size:
        raise ValueError(f"{path}: {len(content)} bytes are no whole number of images of {size}; the file is damaged")
    return nd.frombuffer(content, dtype="uint8", shape=(len(content) // size, size))


def _check_labels(labels, n_classes, path):
    if not len(labels) or int(nd.max(labels)) >= n_classes:
        raise ValueError(f"{path}: expected labels from 0 to {n_classes - 1}, of one image at least")
