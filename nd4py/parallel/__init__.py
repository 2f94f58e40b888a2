"""Data-parallel training.

The files, as the build lists them:

- averaging.py: The mean of the flat vectors of several models, written to all of them.
- worker.py: A worker thread that trains its own replica of a model.
- wrapper.py: Data-parallel training: replicas on different batches, averaged now and then.
"""

from .averaging import average, average_and_propagate
from .wrapper import ParallelWrapper

__all__ = ["ParallelWrapper", "average", "average_and_propagate"]
