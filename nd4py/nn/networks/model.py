"""Model: the base class of networks, with parameters in one flat vector, updater state, counters and listeners."""

from __future__ import annotations

import copy
import math
import os
import pickle
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from threading import RLock
from typing import Any, ClassVar, Protocol, Self

from nd4py import api as nd
from nd4py.api.arguments import having, instance
from nd4py.api.environment.commit import change_together, finish

from ..initialization.initializers import initial_value
from ..layers.calls import setting
from ..numbers import whole
from ..parameters import Slot, checked_vector, lay_out, views
from .archive import Archive, Averaged, Describable, open_archive, write_archive
from .configuration import Described, UnknownTypeError, configuration_class_of
from .stages import Stage
from .update import initial_state, step_of
from .workspaces import INFERENCE, TRAINING, ArrayType, LayerWorkspaceMgr, workspaces_for

# Attributes that a copy makes anew.
NOT_COPIED = {
    "_training",
    "_inference",
    "_graph",
    "_step_graph",
    "_lock",
    "_views",
    "_journal",
    "_is_pickled",
    "_streams",
    "_checker",
    "_loss",
    "is_stopping",
    "exchange",
}
COUNTERS = ("iteration_count", "epoch_count", "score_value", "last_batch_size", "loss_scale", "n_finite_steps")
# Losses of networks that compute in float16 are multiplied by this, or small gradients would be 0.
FIRST_LOSS_SCALE = {"float16": 2**15}


class Exchange(Protocol):
    """What replicas that are trained side by side do together at each step.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> net.exchange is None
    True
    """

    def common_outcome(self, outcome: Any, n_examples: int) -> Any:
        """The outcome of a batch, before the updater sees it."""

    def common_params(self, before: nd.NDArray, after: nd.NDArray) -> nd.NDArray:
        """The parameters after a step, of those before it and those that the updater leaves."""


