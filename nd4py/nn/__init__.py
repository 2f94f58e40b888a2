"""Neural networks: layers, losses, activations, initializers, updaters, schedules and the network that trains.

The files, as the build lists them:

- activations.py: Activation functions by name.
- evaluation.py: Evaluation of classifiers: the confusion matrix, and the metrics computed from it.
- initialization/: Initial weights: initializers by name, and distributions.
- inputs.py: Input types of layers, and the conversions between them.
- layers/: Layers: frozen descriptions that turn parameters and an input into an output, one subject per file.
- losses/: Loss functions.
- names.py: Look-up of names in configurations.
- networks/: Networks: their configuration, the steps of training, workspaces, graphs and files.
- numbers.py: Checks of numbers in configurations.
- parameters.py: Parameters of a network, and their slots in its flat vector.
- regularization/: Regularization: penalties of weights, and limits of gradients.
- updaters/: Updaters, and the schedules of their learning rates.
"""

from .activations import ACTIVATIONS
from .evaluation import Evaluation
from .initialization.distributions import (
    Binomial,
    Constant,
    Distribution,
    LogNormal,
    Normal,
    Orthogonal,
    TruncatedNormal,
    Uniform,
)
from .initialization.initializers import INITIALIZERS
from .inputs import InputType
from .layers import (
    ActivationLayer,
    ConvolutionLayer,
    DenseLayer,
    DropoutLayer,
    Layer,
    OutputLayer,
    ScoredLayer,
    SubsamplingLayer,
    WeightedLayer,
)
from .losses.losses import LOSSES
from .networks.configuration import NetworkConfiguration
from .networks.memory_report import NetworkMemoryReport
from .networks.model import Model
from .networks.multilayer import MultiLayerNetwork
from .networks.workspaces import ArrayType, LayerWorkspaceMgr
from .parameters import Parameter
from .regularization.gradient_normalization import NORMALIZATIONS
from .updaters.schedules import (
    CycleSchedule,
    ExponentialSchedule,
    InverseSchedule,
    MapSchedule,
    PolySchedule,
    Schedule,
    SigmoidSchedule,
    StepSchedule,
)
from .updaters.updaters import (
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
    "ScoredLayer",
    "Sgd",
    "SigmoidSchedule",
    "StepSchedule",
    "SubsamplingLayer",
    "TruncatedNormal",
    "Uniform",
    "Updater",
    "WeightedLayer",
]
