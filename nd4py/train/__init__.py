"""What goes on around training: listeners, evaluation, files."""

from nd4py.nn import Evaluation

from .listeners import CollectScoresListener, PerformanceListener, ScoreIterationListener, TrainingListener
from .serialization import load, load_normalizer, save

__all__ = [
    "CollectScoresListener",
    "Evaluation",
    "PerformanceListener",
    "ScoreIterationListener",
    "TrainingListener",
    "load",
    "load_normalizer",
    "save",
]
