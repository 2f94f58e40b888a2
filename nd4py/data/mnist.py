"""The MNIST handwritten digits, read from the four published files.

Source: LeCun, Cortes, Burges, "The MNIST database of handwritten digits".
"""

from pathlib import Path

from nd4py import api as nd

from .byte_images import BytesIterator
from .idx import read_idx

DEFAULT_FOLDER = "~/.nd4py/mnist"
N_CLASSES = 10
IMAGE_SHAPE = (28, 28)
SOURCE = "http://yann.lecun.com/exdb/mnist/"


class MnistDataSetIterator(BytesIterator):
    """MNIST images as rows of numbers from 0 to 1, labels one-hot.

    features: (batch, 784) float32    labels: (batch, 10) float32
    train: the 60,000 training images, or the 10,000 test images
    seed: each pass draws a new order from it; None keeps the files' order
    folder: holds train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte,
    each with or without .gz (names with a dot, train-images.idx3-ubyte, are found too)
    Raises FileNotFoundError naming the files it looked for; ValueError if a file is damaged or the two do not match.

    >>> try:
    ...     data.MnistDataSetIterator(32, train=True, folder="no such folder")
    ... except FileNotFoundError:
    ...     print("put the published files there")
    put the published files there
    """

    def __init__(self, batch, train, seed=123, *, folder=DEFAULT_FOLDER):
        prefix = "train" if train else "t10k"
        images_path = _find(folder, f"{prefix}-images", "idx3-ubyte")
        labels_path = _find(folder, f"{prefix}-labels", "idx1-ubyte")
        with nd.scope_out_of_workspaces():
            images, labels = read_idx(images_path), read_idx(labels_path)
        _check_images(images, images_path)
        _check_labels(labels, labels_path, images.shape[0], images_path)
        super().__init__(images.reshape((images.shape[0], -1)), labels, N_CLASSES, batch, seed)


def _find(folder, stem, kind):
    folder = Path(folder).expanduser()
    names = [f"{stem}{separator}{kind}{ending}" for separator in "-." for ending in ("", ".gz")]
    for name in names:
        if (folder / name).is_file():
            return folder / name
    state = "has none of" if folder.is_dir() else "does not exist; looked there for"
    raise FileNotFoundError(
        f"MNIST: folder {folder} {state} {', '.join(names)}; get the published files from {SOURCE} and put them there"
    )


def _check_images(images, path):
    if str(images.dtype) != "uint8" or images.shape[1:] != IMAGE_SHAPE:
        raise ValueError(f"{path}: expected uint8 images of shape (n, 28, 28), found {images.dtype} {images.shape}")


def _check_labels(labels, path, n_images, images_path):
    if str(labels.dtype) != "uint8" or labels.ndim != 1:
        raise ValueError(f"{path}: expected uint8 labels of shape (n,), found {labels.dtype} {labels.shape}")
    if labels.shape[0] != n_images:
        raise ValueError(f"{path}: expected {n_images} labels, one per image of {images_path}, found {labels.shape[0]}")
    if n_images == 0:
        raise ValueError(f"{images_path}: expected at least one image, found none")
    if int(nd.max(labels)) >= N_CLASSES:
        raise ValueError(f"{path}: expected labels from 0 to {N_CLASSES - 1}, found {int(nd.max(labels))}")
