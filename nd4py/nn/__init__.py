"""Networks: layers, losses, activations, first weights, updaters, schedules and the stack that trains them.

The files, as the build lists them:

- activations.py: Activations by name: rows of the table with their default settings, the softmax and the identity.
- archive.py: The file a network is saved in: a zip of plain text and plain numbers.
- batches.py: What `fit` and `evaluate` accept: batches one after another, in any of the usual wrappings.
- configuration.py: A network's configuration: frozen data that JSON can hold and give back equal.
- distributions.py: Distributions with settings that weights may be drawn from, such as `weight_init=Uniform(-0.1,
  0.1)`.
- evaluation.py: How good a classifier is: the confusion matrix and what follows from it.
- gradient_normalization.py: Limiting gradients before the updater sees them: five ways, each per layer or per
  parameter.
- initializers.py: First values of weights: functions of (rng, parameter, dtype), found by name, and `Distribution`s
  with settings.
- inputs.py: What one example looks like between layers, and how one look is turned into another.
- layers/: Layers: frozen descriptions that turn parameters and an input into an output, one subject per file.
- losses.py: Losses by name: functions of (labels, pre-activation, activation's name) to the total over a batch, a 0-d
  array.
- memory_report.py: How much memory a network needs, told before it is trained.
- model.py: What networks of every shape share: parameters in one flat vector, updater state, counters, listeners,
  saving.
- multilayer.py: A network that is a stack of layers.
- names.py: Looking things up by the names users write in configurations.
- numbers.py: Checking the numbers a configuration is made of, so that a mistake is reported where it was written.
- parameters.py: The parameters of a network: what layers ask for, and where each one lies in the flat vector.
- regularization.py: L1, L2 and weight decay, on weights and never on biases.
- schedules.py: Learning rates that change while a network trains.
- stack.py: A stack of layers on an input type: what each layer is given, what it asks for, whether it fits.
- summary.py: A network as a table of text.
- updaters.py: Updaters: how a gradient becomes a change of the parameters.
- workspaces.py: Which workspace each kind of array of a network lives in.
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
