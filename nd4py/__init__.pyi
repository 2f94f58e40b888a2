# Made from nd4py/__init__.py by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py import cuda as cuda
from nd4py import data as data
from nd4py import emath as emath
from nd4py import keras as keras
from nd4py import nn as nn
from nd4py import onnx as onnx
from nd4py import parallel as parallel
from nd4py import polynomial as polynomial
from nd4py import serve as serve
from nd4py import sklearn as sklearn
from nd4py import torch as torch
from nd4py import train as train
from nd4py import zoo as zoo
from nd4py import lib as lib
from nd4py import fft as fft
from nd4py import linalg as linalg
from nd4py import memory as memory
from nd4py import random as random
from nd4py import testing as testing
from nd4py.api import *

__array_api_version__: str
__version__: str
e: float
euler_gamma: float
inf: float
nan: float
newaxis: None
pi: float
