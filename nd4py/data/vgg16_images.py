"""VGG16ImagePreProcessor: images less the mean colour of ImageNet, as VGG's networks were trained on them."""

from __future__ import annotations

from nd4py import api as nd

from .normalizers import Normalizer
from .pre_processors import TYPES, images

MEANS = (123.68, 116.779, 103.939)  # of red, green and blue


class VGG16ImagePreProcessor(Normalizer):
    """Images (n, 3, height, width) of red, green and blue from 0 to 255, less the mean colour of ImageNet.

    There is nothing to fit.
    Raises nothing; its methods raise ValueError for images of other than three channels.
    Simonyan and Zisserman, "Very Deep Convolutional Networks", 2015, https://arxiv.org/abs/1409.1556, section 2.1.

    >>> images = nd.full((1, 3, 1, 1), 200.0)
    >>> scaler = data.VGG16ImagePreProcessor()
    >>> scaler.transform_features(images).reshape(-1).round(3).tolist()
    [76.32, 83.221, 96.061]
    """

    type_tag = "IMAGE_VGG16"

    def fit(self, data):
        """Nothing to measure.  Returns the normalizer.  Raises nothing."""
        return self

    def transform_features(self, features):
        x = images(self, features, 3)
        return x - _means(x)

    def revert_features(self, features):
        x = images(self, features, 3)
        return x + _means(x)

    def _settings(self):
        return {}


def _means(x):
    return nd.asarray(MEANS, dtype=x.dtype, device=x.device).reshape((-1, 1, 1))


TYPES[VGG16ImagePreProcessor.type_tag] = VGG16ImagePreProcessor
