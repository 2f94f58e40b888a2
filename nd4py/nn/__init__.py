"""Neural networks: layers, losses, activations, initializers, updaters, schedules and the network that trains.

The files, as the build lists them:

- activations.py: Activation functions by name.
- archive.py: The file format of networks: a zip of plain text and plain numbers.
- batches.py: Batches as `fit` and `evaluate` accept them.
- configuration.py: The configuration of a network: frozen data that JSON can hold.
- distributions.py: Distributions that weights may be drawn from, such as `weight_init=Uniform(-0.1, 0.1)`.
- evaluation.py: Evaluation of classifiers: the confusion matrix, and the metrics computed from it.
- gradient_normalization.py: Gradient clipping and normalization: five ways, each per layer or per parameter.
- initializers.py: Weight initializers by name, and `Distribution`s with settings.
- inputs.py: Input types of layers, and the conversions between them.
- layers/: Layers: frozen descriptions that turn parameters and an input into an output, one subject per file.
- losses.py: Loss functions by name: (labels, pre-activation, activation's name) to the total over a batch.
- memory_report.py: The memory a network needs, estimated before it is trained.
- model.py: Model: the base class of networks, with parameters in one flat vector, updater state, counters and
  listeners.
- multilayer.py: MultiLayerNetwork: a stack of layers.
- names.py: Look-up of names in configurations.
- network_graphs.py: The graphs of what a network computes for small batches, where Python takes much of the time.
- numbers.py: Checks of numbers in configurations.
- parameters.py: Parameters of a network, and their slots in its flat vector.
- regularization.py: L1 and L2 regularization and weight decay, on weights and never on biases.
- schedules.py: Learning-rate schedules.
- stack.py: A stack of layers on an input type: the inputs and parameters of each layer.
- summary.py: The summary of a network as a table of text.
- updaters.py: Updaters: optimizers that compute the change of the parameters from a gradient.
- workspaces.py: Workspaces of a network: one for each kind of array.
"""

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
