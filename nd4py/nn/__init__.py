"""Networks: layers, losses, activations, first weights, updaters, schedules and the stack that trains them."""

from .activations import ACTIVATIONS
from .configuration import NetworkConfiguration
from .distributions import Binomial, Constant, Distribution, LogNormal, Normal, Orthogonal, TruncatedNormal, Uniform
from .evaluation import Evaluation
from .gradient_normalization import NORMALIZATIONS
from .initializers import INITIALIZERS
from .inputs import InputType
from .layers import (
    ActivationLayer,
    ConvolutionLayer,
    DenseLayer,
    DropoutLayer,
    Layer,
    OutputLayer,
    SubsamplingLayer,
    WeightedLayer,
)
from .losses import LOSSES
from .memory_report import NetworkMemoryReport
from .model import Model
from .multilayer import MultiLayerNetwork
from .parameters import Parameter
from .schedules import (
    CycleSchedule,
    ExponentialSchedule,
    InverseSchedule,
    MapSchedule,
    PolySchedule,
    Schedule,
    SigmoidSchedule,
    StepSchedule,
)
from .updaters import (
    AdaBelief,
    AdaDelta,
    AdaGrad,
    Adam,
    AdaMax,
    AMSGrad,
    Nadam,
    Nesterovs,
    NoOp,
    RmsProp,
    Sgd,
    Updater,
)
from .workspaces import ArrayType, LayerWorkspaceMgr

__all__ = [
    "ACTIVATIONS",
    "INITIALIZERS",
    "LOSSES",
    "NORMALIZATIONS",
    "AMSGrad",
    "ActivationLayer",
    "AdaBelief",
    "AdaDelta",
    "AdaGrad",
    "AdaMax",
    "Adam",
    "ArrayType",
    "Binomial",
    "Constant",
    "ConvolutionLayer",
    "CycleSchedule",
    "DenseLayer",
    "Distribution",
    "DropoutLayer",
    "Evaluation",
    "ExponentialSchedule",
    "InputType",
    "InverseSchedule",
    "Layer",
    "LayerWorkspaceMgr",
    "LogNormal",
    "MapSchedule",
    "Model",
    "MultiLayerNetwork",
    "Nadam",
    "Nesterovs",
    "NetworkConfiguration",
    "NetworkMemoryReport",
    "NoOp",
    "Normal",
    "Orthogonal",
    "OutputLayer",
    "Parameter",
    "PolySchedule",
    "RmsProp",
    "Schedule",
    "Sgd",
    "SigmoidSchedule",
    "StepSchedule",
    "SubsamplingLayer",
    "TruncatedNormal",
    "Uniform",
    "Updater",
    "WeightedLayer",
]
