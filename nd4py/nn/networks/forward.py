"""The forward pass through the stages of a network, with masks and the state of sequences.

Design: an output that no later stage reads is let go, unless somebody wants it.  So it need not be kept, and where it
is deferred and read by one operation alone, such as a batch normalization before its activation, it is never written.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nd4py import api as nd
from nd4py.api.environment.panic_modes import inside, is_on

from .stages import Params, Stage, State

Arrays = Sequence[nd.NDArray]
Masks = Sequence[nd.NDArray | None]
LET_GO: Any = None  # in place of a value that nobody reads any more


@dataclass
class Pass:
    """One forward pass.

    values, masks: of the inputs, then of the stages that were run; values that were not wanted are gone
    states: what layers returned beside their outputs, by the number of the stage: new running values, or the state that
        sequences ended with
    """

    values: list[nd.NDArray]
    masks: list[nd.NDArray | None]
    states: dict[int, State] = field(default_factory=dict)


def run(
    stages: Iterable[Stage],
    params: Params,
    inputs: Arrays,
    masks: Masks | None = None,
    *,
    train: bool = False,
    rng: Any = None,
    states: Mapping[int, State] | None = None,
    left_out: Container[int] = (),
    wanted: Container[int] | None = None,
) -> Pass:
    """Run the stages in their order.

    states: what recurrent layers start from, by the number of the stage; None or missing for zeros
    left_out: the numbers of layers with a loss that nothing reads; their input takes the place of their output
    wanted: the numbers of the values that are read afterwards, inputs first; None for all
    """
    stages = list(stages)
    last_reader = {source: stage.index for stage in stages for source in stage.sources}
    masks = [None] * len(inputs) if masks is None else list(masks)
    result = Pass(list(inputs), masks)
    for stage in stages:
        if stage.index in left_out:
            result.values.append(result.values[stage.sources[0]])
            result.masks.append(result.masks[stage.sources[0]])
            continue
        own = [result.values[source] for source in stage.sources]
        own_masks = [result.masks[source] for source in stage.sources]
        state = None if states is None else states.get(stage.index)
        forward = searched(stage.forward, stage.who) if is_on() else stage.forward
        value, new = forward(params[stage.owner], own, own_masks, train=train, rng=rng, state=state)
        if new:
            result.states[stage.index] = new
        result.values.append(value)
        result.masks.append(stage.output_mask(own, own_masks, value.dtype))
        for source in stage.sources:
            if wanted is not None and last_reader[source] == stage.index and source not in wanted:
                result.values[source] = LET_GO
    return result


def searched(function: Callable[..., Any], place: str) -> Callable[..., Any]:
    """A function of a stage, such as its forward pass, that NaN is searched in: an error names the place.

    function: returns an array, or a tuple that begins with one, which gets its values in the place
    """

    def run(*inputs: Any, **options: Any) -> Any:
        with inside(place):
            found = function(*inputs, **options)
            (found[0] if isinstance(found, tuple) else found).block()
            return found

    return run
