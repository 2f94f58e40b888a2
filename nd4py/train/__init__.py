"""Training: listeners, evaluation, files.

The files, as the build lists them:

- listeners.py: Listeners: objects that a network calls while it trains.
- serialization.py: Saving networks to files and loading them.
"""

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
