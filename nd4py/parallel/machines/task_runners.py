"""Who computes tasks: the workers of a Dask cluster, or this process, one task after another.

Design: a task is a pure function of other tasks, and the scheduler may run it anywhere, twice, or again when its result
went with a worker.  So there are no actors, no connections of our own and no worker that something is pinned to, and
everything that is known of a death is left to Dask.  What the driver adds is that it never waits for nobody: it looks
now and then whether there are a scheduler and workers.
"""

import time
from concurrent.futures import CancelledError
from uuid import uuid4

from nd4py.api.arguments import having
from nd4py.data.optional_packages import optional

LOOK_SECONDS = 1.0  # between looks at the cluster while a result is waited for


def runner_of(client, who, patience):
    """What computes tasks for a client of Dask, or without one."""
    if client is None:
        return Here(who)
    return OnDask(having(f"{who}: client", client, "a dask.distributed.Client", "compute", "persist", "nthreads"), who,
                  patience)  # fmt: skip


class Here:
    """Computes each task at once in this process."""

    n_slots = 1

    def __init__(self, who):
        self._who = who

    def task(self, name, function, *arguments):
        """The result of a function of other results."""
        return function(*(self._found(each) for each in arguments))

    def _found(self, value):
        if not hasattr(value, "__dask_graph__"):
            return value
        return optional("dask", self._who, "dask").compute(value, scheduler="synchronous")[0]

    def kept(self, tasks):
        """The same tasks, computed once."""
        return tasks

    def result(self, task):
        """What came out of a task."""
        return task


class OnDask:
    """Computes tasks on the workers of a cluster.

    patience: seconds that it waits while there are no workers
    """

    def __init__(self, client, who, patience):
        self._client, self._who, self._patience = client, who, patience
        self._delayed = optional("dask", who, "dask").delayed
        self._distributed = optional("distributed", who, "dask")
        self._token = uuid4().hex[:12]  # keys of one fit are never those of another
        self._n_tasks = 0
        self._kept = ()

    @property
    def n_slots(self):
        """The tasks that the workers compute at a time; waits for a worker.  Raises TimeoutError."""
        given_up = time.monotonic() + self._patience
        while not (threads := self._client.nthreads()):
            if time.monotonic() > given_up:
                raise self._nobody()
            time.sleep(min(LOOK_SECONDS, self._patience))
        return sum(threads.values())

    def task(self, name, function, *arguments):
        """A task: a function of other tasks and of values."""
        self._n_tasks += 1
        key = f"nd4py-{name}-{self._token}-{self._n_tasks}"
        return self._delayed(function, pure=False)(*arguments, dask_key_name=key)

    def kept(self, tasks):
        """Tasks whose results stay with the workers; those that a worker takes with it are computed again."""
        self._kept = self._client.persist(list(tasks))
        return self._kept

    def result(self, task):
        """What came out of a task, once all it needs was computed.

        Raises ConnectionError where the scheduler is lost, TimeoutError where there are no workers for `patience`
        seconds, and what the task raised.
        """
        future = self._client.compute(task)
        try:
            self._wait(future)
            return future.result()
        except CancelledError:
            # A scheduler that cannot unpickle a task refuses it, and cancels what needs it without saying why.
            refused = [each for each in self._distributed.futures_of(self._kept) if each.status == "error"]
            if refused:
                refused[0].result()
            raise self._lost() from None
        finally:
            future.release()

    def _wait(self, future):
        alone_since = None
        while not future.done():
            try:
                self._distributed.wait(future, timeout=LOOK_SECONDS)
            except TimeoutError:
                if future.status == "lost" or self._client.status != "running":
                    raise self._lost() from None
                now = time.monotonic()
                alone_since = None if self._has_workers() else alone_since or now
                if alone_since is not None and now - alone_since >= self._patience:
                    raise self._nobody() from None

    def _has_workers(self):
        try:
            return bool(self._client.nthreads())
        except OSError:  # of a connection
            raise self._lost() from None

    def _lost(self):
        return ConnectionError(
            f"{self._who}: the scheduler is lost; the network is as the last averaging left it, and nothing after it "
            "counts: connect a new client and go on from there"
        )

    def _nobody(self):
        return TimeoutError(
            f"{self._who}: the cluster has had no workers for {self._patience:g} seconds; start some, or wait longer "
            "with patience="
        )
