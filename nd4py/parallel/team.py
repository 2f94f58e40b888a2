"""A team of threads that computes the requests for one or many models.

Design: there are as many slots as threads, and whoever computes holds one.  A caller that finds nobody waiting and a
slot free computes its own request, which costs no change of threads.  Otherwise the request waits, and the team's
threads take batches until nobody waits; a batch is formed when a thread is free for it, so batches grow with load.  Of
the models with requests, the one is next that has had the least time of cores for its weight, counted from when it
began to be busy: a model that was idle has saved nothing up, and none starves.
Nothing polls: threads wait in the queue of their work, the clock for the next deadline, and callers for their answers.
What has to be done next always follows from the state under the lock, so an exit through an exception, which gives back
its slot, goes on with it.
"""

import os
import threading
import time
import weakref
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

from nd4py import api as nd
from nd4py.data import background

from .exact_sizes import ExactSizes
from .model_queue import ModelQueue
from .processes import ProcessPool
from .requests import ClosedError, QueueFullError, late
from .service_settings import at_least

# Long enough for most batches to end; threads are daemons, and one that computes longer is left to finish alone.
JOIN_SECONDS = 0.5


class Team:
    """Computes the requests of any number of ModelQueues by `n_threads` threads, which start when first needed.

    The threads end with `close`, when nobody refers to the team any more, or with the interpreter.
    has_processes: whether each thread has a process that computes for it
    """

    def __init__(self, n_threads, name, *, has_processes=False):
        self.n_threads, self.has_processes = n_threads, has_processes
        self._pool = ProcessPool(n_threads) if has_processes else None
        self._name = name
        self._sizes: list[tuple[Any, ExactSizes]] = []
        self._begin()

    def enter_process(self):
        """Begin anew in the child of a fork, which has none of the threads, and nobody who waits."""
        if self._process != os.getpid():
            self._begin()
            if self._pool is not None:
                self._pool.enter_process()

    def _begin(self):
        for queue in getattr(self, "_queues", ()):
            queue.remove_all()
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)  # there is room in a queue, or all is done after `close`
        self._queues: list[ModelQueue] = []  # those with waiting requests
        self._holders: set[object] = set()  # of the slots
        self._floor = 0.0  # what the model that was last chosen had spent
        self._work: SimpleQueue[Any] = SimpleQueue()
        self._clock: SimpleQueue[float | None] = SimpleQueue()
        self._next_tick: float | None = None
        self._threads: list[threading.Thread] = []
        self._is_closed = False

    def placed(self, snapshot):
        """The snapshot as the team computes with it: shared with its processes, if it has any, which then start."""
        if self._pool is None:
            return snapshot
        self._pool.start()
        return self._pool.shared(snapshot)

    def exact_sizes(self, snapshot, least_rows):
        """The sizes of batches for a network: those found for others of its configuration, if there are."""
        kind = snapshot.configuration, least_rows
        for known, sizes in self._sizes:
            if known == kind:
                return sizes
        self._sizes.append((kind, ExactSizes(least_rows)))
        return self._sizes[-1][1]

    def run_here(self, queue, request):
        """Whether this thread computed the request: it does when a slot is free and nobody waits."""
        if self._queues or len(self._holders) >= self.n_threads or queue.settings.max_wait:
            return False
        try:
            with self._lock:
                self._check_open(queue)
                if self._queues or len(self._holders) >= self.n_threads:
                    return False
                self._holders.add(request)
            batch = [request]
            seconds = self._computed(queue, batch)
            with self._lock:
                queue.note(batch, seconds)
        finally:
            self._leave_slot(request)
        return True

    def compute_beside(self, queue, request):
        """Compute a request in this thread, whether or not there are slots."""
        self._check_open(queue)
        batch = [request]
        seconds = self._computed(queue, batch)
        with self._lock:
            queue.note(batch, seconds)

    def submit(self, queue, request):
        """Let a request wait for its turn.

        Raises QueueFullError where as many wait as the queue takes, ClosedError after `close`.
        """
        if not self._threads:
            self._start()
        with self._lock:
            self._check_open(queue)
            while len(queue.waiting) >= queue.settings.queue_limit:
                self._wait_for_room(queue, request)
            if not queue.waiting:
                self._queues.append(queue)
                queue.spent = max(queue.spent, self._floor)
            queue.append(request)
            self._dispatch()
            if request.future is not None and request.deadline is not None:
                self._wind_clock(request.deadline)

    def check_room(self, queue):
        """Raises QueueFullError, and counts a request as refused, where one that came now would be."""
        if queue.settings.when_full == "refuse" and len(queue.waiting) >= queue.settings.queue_limit:
            with self._lock:
                self._refuse(queue)

    def withdraw(self, queue, request, end):
        """Whether a request had still been waiting; it is then counted under this end, and gets no answer."""
        with self._lock:
            if not queue.remove(request):
                return False
            queue.tally.ends[end] += 1
            self._after_removal(queue)
            return True

    def fail_all(self, queue, error):
        """Let the waiting requests of a model fail, and refuse those that come."""
        with self._lock:
            queue.is_closed = True
            failed = queue.remove_all()
            queue.tally.ends["failed"] += len(failed)
            self._after_removal(queue)
        for request in failed:
            if request.begins():
                request.fail(error)

    def statistics(self, queue):
        """What became of the requests of a model."""
        with self._lock:
            return queue.statistics()

    def close(self, queues, *, wait):
        """Let the threads go; requests that wait are answered before if `wait`, else they fail."""
        with self._lock:
            self._is_closed = True
            for queue in queues:
                queue.is_closed = True
            self._changed.notify_all()
            self._dispatch()
            while wait and (self._queues or self._holders) and threading.current_thread() not in self._threads:
                self._changed.wait()
        for queue in queues:
            self.fail_all(queue, ClosedError("closed before the request was answered"))
        threads, self._threads = self._threads, []
        if threads:
            _release(self._work, self._clock)
        deadline = time.monotonic() + JOIN_SECONDS
        for thread in threads:
            background.join(thread, max(0.0, deadline - time.monotonic()))
        if self._pool is not None:
            self._pool.close()

    def tick(self):
        """Let requests fail whose time is over, and begin with batches that have waited.  Returns when to do it next.

        Returns None for never.
        """
        now, overdue = time.perf_counter(), []
        with self._lock:
            for queue in list(self._queues):
                expired = [each for each in queue.waiting if each.deadline is not None and each.deadline <= now]
                for request in expired:
                    queue.remove(request)
                queue.tally.ends["timed_out"] += len(expired)
                overdue += expired
                self._after_removal(queue)
            times = [each.deadline for queue in self._queues for each in queue.waiting if each.deadline is not None]
            times += [at for queue in self._queues if (at := queue.ready_at()) > now]
            self._next_tick = min(times, default=None)
            self._dispatch()
        for request in overdue:
            if request.begins():
                request.fail(late())
        return self._next_tick

    def check_open(self):
        """Raises ClosedError after `close`."""
        if self._is_closed:
            raise ClosedError("closed: requests are not answered any more")

    def _check_open(self, queue):
        self.check_open()
        if queue.is_closed:
            raise ClosedError("closed: requests are not answered any more")

    def _wait_for_room(self, queue, request):
        seconds = None if request.deadline is None else request.deadline - time.perf_counter()
        if queue.settings.when_full == "wait" and (seconds is None or seconds > 0):
            self._changed.wait(seconds)
            self._check_open(queue)
            return
        self._refuse(queue)

    def _refuse(self, queue):
        limit = queue.settings.queue_limit
        queue.tally.ends["refused"] += 1
        raise QueueFullError(f"{limit} requests are waiting already, as many as queue_limit says; try again later")

    def _dispatch(self):
        """Wake a thread where there are a free slot and a batch that is ready.  It wakes the next one."""
        if len(self._holders) < self.n_threads and self._next_queue() is not None and self._threads:
            token = object()
            self._holders.add(token)
            self._work.put(partial(self._serve, token))

    def _next_queue(self):
        """The model whose turn it is, None where no batch is ready; the clock then knows when one is."""
        if len(self._queues) == 1 and not self._queues[0].settings.max_wait:
            return self._queues[0]
        now, chosen = time.perf_counter(), None
        for queue in self._queues:
            if (at := queue.ready_at()) > now:
                self._wind_clock(at)
            elif chosen is None or queue.spent < chosen.spent:
                chosen = queue
        return chosen

    def _serve(self, token):
        """Compute batches until no more are ready."""
        done: Any = None  # (the model, the batch, its sizes, seconds), noted together with the choice of the next
        try:
            while True:
                with self._lock:
                    if done is not None:
                        done[0].note(*done[1:])
                    queue = self._next_queue()
                    if queue is None:
                        return
                    self._floor = queue.spent
                    batch = queue.take_batch()
                    self._after_removal(queue)
                done = queue, batch, self._computed(queue, batch)
        finally:
            self._leave_slot(token)

    def _after_removal(self, queue):
        """Requests of a queue do not wait any more."""
        if not queue.waiting and queue in self._queues:
            self._queues.remove(queue)
        if queue.settings.when_full == "wait":
            self._changed.notify_all()
        self._dispatch()

    def _computed(self, queue, batch):
        """Answer a batch.  Returns the seconds it took."""
        start = time.perf_counter()
        # Cores that nobody else asks for are used too: the bits of the answers are the same.
        is_alone = len(self._holders) <= 1 and not self._queues
        queue.compute(batch, None if is_alone else 1)
        return time.perf_counter() - start

    def _leave_slot(self, holder):
        """Give a slot back, if it was taken, and let somebody else have it."""
        with self._lock:
            self._holders.discard(holder)
            self._dispatch()
            if self._is_closed:
                self._changed.notify_all()

    def _wind_clock(self, at):
        """Let the clock tick at this time, if it would not before."""
        if self._next_tick is None or at < self._next_tick:
            self._next_tick = at
            self._clock.put(at)

    def _start(self):
        """Start the threads, once."""
        with self._lock:
            if self._threads or self._is_closed:
                return
            threads = [
                threading.Thread(target=_serve, args=(self._work,), name=f"{self._name} {i}", daemon=True)
                for i in range(self.n_threads)
            ]
            clock = self._clock, weakref.ref(self)
            threads.append(threading.Thread(target=_keep_time, args=clock, name=f"{self._name} clock", daemon=True))
            weakref.finalize(self, _release, self._work, self._clock)
            for thread in threads:
                background.start(thread)
            self._threads = threads


def team_of(what, n_threads, n_processes, name):
    """A team of so many threads, None for as many as OpenMP has; or of processes, with a thread for each.

    what: n_threads is called in messages, such as "ModelServer: n_threads"
    Raises ValueError for numbers that are too small, and for both.
    """
    if n_processes is None:
        return Team(nd.thread_count() if n_threads is None else at_least(1, n_threads, what), name)
    who, _, argument = what.partition(": ")
    if n_threads is not None:
        raise ValueError(f"{who}: processes take the place of {argument}, got both; give one of them")
    return Team(at_least(1, n_processes, f"{who}: processes"), name, has_processes=True)


def _serve(work):
    while (serve := work.get()) is not None:
        serve()
        del serve  # an idle thread keeps no team alive
    work.put(None)  # for the others


def _keep_time(messages, team):
    """Call `tick` at the times that come as messages, and at those that it returns; None ends the thread."""
    at = None
    while True:
        try:
            message = messages.get(timeout=None if at is None else max(0.0, at - time.perf_counter()))
        except Empty:
            found = team()
            at = None if found is None else found.tick()
            del found
            continue
        if message is None:
            return
        at = message if at is None else min(at, message)


def _release(work, clock):
    work.put(None)
    clock.put(None)
