"""Images: augmentation of batches, and readers of the published sets of images.

The files, as the build lists them:

- augmentation.py: Augmentation of images: each batch is changed by chance, by the seed and its place alone.
- published_images.py: CIFAR-10 and CIFAR-100, EMNIST and Fashion-MNIST, read from the published files that a user has.
"""

from .augmentation import Augmentation, AugmentingDataSetIterator
from .published_images import CifarDataSetIterator, EmnistDataSetIterator, FashionMnistDataSetIterator

__all__ = [
    "Augmentation",
    "AugmentingDataSetIterator",
    "CifarDataSetIterator",
    "EmnistDataSetIterator",
    "FashionMnistDataSetIterator",
]
