"""Training: listeners, evaluation, files.

The files, as the build lists them:

- checkpoints.py: CheckpointListener: saves a network with its place in training, and deletes checkpoints that are no
  longer needed.
- event_files.py: The event files that TensorBoard reads: scalars and histograms.
- listeners.py: Listeners: objects that a network calls while it trains.
- logs.py: Logs of training in files: tables of comma-separated values, and TensorBoard's event files.
- serialization.py: Saving networks to files and loading them.
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
from .listeners import CollectScoresListener, PerformanceListener, ScoreIterationListener, TrainingListener
from .logs import CSVLogListener, TensorBoardListener
from .serialization import load, load_average, load_normalizer, save
from .watching import (
    EvaluativeListener,
    ParameterStatisticsListener,
    SleepyListener,
    Statistics,
    TimeIterationListener,
)
from .weight_averages import ExponentialMovingAverage, StochasticWeightAveraging, WeightAverage

__all__ = [
    "CSVLogListener",
    "CheckpointListener",
    "CollectScoresListener",
    "Evaluation",
    "EvaluationBinary",
    "EvaluationCalibration",
    "EvaluativeListener",
    "ExponentialMovingAverage",
    "ParameterStatisticsListener",
    "PerformanceListener",
    "ROC",
    "ROCBinary",
    "ROCMultiClass",
    "RegressionEvaluation",
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
    "save",
]
