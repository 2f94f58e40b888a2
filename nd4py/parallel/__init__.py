"""Several workers on one model.

The files, as the build lists them:

- averaging.py: The mean of several models' flat vectors, given back to all of them.
- worker.py: One worker of a team: a thread that lives as long as the team and trains its own replica, batch by batch.
- wrapper.py: Data-parallel training: several replicas on different batches, averaged now and then.
"""

from .averaging import average, average_and_propagate
from .wrapper import ParallelWrapper

__all__ = ["ParallelWrapper", "average", "average_and_propagate"]
