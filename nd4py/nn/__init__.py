"""Neural networks: layers, losses, activations, initializers, updaters, schedules and the network that trains.

The files, as the build lists them:

- activations.py: Activation functions by name, and `Activation`s with settings.
- evaluation/: Evaluation: how good the outputs of a network are, counted batch by batch.
- fitting/: Fitting: `fit` of networks: its data, its place in them, what it measures and how it ends.
- initialization/: Initial weights: initializers by name, and distributions.
- inputs.py: Input types of layers, and the conversions between them.
- layers/: Layers: frozen descriptions that turn parameters and an input into an output, one subject per file.
- losses/: Loss functions.
- names.py: Look-up of names in configurations, and the names that packages offer.
- networks/: Networks: their configuration, the steps of training, workspaces, graphs and files.
- numbers.py: Checks of numbers in configurations.
- parameters.py: Parameters of a network, and their slots in its flat vector.
- registries.py: Registries: the layers, vertices, updaters and schedules that a configuration can hold, by their names.
- regularization/: Regularization: penalties of weights, and limits of gradients.
- updaters/: Updaters, and the schedules of their learning rates.
- vertices/: Vertices: what a computation graph does with one or more arrays, one subject per file.
"""

# ruff: noqa: F403

import typing as _typing

from .activations import ACTIVATIONS as ACTIVATIONS
from .activations import ELU as ELU
from .activations import Activation as Activation
from .activations import LeakyReLU as LeakyReLU
from .activations import RReLU as RReLU
from .activations import ThresholdedReLU as ThresholdedReLU
from .evaluation import ROC as ROC
from .evaluation import Evaluation as Evaluation
from .evaluation import EvaluationBinary as EvaluationBinary
from .evaluation import EvaluationCalibration as EvaluationCalibration
from .evaluation import Prediction as Prediction
from .evaluation import RegressionEvaluation as RegressionEvaluation
from .evaluation import ROCBinary as ROCBinary
from .evaluation import ROCMultiClass as ROCMultiClass
from .fitting.history import History as History
from .initialization.distributions import Binomial as Binomial
from .initialization.distributions import Constant as Constant
from .initialization.distributions import Distribution as Distribution
from .initialization.distributions import LogNormal as LogNormal
from .initialization.distributions import Normal as Normal
from .initialization.distributions import Orthogonal as Orthogonal
from .initialization.distributions import TruncatedNormal as TruncatedNormal
from .initialization.distributions import Uniform as Uniform
from .initialization.distributions import VarianceScaling as VarianceScaling
from .initialization.initializers import INITIALIZERS as INITIALIZERS
from .inputs import InputType as InputType
from .layers import *
from .losses import *
from .losses.losses import LOSSES as LOSSES
from .names import public_names as _public_names
from .networks.computation_graph import ComputationGraph as ComputationGraph
from .networks.configuration import GraphConfiguration as GraphConfiguration
from .networks.configuration import NetworkConfiguration as NetworkConfiguration
from .networks.gradient_check import GradientCheckReport as GradientCheckReport
from .networks.gradient_check import GradientFailure as GradientFailure
from .networks.gradient_check import ParameterCheck as ParameterCheck
from .networks.gradient_check import gradient_check as gradient_check
from .networks.memory_report import NetworkMemoryReport as NetworkMemoryReport
from .networks.model import Model as Model
from .networks.multilayer import MultiLayerNetwork as MultiLayerNetwork
from .networks.network import Network as Network
from .networks.settings import TrainingConfiguration as TrainingConfiguration
from .networks.snapshot import Snapshot as Snapshot
from .networks.stages import Node as Node
from .networks.transfer.featurized_training import TransferLearningHelper as TransferLearningHelper
from .networks.transfer.transfer_learning import GraphTransferLearning as GraphTransferLearning
from .networks.transfer.transfer_learning import TransferLearning as TransferLearning
from .networks.workspaces import ArrayType as ArrayType
from .networks.workspaces import LayerWorkspaceMgr as LayerWorkspaceMgr
from .parameters import Parameter as Parameter
from .regularization.constraints import Constraint as Constraint
from .regularization.constraints import MaxNormConstraint as MaxNormConstraint
from .regularization.constraints import MinMaxNormConstraint as MinMaxNormConstraint
from .regularization.constraints import NonNegativeConstraint as NonNegativeConstraint
from .regularization.constraints import UnitNormConstraint as UnitNormConstraint
from .regularization.dropouts import AlphaDropout as AlphaDropout
from .regularization.dropouts import Dropout as Dropout
from .regularization.dropouts import GaussianDropout as GaussianDropout
from .regularization.dropouts import GaussianNoise as GaussianNoise
from .regularization.dropouts import InputNoise as InputNoise
from .regularization.dropouts import SpatialDropout as SpatialDropout
from .regularization.gradient_normalization import NORMALIZATIONS as NORMALIZATIONS
from .regularization.weight_noise import DropConnect as DropConnect
from .regularization.weight_noise import ParameterNoise as ParameterNoise
from .regularization.weight_noise import WeightNoise as WeightNoise
from .updaters import *
from .vertices import *

if not _typing.TYPE_CHECKING:  # type checkers take what is imported `as` itself
    __all__ = _public_names(globals())
