"""Processes that compute in place of threads, with the parameters of models in memory that they share.

The files, as the build lists them:

- process_pool.py: Processes that compute the outputs of snapshots, and new ones in place of those that die.
- serving_process.py: A process that computes outputs until nobody asks any more.
- shared_snapshots.py: Snapshots whose arrays lie in memory that processes share.
"""

from .process_pool import ProcessPool

__all__ = ["ProcessPool"]
