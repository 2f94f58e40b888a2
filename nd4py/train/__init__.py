"""Training: listeners, evaluation, files.

The files, as the build lists them:

- checkpoints.py: CheckpointListener: saves a network with its place in training, and deletes checkpoints that are no
  longer needed.
- early_stopping/: Early stopping: training that ends when a condition says so, and gives back the best network.
- experiments.py: Listeners for tools that keep or search experiments: loggers of metrics such as MLflow, and Optuna.
- listeners.py: Listeners: objects that a network calls while it trains.
- live_plot.py: LivePlotListener: the scores of a training as a picture that is drawn again while it goes on.
- logs.py: Logs of training in files: tables of comma-separated values.
- parameter_files.py: Parameters of networks as safetensors files, which other libraries read and write.
- parquet_log.py: A log of training as a Parquet file.
- serialization.py: Saving networks to files and loading them.
- tensorboard.py: TensorBoardListener: scores, statistics, the graph and pictures of filters in event files.
- watching.py: Listeners that watch training: time left, evaluations, statistics of parameters and gradients.
- weight_averages.py: Averages of the weights that a network has had, as listeners: exponential and stochastic weight
  averaging.
"""

from nd4py.nn import (
    ROC,
    Evaluation,
    EvaluationBinary,
    EvaluationCalibration,
    RegressionEvaluation,
    ROCBinary,
    ROCMultiClass,
)

from .checkpoints import CheckpointListener
from .early_stopping.patience import EarlyStopping
from .early_stopping.savers import InMemoryModelSaver, LocalFileModelSaver
from .early_stopping.scoring import (
    DataSetLossCalculator,
    EvaluationScoreCalculator,
    ReconstructionScoreCalculator,
    ScoreCalculator,
)
from .early_stopping.stopping_conditions import (
    BestScoreEpochTerminationCondition,
    EpochTerminationCondition,
    InvalidScoreIterationTerminationCondition,
    IterationTerminationCondition,
    MaxEpochsTerminationCondition,
    MaxScoreIterationTerminationCondition,
    MaxTimeIterationTerminationCondition,
    ScoreImprovementEpochTerminationCondition,
)
from .early_stopping.trainer import EarlyStoppingConfiguration, EarlyStoppingResult, EarlyStoppingTrainer
from .experiments import MetricLoggerListener, OptunaPruningListener
from .listeners import CollectScoresListener, PerformanceListener, ScoreIterationListener, TrainingListener
from .live_plot import LivePlotListener
from .logs import CSVLogListener
from .parameter_files import load_parameters, save_parameters
from .parquet_log import ParquetLogListener
from .serialization import load, load_average, load_normalizer, save
from .tensorboard import TensorBoardListener
from .watching import (
    EvaluativeListener,
    ParameterStatisticsListener,
    SleepyListener,
    Statistics,
    TimeIterationListener,
)
from .weight_averages import ExponentialMovingAverage, StochasticWeightAveraging, WeightAverage

__all__ = [
    "BestScoreEpochTerminationCondition",
    "CSVLogListener",
    "CheckpointListener",
    "CollectScoresListener",
    "DataSetLossCalculator",
    "EarlyStopping",
    "EarlyStoppingConfiguration",
    "EarlyStoppingResult",
    "EarlyStoppingTrainer",
    "EpochTerminationCondition",
    "Evaluation",
    "EvaluationBinary",
    "EvaluationCalibration",
    "EvaluationScoreCalculator",
    "EvaluativeListener",
    "ExponentialMovingAverage",
    "InMemoryModelSaver",
    "InvalidScoreIterationTerminationCondition",
    "IterationTerminationCondition",
    "LivePlotListener",
    "LocalFileModelSaver",
    "MaxEpochsTerminationCondition",
    "MaxScoreIterationTerminationCondition",
    "MaxTimeIterationTerminationCondition",
    "MetricLoggerListener",
    "OptunaPruningListener",
    "ParameterStatisticsListener",
    "ParquetLogListener",
    "PerformanceListener",
    "ROC",
    "ROCBinary",
    "ROCMultiClass",
    "ReconstructionScoreCalculator",
    "RegressionEvaluation",
    "ScoreCalculator",
    "ScoreImprovementEpochTerminationCondition",
    "ScoreIterationListener",
    "SleepyListener",
    "Statistics",
    "StochasticWeightAveraging",
    "TensorBoardListener",
    "TimeIterationListener",
    "TrainingListener",
    "WeightAverage",
    "load",
    "load_average",
    "load_normalizer",
    "load_parameters",
    "save",
    "save_parameters",
]
