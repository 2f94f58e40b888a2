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
- vertices/: Vertices: what a computation graph does with one or more arrays, one subject per file.
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
    GRU,
    LSTM,
    ActivationLayer,
    Bidirectional,
    ConvolutionLayer,
    DenseLayer,
    DropoutLayer,
    ElementWiseMultiplicationLayer,
    EmbeddingLayer,
    EmbeddingSequenceLayer,
    FrozenLayer,
    GravesLSTM,
    LambdaLayer,
    LastTimeStep,
    Layer,
    LearnedSelfAttentionLayer,
    MaskLayer,
    MaskZeroLayer,
    MultiHeadAttention,
    OutputLayer,
    RecurrentAttentionLayer,
    RecurrentLayer,
    RepeatVector,
    ScoredLayer,
    SelfAttentionLayer,
    SimpleRnn,
    SubsamplingLayer,
    TimeDistributed,
    TransformerEncoderLayer,
    WeightedLayer,
    WrapperLayer,
)
from .losses.losses import LOSSES
from .networks.computation_graph import ComputationGraph
from .networks.configuration import GraphConfiguration, NetworkConfiguration
from .networks.memory_report import NetworkMemoryReport
from .networks.model import Model
from .networks.multilayer import MultiLayerNetwork
from .networks.network import Network
from .networks.settings import TrainingConfiguration
from .networks.stages import Node
from .networks.transfer_learning import TransferLearning, TransferLearningHelper
from .networks.workspaces import ArrayType, LayerWorkspaceMgr
from .parameters import Parameter
from .regularization.gradient_normalization import NORMALIZATIONS
from .updaters.adam import AdaBelief, Adam, AdaMax, AdamW, AMSGrad, Nadam
from .updaters.adaptive import AdaDelta, AdaGrad, RmsProp
from .updaters.courses import (
    CycleSchedule,
    FixedSchedule,
    MapSchedule,
    OneCycleSchedule,
    RampSchedule,
    WarmupSchedule,
)
from .updaters.decays import (
    CosineSchedule,
    ExponentialSchedule,
    InverseSchedule,
    PolySchedule,
    SigmoidSchedule,
    StepSchedule,
)
from .updaters.descent import Lion, Nesterovs, NoOp, Sgd
from .updaters.schedule import Schedule
from .updaters.updater import Updater
from .vertices import (
    DotProductAttentionVertex,
    DuplicateToTimeSeriesVertex,
    ElementWiseVertex,
    L2NormalizeVertex,
    L2Vertex,
    LastTimeStepVertex,
    MergeVertex,
    PoolHelperVertex,
    PreprocessorVertex,
    ReshapeVertex,
    ReverseTimeSeriesVertex,
    ScaleVertex,
    ShiftVertex,
    StackVertex,
    SubsetVertex,
    UnstackVertex,
    Vertex,
)

__all__ = [
    "EmbeddingLayer",
    "EmbeddingSequenceLayer",
    "LearnedSelfAttentionLayer",
    "MultiHeadAttention",
    "RecurrentAttentionLayer",
    "SelfAttentionLayer",
    "TransformerEncoderLayer",
    "Bidirectional",
    "GravesLSTM",
    "GRU",
    "LastTimeStep",
    "LSTM",
    "MaskLayer",
    "MaskZeroLayer",
    "RecurrentLayer",
    "RepeatVector",
    "SimpleRnn",
    "TimeDistributed",
    "WrapperLayer",
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
    "AdamW",
    "ArrayType",
    "Binomial",
    "ComputationGraph",
    "Constant",
    "ConvolutionLayer",
    "CosineSchedule",
    "CycleSchedule",
    "DenseLayer",
    "Distribution",
    "DotProductAttentionVertex",
    "DropoutLayer",
    "ElementWiseMultiplicationLayer",
    "FrozenLayer",
    "LambdaLayer",
    "DuplicateToTimeSeriesVertex",
    "ElementWiseVertex",
    "Evaluation",
    "ExponentialSchedule",
    "GraphConfiguration",
    "FixedSchedule",
    "InputType",
    "InverseSchedule",
    "L2NormalizeVertex",
    "L2Vertex",
    "LastTimeStepVertex",
    "Layer",
    "LayerWorkspaceMgr",
    "Lion",
    "LogNormal",
    "MapSchedule",
    "MergeVertex",
    "Model",
    "MultiLayerNetwork",
    "Nadam",
    "Nesterovs",
    "Network",
    "NetworkConfiguration",
    "NetworkMemoryReport",
    "NoOp",
    "Node",
    "Normal",
    "OneCycleSchedule",
    "Orthogonal",
    "OutputLayer",
    "Parameter",
    "PolySchedule",
    "PoolHelperVertex",
    "PreprocessorVertex",
    "ReshapeVertex",
    "ReverseTimeSeriesVertex",
    "RampSchedule",
    "RmsProp",
    "ScaleVertex",
    "Schedule",
    "ScoredLayer",
    "Sgd",
    "ShiftVertex",
    "SigmoidSchedule",
    "StackVertex",
    "StepSchedule",
    "SubsamplingLayer",
    "SubsetVertex",
    "TrainingConfiguration",
    "TransferLearning",
    "TransferLearningHelper",
    "TruncatedNormal",
    "Uniform",
    "UnstackVertex",
    "Updater",
    "Vertex",
    "WarmupSchedule",
    "WeightedLayer",
]
