"""What tasks know of the process that they run in, and how values of the driver reach them."""

import os
import sys

from nd4py import api as nd


class Pickled:
    """A value that Dask carries without looking for tasks inside it."""

    def __init__(self, value):
        self.value = value


def unpacked(pickled):
    """The task that hands out a value from the driver: any worker can be given it again."""
    return pickled.value


def worker_name():
    """The address of the worker that this task runs on, or "process 123" where there is none."""
    worker = _worker()
    return f"process {os.getpid()}" if worker is None else worker.address


def shared_cores():
    """Compute with this task's share of the threads that its process has for all its tasks."""
    worker = _worker()
    n_tasks = 1 if worker is None else worker.state.nthreads
    return nd.threads(max(1, nd.thread_count() // n_tasks))


def _worker():
    """Dask's worker, if this thread computes for one."""
    distributed = sys.modules.get("distributed")
    try:
        return None if distributed is None else distributed.get_worker()
    except ValueError:
        return None
