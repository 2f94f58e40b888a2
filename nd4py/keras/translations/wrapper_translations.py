"""Layers around layers whose weights they change while a model trains."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..graph_builder import Call, Tensor
from ..settings_reader import UnsupportedError
from ..stored_weights import Wanted
from .convolution_translations import ROWS as CONVOLUTION_ROWS
from .dense_translations import ROWS as DENSE_ROWS
from .recurrence_translations import inner_call

KINDS = {**CONVOLUTION_ROWS, **DENSE_ROWS}


def spectral_normalization(call: Call) -> Tensor:
    """The layer inside: its weights in the file are those that Keras has divided by their largest singular value."""
    if call.trains:
        raise UnsupportedError(
            "weights that are normalized while it trains, which load(path, training=False) leaves out"
        )
    kind, inner = inner_call(call, "layer", tuple(KINDS))
    is_first = call.name not in call.builder.fillings
    made: Tensor = KINDS[kind](inner)
    if is_first and call.name in call.builder.fillings:
        filling = call.builder.fillings[call.name]
        vector = Wanted("vars/0", (1, filling.wanted[0].shape[-1]), False, is_read=False)
        wanted = *(replace(each, path=f"layer/{each.path}") for each in filling.wanted), vector
        call.builder.fillings[call.name] = replace(
            filling, wanted=wanted, converted=lambda arrays: filling.converted(arrays[:-1])
        )
    return made


ROWS: dict[str, Any] = {"SpectralNormalization": spectral_normalization}
