"""Training: listeners, evaluation, files.

The files, as the build lists them:

- listeners.py: Listeners: objects that a network calls while it trains.
- serialization.py: Saving networks to files and loading them.
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

from .listeners import CollectScoresListener, PerformanceListener, ScoreIterationListener, TrainingListener
from .serialization import load, load_average, load_normalizer, save
from .weight_averages import ExponentialMovingAverage, StochasticWeightAveraging, WeightAverage

__all__ = [
    "ROC",
    "CollectScoresListener",
    "Evaluation",
    "EvaluationBinary",
    "EvaluationCalibration",
    "ExponentialMovingAverage",
    "PerformanceListener",
    "ROCBinary",
    "ROCMultiClass",
    "RegressionEvaluation",
    "ScoreIterationListener",
    "StochasticWeightAveraging",
    "TrainingListener",
    "WeightAverage",
    "load",
    "load_average",
    "load_normalizer",
    "save",
]
