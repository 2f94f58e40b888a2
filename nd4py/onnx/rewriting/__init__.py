"""Graphs rewritten once, when they are loaded, so that each run does less.

The files, as the build lists them:

- axis_orders.py: Transpositions that cancel each other, or that one can stand for.
- constant_folding.py: Steps whose inputs are constants are computed once, and steps that only pass a value on are taken
  out.
- graph_edits.py: A graph while it is rewritten: its steps, and who makes and reads each value.
- recognised_activations.py: GELU as exporters write it, in five to nine steps: x * 0.5 * (1 + erf(x / sqrt(2))), and
  its approximation by tanh.
- recognised_attention.py: Attention as exporters write it: a product, a softmax over its rows, and another product.
- recognised_normalization.py: Layer normalization as exporters write it before opset 17, in nine steps, and root mean
  square normalization, in six to eight.
- weight_folding.py: What is done to each channel after a convolution or product, done to its weights instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from ..compiled_graph import CompiledGraph, Step
from .axis_orders import join_transpositions
from .constant_folding import fold_constants, pass_values_on
from .graph_edits import GraphEdits
from .recognised_activations import recognise_gelu, recognise_gelu_of_tanh
from .recognised_attention import recognise_attention
from .recognised_normalization import recognise_layer_norm, recognise_rms_norm
from .weight_folding import fold_batch_normalization, fold_bias

Rule = Callable[[GraphEdits, Step], bool]
MOST_ROUNDS = 8  # a rule may make way for another one

RULES: dict[str, tuple[Rule, ...]] = {
    "Identity": (pass_values_on,),
    "Dropout": (pass_values_on,),
    "Conv": (fold_batch_normalization, fold_bias),
    "ConvTranspose": (fold_batch_normalization, fold_bias),
    "Gemm": (fold_batch_normalization, fold_bias),
    "Transpose": (join_transpositions,),
    "Erf": (recognise_gelu,),
    "Tanh": (recognise_gelu_of_tanh,),
    "Div": (recognise_layer_norm,),
    "Softmax": (recognise_attention,),
    "Sqrt": (recognise_rms_norm,),
}


def rewritten(graph: CompiledGraph, sizes: dict[str, tuple[Any, ...]]) -> tuple[CompiledGraph, Counter[str]]:
    """The graph with fewer steps that compute the same, and how often what was done.

    sizes: the shapes that are known before a run, by the names of values
    """
    edits = GraphEdits(graph, sizes)
    for _ in range(MOST_ROUNDS):
        n_done = sum(edits.done.values())
        for step in edits.steps:
            if edits.has(step) and not fold_constants(edits, step):
                any(rule(edits, step) for rule in RULES.get(step.operator, ()) if edits.has(step))
        edits.done["steps without a reader taken out"] += edits.remove_unread()
        if sum(edits.done.values()) == n_done:
            break
    return edits.result(), +edits.done
