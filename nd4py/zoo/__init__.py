"""Known architectures of networks, without trained weights, one family a file.

The files, as the build lists them:

- alexnet.py: AlexNet: the network that won the ImageNet challenge of 2012.
- darknet.py: Darknet19, and TinyYOLO, which detects objects with a smaller network of its kind.
- graph_parts.py: Parts: the vertices of a graph, added one after another by what they read.
- inception_resnet.py: InceptionResNetV1: faces as points whose distances say who is the same.
- lenet5.py: LeNet: two convolutions and two dense layers, for handwritten digits.
- resnet50.py: ResNet50: fifty layers with residual connections.
- squeezenet.py: SqueezeNet: the accuracy of AlexNet with a fiftieth of its parameters.
- text_classifier.py: TransformerEncoder: texts as sequences of word numbers, and a class for each.
- text_generation_lstm.py: TextGenerationLSTM: the next character of a text.
- unet.py: UNet: a class for every pixel of an image.
- vgg16.py: VGG16: thirteen convolutions of 3 x 3 and three dense layers.
- xception.py: Xception: residual blocks of separable convolutions.
- zoo_model.py: ZooModel: the base classes of known architectures.
"""

from .alexnet import AlexNet
from .darknet import Darknet19, TinyYOLO
from .inception_resnet import InceptionResNetV1
from .lenet5 import LeNet
from .resnet50 import ResNet50
from .squeezenet import SqueezeNet
from .text_classifier import TransformerEncoder
from .text_generation_lstm import TextGenerationLSTM
from .unet import UNet
from .vgg16 import VGG16
from .xception import Xception
from .zoo_model import ZooModel

__all__ = [
    "VGG16",
    "AlexNet",
    "Darknet19",
    "InceptionResNetV1",
    "LeNet",
    "ResNet50",
    "SqueezeNet",
    "TextGenerationLSTM",
    "TinyYOLO",
    "TransformerEncoder",
    "UNet",
    "Xception",
    "ZooModel",
]