class Model(ABC):
    """The base class of networks: parameters, updater state, counters and listeners.

    params: a vector to copy the initial parameters from; None draws them.
    listeners: objects with `iteration_done(model, iteration, epoch)`, `on_epoch_start(model)`, `on_epoch_end(model)`
    iteration_count, epoch_count: what has been trained so far    score_value: the score of the last batch, NaN before
    last_etl_ms: how long `fit` waited for the last batch    last_batch_size: its number of examples
    Copies (`copy.copy`, `copy.deepcopy`) and pickles are networks of their own that go on as this one would, bit for
    bit: on the same device, with all listeners in `copy.copy`, else with copies of those that can be pickled.
    Raises TypeError and ValueError as `NetworkConfiguration` does.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> net.num_params(), sorted(net.param_table())
    (10, ['0_W', '0_b'])
    """

    configuration_class: ClassVar[type[Described]]

    def __init__(self, configuration: Any, params: Any = None) -> None:
        self.configuration = configuration
        self._stages = self.stages_of(configuration)
        self._slots = slots_of(self._stages)
        self._step = step_of(self._stages, self._slots, configuration)
        with nd.scope_out_of_workspaces():
            self._params = nd.zeros(self._slots[-1].stop, dtype=configuration.kept_dtype)
            self._views = views(self._params, self._slots, len(self._stages))
            self._updater_state = initial_state(self._step.blocks, self._params)
        self._equip()
        self.listeners: list[Any] = []
        self.iteration_count = self.epoch_count = self.last_batch_size = 0
        self.score_value, self.last_etl_ms = math.nan, 0.0
        self.loss_scale, self.n_finite_steps = FIRST_LOSS_SCALE.get(configuration.dtype, 1), 0
        self._journal: Any = None  # of a change that is decided and not yet all written, see `change_together`
        if params is None:
            self._draw_params()
        else:
            self.set_params(params)

    def __repr__(self) -> str:
        layers = ", ".join(type(stage.layer).__name__ for stage in self._stages)
        return (
            f"<{type(self).__name__} of {layers}: {self._slots[-1].stop:,} parameters, "
            f"{self.iteration_count:,} iterations of training>"
        )

    def _equip(self) -> None:
        """Attributes of each network that are not copied."""
        self._training = workspaces_for(self.configuration.workspace_mode, TRAINING)
        self._inference = workspaces_for(self.configuration.workspace_mode, INFERENCE)
        self._graph: Any = None  # of the output, made when it is first asked for
        self._step_graph: Any = None  # of the gradient
        self.is_stopping = False  # the `fit` that is under way
        self.exchange: Exchange | None = None  # with the replicas that are trained beside this one
        self._streams: dict[Any, Any] = {}  # the state of sequences that `rnn_time_step` is given step by step
        # A network is not for concurrent use; the lock makes calls from two threads wait for each other.
        self._lock = RLock()

    def __getstate__(self) -> dict[str, Any]:
        return self._copied_state(None)

    def _copied_state(self, listeners: list[Any] | None) -> dict[str, Any]:
        """All that a copy needs, arrays on the host; without `listeners` those of this network that can be pickled."""
        with self._lock, nd.scope_out_of_workspaces():
            self._finish()
            state = {name: value for name, value in vars(self).items() if name not in NOT_COPIED}
            state["_device"] = self.device
            for name in ("_params", "_updater_state"):
                if state[name] is not None:
                    state[name] = nd.asarray(state[name], device="cpu", copy=True)
            state["listeners"] = self._picklable_listeners() if listeners is None else listeners
            return state

    def _frozen_state(self) -> dict[str, Any]:
        """What a pickle has for a network that nobody trains: it reads the parameters where they are then."""
        return self._copied_state([]) | {"_is_frozen": True}

    def __setstate__(self, state: dict[str, Any]) -> None:
        kept = {name: value for name, value in state.items() if name not in ("_device", "_is_frozen")}
        vars(self).update(kept, _journal=None)
        must_copy = None if state.get("_is_frozen") else True  # a pickle's memory may be read-only, or the pickle's
        with nd.scope_out_of_workspaces():
            for name in ("_params", "_updater_state"):
                if state[name] is not None:
                    vars(self)[name] = nd.asarray(state[name], device=state["_device"], copy=must_copy)
            self._views = views(self._params, self._slots, len(self._stages))
        self._equip()

    def __copy__(self) -> Self:
        twin = object.__new__(type(self))
        twin.__setstate__(self._copied_state(list(self.listeners)))
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        twin = memo[id(self)] = object.__new__(type(self))
        twin.__setstate__(copy.deepcopy(self._copied_state(None), memo))
        return twin

    def _picklable_listeners(self) -> list[Any]:
        """Listeners that a pickle can hold; those that hold this network find it without any."""
        if "_is_pickled" in vars(self):
            return []
        self._is_pickled = True
        try:
            return [listener for listener in self.listeners if _is_picklable(listener)]
        finally:
            del self._is_pickled

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The part of the flat vector that each parameter has, in its order."""
        return self._slots

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The layers and vertices in the order they are computed in."""
        return self._stages

    @staticmethod
    @abstractmethod
    def stages_of(configuration: Any) -> tuple[Stage, ...]:
        """The layers in the order they are computed in, found without making any array.

        Raises TypeError for anything but a configuration, ValueError where one does not fit.
        """

    def to_json(self) -> str:
        """The network's settings as text, without its parameters, which `save` keeps too: `configuration.to_json()`.

        Returns a str.  Raises TypeError for a function in a `LambdaLayer`.
        """
        text: str = self.configuration.to_json()
        return text

    @classmethod
    def from_json(cls, text: str | bytes, classes: tuple[type, ...] = ()) -> Self:
        """A new network of the settings that `to_json` wrote; its parameters are drawn by their seed.

        classes: layers, updaters ... of the caller's own that the text names
        Returns a network.  Raises ValueError that says what in the text is wrong.
        """
        return cls.from_configuration(cls.configuration_class.from_json(text, classes=classes))

    @classmethod
    @abstractmethod
    def from_configuration(cls, configuration: Any, params: Any = None) -> Self:
        """A new network; its parameters are copied from the vector `params`, or drawn when that is None.

        Raises TypeError for anything but a configuration, ValueError for a vector of another size.
        """

    @property
    def device(self) -> str:
        """Where the parameters are, and where the network computes: "cpu", or "cuda:0" and so on."""
        return self._params.device

    def to_device(self, device: str) -> Self:
        """Move parameters and updater state to a device, where the network computes from now on; returns the network.

        Batches are copied to that device by themselves.  Vectors that `params` and `updater_state` returned before are
        no longer the network's.  Raises ValueError for a device that does not exist, the reason where CUDA is missing.
        Returns the network.
        """
        with self._lock, nd.scope_out_of_workspaces():
            self._finish()
            params, state = nd.asarray(self._params, device=device), self._updater_state
            moved = {
                "_params": params,
                "_views": views(params, self._slots, len(self._stages)),
                "_updater_state": None if state is None else nd.asarray(state, device=device),
                "_graph": None,
                "_step_graph": None,
            }
            vars(self).update(moved)
        return self

    def params(self) -> nd.NDArray:
        """All parameters as one vector: the memory the layers read, so writing to it changes the network.

        Raises nothing.
        """
        self._finish()
        return self._params

    def set_params(self, params: Any) -> None:
        """Copy the values of a vector into the parameters.

        params: of all parameters, as `params()` gives it
        Raises ValueError when its length differs, or where it is being differentiated, TypeError for what is no vector.
        """
        self.adopt(checked_vector("set_params", params, "params()"))

    def updater_state(self) -> nd.NDArray | None:
        """The state of the updater as one vector, memory in use like `params()`; None for updaters without any.

        Raises nothing.
        """
        self._finish()
        return self._updater_state

    def set_updater_state(self, state: Any) -> None:
        """Copy the values of a vector into the updater's state.

        state: as `updater_state()` gives it
        Raises ValueError when its length differs, or where it is being differentiated, TypeError for what is no vector.
        """
        if self._updater_state is None:
            raise ValueError(f"set_updater_state: {self.configuration.updater} has no state; do not set any")
        self.adopt(updater_state=checked_vector("set_updater_state", state, "updater_state()"))

    def adopt(self, params: Any = None, updater_state: Any = None, **counters: Any) -> None:
        """Set the given parameters, updater state and counters: all or, if interrupted, none.

        Vectors are copied.  Raises ValueError when their lengths differ.
        """
        with self._lock, nd.scope_out_of_workspaces():
            self._finish()
            targets, sources = [], []
            for who, source, target in (
                ("set_params", params, self._params),
                ("set_updater_state", updater_state, self._updater_state),
            ):
                if source is not None and target is not None:
                    targets.append(target)
                    sources.append(_fitted(source, target, who))
            change_together(self, tuple(targets), tuple(sources), **counters)

    def param_table(self) -> dict[str, nd.NDArray]:
        """Each parameter under its name, such as "0_W": views of `params()`.  Raises nothing."""
        self._finish()
        return {slot.key: self._views[slot.layer][slot.parameter.name] for slot in self._slots}

    def num_params(self) -> int:
        """The number of parameters.  Raises nothing."""
        return self._params.size

    def set_listeners(self, *listeners: Any) -> None:
        """Call these listeners from now on, and no others.  Raises nothing."""
        self.listeners = list(listeners)

    def add_listeners(self, *listeners: Any) -> None:
        """Call these listeners too.  Raises nothing."""
        self.listeners = [*self.listeners, *listeners]

    def clone(self, *, replica: int = 0, device: str | None = None) -> Self:
        """A network of its own with equal parameters, updater state and counters, without listeners.

        device: where it is, by default where this one is
        replica: its number among replicas trained side by side, each with dropout of its own; 0 draws as this one
        Raises ValueError unless `replica` is a whole number of at least 0, and as `to_device` does.
        """
        seed = self.configuration.seed + whole(replica, "clone: replica", least=0)
        configuration = replace(self.configuration, seed=seed)
        with self._lock:
            twin = self.from_configuration(configuration, params=self.params()).to_device(device or self.device)
            twin.adopt(updater_state=self._updater_state, **{name: getattr(self, name) for name in COUNTERS})
        return twin

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        save_updater: bool = True,
        normalizer: Describable | None = None,
        average: Averaged | None = None,
        training: str | None = None,
    ) -> None:
        """Write the network to a zip file; see `archive` for its entries.

        normalizer: the normalizer of its inputs, saved with it; `nd4py.train.load_normalizer` reads it.
        average: of its weights, saved with it; `nd4py.train.load_average` reads it.
        training: a text, the place in a run of training, which `fit(resume_from=)` reads; a `CheckpointListener` has it
        With the updater's state, training from the file gives the same bits as training on without saving.
        A file that exists at the path is replaced only when the new one is complete.
        Raises TypeError for anything but a path, normalizer, average or text, OSError where the file cannot be written.
        """
        if training is not None:
            instance("save: training", training, str)
        described = None
        if normalizer is not None:
            described = having("save: normalizer", normalizer, "a normalizer", "to_json").to_json()
        averaged = None
        if average is not None:
            having("save: average", average, "an average of weights", "to_json", "values")
            values = average.values
            averaged = average.to_json(), None if values is None else nd.asarray(values, device="cpu")
        with self._lock:
            params, state = nd.asarray(self.params(), device="cpu"), None
            if save_updater and self._updater_state is not None:
                state = nd.asarray(self._updater_state, device="cpu")
            counters = {key: getattr(self, name) for name, key in _saved_counters(self.configuration.dtype).items()}
            write_archive(path, self.configuration.to_json(), params, state, counters, described, averaged, training)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, classes: tuple[type, ...] = (), load_updater: bool = True) -> Self:
        """The network saved at `path`; `classes` are the layers, updaters ... of the caller's own it was made from.

        load_updater: the updater's state too, if it was saved; else it is as before the first step
        Raises ValueError when the file is damaged, does not fit together or holds the other kind of network, which
        `nd4py.train.load` loads too; OSError when it cannot be opened.
        """
        with open_archive(path) as archive:
            kind = configuration_class_of(archive.configuration())
            if not issubclass(cls.configuration_class, kind):
                raise ValueError(
                    f"{path} holds a {kind.network}, not a {cls.__name__}: load it with {kind.network}.load, or with "
                    "nd4py.train.load, which returns whichever a file holds"
                )
            try:
                configuration = cls.configuration_class.from_json(archive.configuration(), classes)
                stages = cls.stages_of(configuration)
                slots = slots_of(stages)
                n_state = step_of(stages, slots, configuration).n_state
            except UnknownTypeError as error:
                raise ValueError(f"{path}: {error}") from None
            except (ValueError, TypeError) as error:
                raise archive.damaged(str(error)) from None
            params, state, counters = _read(archive, configuration, slots[-1].stop, n_state, load_updater)
        network = cls.from_configuration(configuration, params=params)
        network.adopt(updater_state=state, **counters)
        return network

    def _take_over(self, archive: Archive, **others: Any) -> None:
        """Take over parameters, updater state and counters of a network of this configuration, and `others`, or none.

        Raises ValueError when the file is damaged or does not fit.
        """
        params, state, counters = _read(archive, self.configuration, self._params.size, self._step.n_state, True)
        self.adopt(params, state, **counters, **others)

    def arena_bytes(self) -> int:
        """Bytes that the arenas of this thread have.  Raises nothing."""
        managers = (self._training, self._inference)
        arenas = [manager.workspace(ArrayType.ACTIVATIONS) for manager in managers]
        return sum(arena.allocated_size for arena in arenas if arena is not None)

    def graph_bytes(self) -> int:
        """Bytes that the graphs of small batches work in.  Raises nothing."""
        return sum(graph.workplace_bytes for graph in (self._graph, self._step_graph) if graph is not None)

    @contextmanager
    def recorded_places(self) -> Iterator[tuple[list[tuple[int, int]], list[tuple[int, int]]]]:
        """The lists of the ranges that arrays take and give back in training and in inference, filled meanwhile.

        Raises ValueError for a network without workspaces.
        """
        with self._training.recorded() as training, self._inference.recorded() as inference:
            yield training, inference

    def _scope(self, workspaces: LayerWorkspaceMgr, x: Any = None) -> AbstractContextManager[Any]:
        """The scope of one step: arrays made in it are released when it is left, unless they are detached.

        What is made of an `x` that is being differentiated is needed for its gradient, and stays.
        """
        workspace = workspaces.workspace(ArrayType.ACTIVATIONS)
        return nullcontext() if workspace is None or getattr(x, "node", None) is not None else workspace

    def _draw_params(self) -> None:
        rng = nd.random.Generator(self.configuration.seed)
        for slot in self._slots:
            layer, view = self._stages[slot.layer].layer, self._views[slot.layer][slot.parameter.name]
            weight_init = setting(layer, "weight_init", self.configuration.weight_init)
            bias_init = setting(layer, "bias_init", 0.0)
            drawn = initial_value(slot.parameter, rng, self._params.dtype, weight_init, bias_init)
            view[...] = nd.asarray(drawn, device=self.device)

    def _commit(self, gradient: nd.NDArray, running: Mapping[Slot, nd.NDArray], **counters: Any) -> None:
        """One step of the updaters along a finished gradient, whose memory it may use; all changes come together."""
        when = self.iteration_count, self.epoch_count
        params, state = self._step(self._params, self._updater_state, gradient, when, running)
        if self.exchange is not None:
            params = self.exchange.common_params(self._params, params)
        changes = [(self._params, params)]
        if state is not None and self._updater_state is not None:
            changes.append((self._updater_state, state))
        targets, sources = zip(*changes, strict=True)
        change_together(self, targets, sources, iteration_count=self.iteration_count + 1, **counters)

    def _finish(self) -> None:
        """Carry out a change of arrays on a device that was decided, and interrupted before all was written."""
        if self._journal is not None:
            finish(self)


