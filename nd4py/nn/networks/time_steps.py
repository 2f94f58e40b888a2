"""SequenceNetwork: sequences that come step by step, with the state of recurrent layers between calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import instance

from ..inputs import RECURRENT
from .batch_loss import recurrent_states
from .forward import Pass
from .network import Network
from .stages import State


class SequenceNetwork(Network):
    """A network that can be given sequences step by step.

    A stream is one batch of sequences that go on from call to call; each has a state of its own, under any key.
    """

    def _next_steps(self, given: Sequence[Any], mask: Any, stream: Any) -> tuple[Pass, bool]:
        """The forward pass from where the stream stands, and whether a single step was given; keeps where it ends."""
        for stage in self._stages:
            if stage.layer.needs_whole_sequences:
                raise ValueError(
                    f"rnn_time_step: {stage.who} looks at steps that come later: give the whole sequence to output"
                )
        arrays = [nd.asarray(x, device=self.device) for x in given]
        is_step = False
        for number, input_type in enumerate(self.input_types.values()):
            if input_type.kind == RECURRENT and input_type.length is None and arrays[number].ndim == 2:
                arrays[number], is_step = nd.expand_dims(arrays[number], axis=1), True
        inputs, masks = self._checked_inputs(arrays, mask)
        with nd.scope_out_of_workspaces():
            before = self._streams.get(key_of(stream))
            if before is not None and (n := _n_examples(before)) not in (None, inputs[0].shape[0]):
                raise ValueError(
                    f"rnn_time_step: the stream {stream!r} has {n} sequences, given {inputs[0].shape[0]}; go on "
                    "with as many, or call rnn_clear_previous_state first"
                )
            passed = self._run(inputs, masks, states=before)
            self._streams[stream] = recurrent_states(self._stages, passed.states)
        return passed, is_step

    def rnn_clear_previous_state(self, stream: Any = None) -> None:
        """Let the next `rnn_time_step` of the stream start anew.  Raises nothing."""
        with self._lock:
            self._streams.pop(key_of(stream), None)

    def rnn_get_previous_state(self, layer: int | str, stream: Any = None) -> dict[str, nd.NDArray] | None:
        """The state of a recurrent layer that the stream's last `rnn_time_step` ended with, None before the first.

        layer: its number or name
        Returns arrays by name.  Raises ValueError for a layer that is not recurrent, or not there.
        """
        with self._lock:
            found = self._streams.get(key_of(stream), {}).get(self._recurrent(layer))
            return None if found is None else dict(found)

    def rnn_set_previous_state(self, layer: int | str, state: Mapping[str, Any], stream: Any = None) -> None:
        """Let the stream's next `rnn_time_step` start from this state of a layer.

        layer: its number or name; state: arrays by name, such as "h" and "c" of an LSTM, each (batch, n_out)
        Raises ValueError for a layer that is not recurrent, or not there.
        """
        dtype = self.configuration.dtype
        with self._lock, nd.scope_out_of_workspaces():
            instance("rnn_set_previous_state: state", state, Mapping)
            arrays = {
                name: nd.asarray(value, dtype=dtype, device=self.device, copy=True) for name, value in state.items()
            }
            self._streams.setdefault(key_of(stream), {})[self._recurrent(layer)] = arrays

    def _recurrent(self, layer: int | str) -> int:
        for stage in self._stages:
            if str(layer) == stage.name and getattr(stage.layer, "is_recurrent", False):
                return stage.index
        names = [stage.name for stage in self._stages if getattr(stage.layer, "is_recurrent", False)]
        raise ValueError(f"there is no recurrent layer {layer!r}; recurrent layers: {', '.join(names) or 'none'}")


def step_of_output(y: nd.NDArray, is_step: bool) -> nd.NDArray:
    """An output without the axis of steps, where a single one was given."""
    return y[:, 0] if is_step and y.ndim == 3 else y


def key_of(stream: Any) -> Any:
    """The key of a stream.  Raises TypeError for what cannot be one, such as an array."""
    try:
        hash(stream)
    except TypeError:
        raise TypeError(f"stream must be a key such as a number or a text, given {type(stream).__name__}") from None
    return stream


def _n_examples(states: Mapping[int, State]) -> int | None:
    return next((int(x.shape[0]) for state in states.values() for x in state.values() if x.ndim), None)
