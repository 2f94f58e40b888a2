"""What goes on around training: listeners, evaluation, files.

The files, as the build lists them:

- listeners.py: Watching a network train: objects that it calls, by these three names, while it does.
- serialization.py: Saving networks to files and loading them again.
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
