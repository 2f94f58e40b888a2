"""Neural networks: layers, losses, activations, initializers, updaters, schedules and the network that trains.

The files, as the build lists them:

- activations.py: Activation functions by name, and `Activation`s with settings.
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

from .activations import ACTIVATIONS, ELU, Activation, LeakyReLU, RReLU, ThresholdedReLU
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
    BatchNormalization,
    Bidirectional,
    CenterLossOutputLayer,
    CnnLossLayer,
    Convolution1D,
    ConvolutionLayer,
    Cropping2D,
    DenseLayer,
    DepthToSpaceLayer,
    DepthwiseConvolution2D,
    DetectedObject,
    DropoutLayer,
    ElementWiseMultiplicationLayer,
    EmbeddingLayer,
    EmbeddingSequenceLayer,
    FrozenLayer,
    GlobalPoolingLayer,
    GravesLSTM,
    GroupNormalization,
    LambdaLayer,
    LastTimeStep,
    Layer,
    LayerNormalization,
    LearnedSelfAttentionLayer,
    LocalResponseNormalization,
    LossLayer,
    LossScoredLayer,
    MaskLayer,
    MaskZeroLayer,
    MultiHeadAttention,
    OutputLayer,
    RecurrentAttentionLayer,
    RecurrentLayer,
    RepeatVector,
    RMSNormalization,
    RnnLossLayer,
    RnnOutputLayer,
    ScoredLayer,
    SelfAttentionLayer,
    SeparableConvolution2D,
    SimpleRnn,
    SpaceToDepthLayer,
    Subsampling1DLayer,
    SubsamplingLayer,
    TimeDistributed,
    TransformerEncoderLayer,
    Upsampling2D,
    WeightedLayer,
    WrapperLayer,
    Yolo2OutputLayer,
    ZeroPaddingLayer,
)
from .losses.classification import FMeasureLoss, FocalLoss
from .losses.ctc import CTCLoss
from .losses.loss import Loss
from .losses.losses import LOSSES
from .losses.mixture_density import MixtureDensityLoss
from .losses.regression import HuberLoss
from .networks.computation_graph import ComputationGraph
from .networks.configuration import GraphConfiguration, NetworkConfiguration
from .networks.gradient_check import GradientCheckReport, GradientFailure, ParameterCheck, gradient_check
from .networks.memory_report import NetworkMemoryReport
from .networks.model import Model
from .networks.multilayer import MultiLayerNetwork
from .networks.network import Network
from .networks.settings import TrainingConfiguration
from .networks.stages import Node
from .networks.transfer_learning import TransferLearning, TransferLearningHelper
from .networks.workspaces import ArrayType, LayerWorkspaceMgr
from .parameters import Parameter
from .regularization.constraints import (
    Constraint,
    MaxNormConstraint,
    MinMaxNormConstraint,
    NonNegativeConstraint,
    UnitNormConstraint,
)
from .regularization.dropouts import (
    AlphaDropout,
    Dropout,
    GaussianDropout,
    GaussianNoise,
    InputNoise,
    SpatialDropout,
)
from .regularization.gradient_normalization import NORMALIZATIONS
from .regularization.weight_noise import DropConnect, ParameterNoise, WeightNoise
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
    "ACTIVATIONS",
    "ELU",
    "GRU",
    "INITIALIZERS",
    "LOSSES",
    "LSTM",
    "NORMALIZATIONS",
    "AMSGrad",
    "Activation",
    "ActivationLayer",
    "AdaBelief",
    "AdaDelta",
    "AdaGrad",
    "AdaMax",
    "Adam",
    "AdamW",
    "AlphaDropout",
    "ArrayType",
    "BatchNormalization",
    "Bidirectional",
    "Binomial",
    "CTCLoss",
    "CenterLossOutputLayer",
    "CnnLossLayer",
    "ComputationGraph",
    "Constant",
    "Constraint",
    "Convolution1D",
    "ConvolutionLayer",
    "CosineSchedule",
    "Cropping2D",
    "CycleSchedule",
    "DenseLayer",
    "DepthToSpaceLayer",
    "DepthwiseConvolution2D",
    "DetectedObject",
    "Distribution",
    "DotProductAttentionVertex",
    "DropConnect",
    "Dropout",
    "DropoutLayer",
    "DuplicateToTimeSeriesVertex",
    "ElementWiseMultiplicationLayer",
    "ElementWiseVertex",
    "EmbeddingLayer",
    "EmbeddingSequenceLayer",
    "Evaluation",
    "ExponentialSchedule",
    "FMeasureLoss",
    "FixedSchedule",
    "FocalLoss",
    "FrozenLayer",
    "GaussianDropout",
    "GaussianNoise",
    "GlobalPoolingLayer",
    "GradientCheckReport",
    "GradientFailure",
    "GraphConfiguration",
    "GravesLSTM",
    "GroupNormalization",
    "HuberLoss",
    "InputNoise",
    "InputType",
    "InverseSchedule",
    "L2NormalizeVertex",
    "L2Vertex",
    "LambdaLayer",
    "LastTimeStep",
    "LastTimeStepVertex",
    "Layer",
    "LayerNormalization",
    "LayerWorkspaceMgr",
    "LeakyReLU",
    "LearnedSelfAttentionLayer",
    "Lion",
    "LocalResponseNormalization",
    "LogNormal",
    "Loss",
    "LossLayer",
    "LossScoredLayer",
    "MapSchedule",
    "MaskLayer",
    "MaskZeroLayer",
    "MaxNormConstraint",
    "MergeVertex",
    "MinMaxNormConstraint",
    "MixtureDensityLoss",
    "Model",
    "MultiHeadAttention",
    "MultiLayerNetwork",
    "Nadam",
    "Nesterovs",
    "Network",
    "NetworkConfiguration",
    "NetworkMemoryReport",
    "NoOp",
    "Node",
    "NonNegativeConstraint",
    "Normal",
    "OneCycleSchedule",
    "Orthogonal",
    "OutputLayer",
    "Parameter",
    "ParameterCheck",
    "ParameterNoise",
    "PolySchedule",
    "PoolHelperVertex",
    "PreprocessorVertex",
    "RMSNormalization",
    "RReLU",
    "RampSchedule",
    "RecurrentAttentionLayer",
    "RecurrentLayer",
    "RepeatVector",
    "ReshapeVertex",
    "ReverseTimeSeriesVertex",
    "RmsProp",
    "RnnLossLayer",
    "RnnOutputLayer",
    "ScaleVertex",
    "Schedule",
    "ScoredLayer",
    "SelfAttentionLayer",
    "SeparableConvolution2D",
    "Sgd",
    "ShiftVertex",
    "SigmoidSchedule",
    "SimpleRnn",
    "SpaceToDepthLayer",
    "SpatialDropout",
    "StackVertex",
    "StepSchedule",
    "Subsampling1DLayer",
    "SubsamplingLayer",
    "SubsetVertex",
    "ThresholdedReLU",
    "TimeDistributed",
    "TrainingConfiguration",
    "TransferLearning",
    "TransferLearningHelper",
    "TransformerEncoderLayer",
    "TruncatedNormal",
    "Uniform",
    "UnitNormConstraint",
    "UnstackVertex",
    "Updater",
    "Upsampling2D",
    "Vertex",
    "WarmupSchedule",
    "WeightNoise",
    "WeightedLayer",
    "WrapperLayer",
    "Yolo2OutputLayer",
    "ZeroPaddingLayer",
    "gradient_check",
]