def slots_of(stages: Iterable[Stage]) -> tuple[Slot, ...]:
    """The slots of the stages' parameters.  Raises ValueError where there are none."""
    slots = lay_out({stage.name: stage.parameters for stage in stages})
    if not slots:
        raise ValueError("none of the layers has parameters; add a DenseLayer, ConvolutionLayer or OutputLayer")
    return slots


def _saved_counters(dtype: str) -> dict[str, str]:
    """The counters that are saved, and what the file calls them."""
    saved = {"iteration_count": "iteration", "epoch_count": "epoch"}
    if dtype in FIRST_LOSS_SCALE:
        saved |= {"loss_scale": "lossScale", "n_finite_steps": "finiteSteps"}
    return saved


def _read(
    archive: Archive, configuration: Any, size: int, n_state: int, load_updater: bool
) -> tuple[nd.NDArray, nd.NDArray | None, dict[str, int]]:
    """Parameters, updater state and counters of a saved network."""
    params = archive.coefficients(size, configuration.kept_dtype)
    state = archive.updater_state(n_state, configuration.kept_dtype) if load_updater else None
    return params, state, {name: archive.counter(key) for name, key in _saved_counters(configuration.dtype).items()}


def _is_picklable(thing: Any) -> bool:
    try:
        pickle.dumps(thing)
    except Exception:  # whatever its own code raises
        return False
    return True


def _fitted(source: Any, target: nd.NDArray, who: str) -> nd.NDArray:
    """A vector of the length, the dtype and the device of another."""
    vector = nd.asarray(source, device=target.device)
    if vector.shape != target.shape:
        raise ValueError(f"{who}: a vector of shape {target.shape} is needed, given {vector.shape}")
    return nd.astype(vector, target.dtype, copy=False)
