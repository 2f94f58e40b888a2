"""The requests for one model: those that wait, how they are computed together, and what became of them."""

from collections import deque
from contextlib import nullcontext
from itertools import chain

from nd4py import api as nd

from .exact_sizes import joined, padded
from .requests import ProcessDiedError, Request
from .service_statistics import Tally


def outside_workspaces():
    """A context in which arrays are made outside of workspaces; most callers have none open."""
    return nullcontext() if nd.workspace_manager.current_workspace() is None else nd.scope_out_of_workspaces()


class ModelQueue:
    """A model's waiting requests.  A team's threads take batches of them and compute these.

    snapshot: of the network    sizes: ExactSizes of its configuration    settings: ServiceSettings
    All attributes but the model itself are read and written under the lock of the team.
    weight: share of the cores beside other models    spent: seconds of cores divided by the weight
    """

    def __init__(self, snapshot, sizes, settings):
        self.settings = settings
        self.waiting: deque[Request] = deque()
        self.n_waiting_rows = 0
        self.in_flight: list[list[Request]] = []  # batches that a thread of the team has taken
        self.spent = self.last_seconds = 0.0
        self.is_closed = False
        self.tally = Tally()
        self.set_model(snapshot, sizes)

    def set_model(self, snapshot, sizes):
        """Answer the requests of batches that begin from now on by this snapshot, in batches of the ExactSizes."""
        self.model = snapshot, sizes  # one attribute, read once for each batch: nobody sees a mixture

    def append(self, request):
        """Let a request wait, behind those of its priority and before those of a lower one."""
        place = len(self.waiting)
        while place and self.waiting[place - 1].priority < request.priority:
            place -= 1
        self.waiting.insert(place, request)
        self.n_waiting_rows += request.n_rows

    def remove(self, request):
        """Whether a request was still waiting; then it does not any more."""
        try:
            self.waiting.remove(request)
        except ValueError:
            return False
        self.n_waiting_rows -= request.n_rows
        return True

    def remove_all(self):
        """The requests that waited."""
        removed = list(self.waiting)
        self.waiting.clear()
        self.n_waiting_rows = 0
        return removed

    def ready_at(self):
        """When the first request waits for others no longer."""
        if self.settings.max_wait == 0.0 or self.is_closed or self.n_waiting_rows >= self.settings.batch_limit:
            return 0.0
        return self.waiting[0].entered + self.settings.max_wait

    def take_batch(self):
        """The first request, and those like it that fit into a batch with it; their cost is counted as last time."""
        first = self.waiting.popleft()
        batch, n_rows = [first], first.n_rows
        if self.settings.mode == "batched" and n_rows < self.settings.batch_limit:
            left: deque[Request] = deque()
            for request in self.waiting:
                fits = request.is_like(first) and n_rows + request.n_rows <= self.settings.batch_limit
                (batch if fits else left).append(request)
                n_rows += request.n_rows if fits else 0
            self.waiting = left
        self.n_waiting_rows -= n_rows
        self.spent += self.last_seconds / self.settings.weight
        batch[0].charged = self.last_seconds  # at once, or other threads would choose this model again meanwhile
        self.in_flight.append(batch)
        return batch

    def note(self, batch, seconds):
        """Count a batch that was computed in so many seconds."""
        self.spent += (seconds - batch[0].charged) / self.settings.weight
        self.last_seconds = seconds
        self.tally.seconds += seconds
        if batch in self.in_flight:
            self.in_flight.remove(batch)
        for request in batch:
            request.end = request.end or "cancelled"
            self._count(request)

    def statistics(self):
        """What became of the requests: answers that were handed over are counted, though their batch still runs."""
        for request in chain.from_iterable(self.in_flight):
            if request.end is not None:
                self._count(request)
        return self.tally.shown(len(self.waiting))

    def _count(self, request):
        """Count a request that has ended, once."""
        if request.is_counted:
            return
        request.is_counted = True
        if request.rows_at_once:
            self.tally.batch_sizes[request.rows_at_once] += 1
        if request.end == "answered":
            self.tally.add_answer(request.left - request.entered)
        else:
            self.tally.ends[request.end] += 1

    def compute(self, batch, n_threads):
        """Answer every request of a batch, or let it fail.

        n_threads: for each operation, None for as many as this thread may use
        Raises nothing: whoever waits for an answer raises the error.
        """
        begun = [request for request in batch if request.begins()]
        try:
            with nullcontext() if n_threads is None else nd.threads(n_threads), outside_workspaces():
                self._compute(begun)
        except BaseException as error:
            for request in begun:
                if request.end is None:
                    request.fail(error)

    def _compute(self, batch):
        snapshot, sizes = self.model
        if len(batch) == 1:
            self._compute_each(snapshot, batch)
            return
        untried, size = self._first_untried(sizes, batch)
        if untried is not None:
            self._compute_each(snapshot, batch)
            sizes.try_size(snapshot, batch[0], untried)  # when nobody waits for it any more
            return
        try:
            if size and self._compute_together(snapshot, batch, size):
                return
        except ProcessDiedError:  # one of them may have killed it
            self._compute_each(snapshot, batch)
            return
        half = len(batch) // 2
        self._compute(batch[:half])
        self._compute(batch[half:])

    def _first_untried(self, sizes, batch):
        """(A size to be tried before the batch may be computed at once or None, the size to compute it with or 0)."""
        least, limit = self.settings.least_rows, self.settings.batch_limit
        n_rows = sum(request.n_rows for request in batch)
        size = min(1 << (max(n_rows, least) - 1).bit_length(), max(limit, n_rows, least))
        for wanted in sorted({size, *(max(request.n_rows, least) for request in batch)}):
            is_exact = sizes.is_exact(batch[0].signature, wanted)
            if is_exact is None:
                return wanted, 0
            if not is_exact:
                return None, 0
        return None, size

    def _compute_together(self, snapshot, batch, size):
        """Whether the batch was computed at once.  Errors are left to the requests that they belong to.

        Raises ProcessDiedError.
        """
        try:
            outputs = batch[0].outputs_by(snapshot, *padded(joined(batch), size))
            starts, start = [], 0
            for request in batch:
                starts.append((start, start + request.n_rows))
                start += request.n_rows
            # Copies: an answer that somebody keeps, or writes to, is no other's.
            parts = [tuple(nd.asarray(y[first:last], copy=True) for y in outputs) for first, last in starts]
        except ProcessDiedError:
            raise
        except Exception:
            return False
        batch[0].rows_at_once = start  # before the first answer, so that whoever has one finds it counted
        for request, part in zip(batch, parts, strict=True):
            request.answer(part)
        return True

    def _compute_each(self, snapshot, batch):
        for request in batch:
            request.rows_at_once = request.n_rows
            self._compute_alone(snapshot, request)

    def _compute_alone(self, snapshot, request):
        try:
            inputs, masks = padded((request.inputs, request.masks), self.settings.least_rows)
            try:
                outputs = request.outputs_by(snapshot, inputs, masks)
            except ProcessDiedError:  # which may have been chance; inputs that kill whoever computes them do so again
                outputs = request.outputs_by(snapshot, inputs, masks)
            if inputs is not request.inputs:
                outputs = tuple(nd.asarray(y[: request.n_rows], copy=True) for y in outputs)
        except BaseException as error:  # whoever waits for the answer raises it
            request.fail(error)
        else:
            request.answer(outputs)
