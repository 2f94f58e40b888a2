"""The calls of one model that a team of threads answers: output, submit, update."""

from concurrent.futures import Future
from functools import partial
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import items, whole
from nd4py.nn import Snapshot

from .model_queue import ModelQueue, outside_workspaces
from .requests import Request, late, n_rows_of
from .service_settings import checked_seconds


class ModelService:
    """Answers calls for a model by a team; see `ParallelInference` for what the methods take and raise.

    network: its parameters are copied; or something with the methods of a Snapshot    settings: ServiceSettings
    """

    def __init__(self, team, network, settings):
        self._team = team
        if settings.mode == "in_place" and team.has_processes:
            raise ValueError(
                "mode in_place computes in the thread of the caller, and not in processes; give one of them"
            )
        team.check_open()
        snapshot = team.placed(snapshot_of(network))
        self.queue = ModelQueue(snapshot, team.exact_sizes(snapshot, settings.least_rows), settings)

    @property
    def snapshot(self):
        """What answers now."""
        return self.queue.model[0]

    def output(self, inputs, mask, timeout, priority, layers=None):
        seconds, priority = checked_seconds(timeout), whole("priority", priority)
        self._team.enter_process()
        arrays, masks = self._checked(inputs, mask, copy=False)
        request = Request(arrays, masks, seconds, None, priority, self._checked_layers(layers))
        if self.queue.settings.mode == "in_place":
            self._team.compute_beside(self.queue, request)
        elif not self._team.run_here(self.queue, request):
            self._wait_in_line(request)
        return request.result()

    def _wait_in_line(self, request):
        try:
            self._team.submit(self.queue, request)
            if request.wait():
                return
        except BaseException:
            self._team.withdraw(self.queue, request, "cancelled")
            raise
        self._team.withdraw(self.queue, request, "timed_out")
        raise late()

    def submit(self, inputs, mask, timeout, priority, layers=None):
        self._team.enter_process()
        future: Future[Any] = Future()
        arrays, masks = self._checked(inputs, mask, copy=True)  # the caller may write to its own at once
        seconds, priority = checked_seconds(timeout), whole("priority", priority)
        request = Request(arrays, masks, seconds, future, priority, self._checked_layers(layers))
        if self.queue.settings.mode == "in_place":
            self._team.compute_beside(self.queue, request)
            return future
        self._team.submit(self.queue, request)
        future.add_done_callback(partial(self._leave, request))
        return future

    def _leave(self, request, done):
        # Who has taken the request out of the queue tells those who wait for the future, concurrent.futures.wait and
        # as_completed, that it is cancelled.
        if done.cancelled() and self._team.withdraw(self.queue, request, "cancelled"):
            done.set_running_or_notify_cancel()

    def update(self, network, who):
        self._team.check_open()
        snapshot, before = snapshot_of(network), self.snapshot
        for what in ("input_types", "output_types"):
            if getattr(snapshot, what) != getattr(before, what):
                raise ValueError(
                    f"{who}: the network has other {what.replace('_', ' ')} than the one before, "
                    f"{getattr(snapshot, what)} and {getattr(before, what)}; add it as another model"
                )
        snapshot = self._team.placed(snapshot)
        self.queue.set_model(snapshot, self._team.exact_sizes(snapshot, self.queue.settings.least_rows))

    def statistics(self):
        return self._team.statistics(self.queue)

    def _checked_layers(self, layers):
        if layers is None:
            return None
        found = (
            (layers,) if isinstance(layers, str) or hasattr(layers, "__index__") else items("output: layers", layers)
        )
        if not found:
            raise ValueError("output: layers names none; leave it out for the outputs of the network")
        self.snapshot.check_layers(found)
        return found

    def _checked(self, inputs, mask, *, copy):
        given = inputs[0] if len(inputs) == 1 else inputs
        with outside_workspaces():
            arrays, masks = self.snapshot.checked(given, mask)
            if not n_rows_of(arrays):
                raise ValueError(f"output: a request needs at least one example, given shape {arrays[0].shape}")
            if copy:
                arrays = tuple(nd.asarray(x, copy=True) for x in arrays)
                masks = masks and tuple(None if each is None else nd.asarray(each, copy=True) for each in masks)
        return arrays, masks


def snapshot_of(network):
    """A Snapshot of a network; what has the methods of one stays as it is.  Raises TypeError for other things."""
    return network if hasattr(network, "working_bytes") else Snapshot(network)
