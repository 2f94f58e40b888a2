"""Attention: in heads, by products, and by sums."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from ..counterparts.attention_vertices import HeadsVertex, ScoredAttentionVertex
from ..graph_builder import Arrays, Call, Converted, MaskTensor, Tensor
from ..settings_reader import Settings, UnsupportedError, plain
from ..stored_weights import Wanted
from .translated_settings import penalties

NAMES = {"q": "query_dense", "k": "key_dense", "v": "value_dense", "g": "_gate_dense", "o": "output_dense"}


def operands(call: Call, named: tuple[str, ...]) -> list[Tensor]:
    """Queries, values and, where they differ, keys.  Raises ValueError for other numbers, and for no sequences."""
    given = [*call.inputs, *(call.keywords[name] for name in named if call.keywords.get(name) is not None)]
    if not 2 <= len(given) <= 3 or any(not isinstance(each, Tensor) or len(each.shape) != 2 for each in given):
        raise UnsupportedError("anything but two or three sequences")
    if any(each.shape[1] is None for each in given):
        raise UnsupportedError("steps of any number of features")
    return given if len(given) < 3 or given[2] != given[1] else given[:2]


def how(call: Call) -> dict[str, Any]:
    """The settings that all have: dropout, and whether queries see what comes behind them."""
    dropout, is_causal = call.settings.number("dropout", 0.0, least=0.0), call.keywords.get("use_causal_mask", False)
    if dropout >= 1.0:
        raise call.settings.wrong("dropout", "a number below 1")
    return {"dropout": dropout, "causal": bool(is_causal), "is_kept": not call.place.is_trained}


def grouped(call: Call) -> Tensor | list[Tensor]:
    """GroupQueryAttention: several heads of queries for each of keys and values."""
    settings = call.settings
    n_key_heads, n_heads = settings.whole("num_key_value_heads"), settings.whole("num_query_heads")
    if n_heads % n_key_heads:
        raise settings.wrong("num_key_value_heads", f"a divisor of {n_heads}")
    values = {**settings.values, "num_heads": n_heads, "key_dim": settings.whole("head_dim")}
    return in_heads(replace(call, settings=Settings(settings.who, values)), n_key_heads)


def mask_of_pairs(call: Call) -> list[Tensor]:
    """What says which query sees which key, nothing where all see all.  Raises UnsupportedError for other axes."""
    mask = call.keywords.get("attention_mask")
    if mask is None:
        return []
    if isinstance(mask, MaskTensor):
        raise UnsupportedError("an attention_mask that is the mask of padding, or made by !=")
    if not isinstance(mask, Tensor) or len(mask.shape) != 2 or mask.shape[1] is None:
        raise UnsupportedError("an attention_mask of other axes than (batch, queries, keys)")
    return [mask]


def in_heads(call: Call, n_key_heads: int = 0) -> Tensor | list[Tensor]:
    settings = call.settings
    settings.refuse(sliding_window=None, kernel_constraint=None, bias_constraint=None)
    given, masks = operands(call, ("query", "value", "key")), mask_of_pairs(call)
    if settings.has("attention_axes") and plain(settings.values["attention_axes"]) not in ([1], 1):
        raise UnsupportedError("attention_axes")
    if penalties(call):
        raise UnsupportedError("a kernel_regularizer")
    n_heads, key_size = settings.whole("num_heads"), settings.whole("key_dim")
    value_size = settings.whole("value_dim") if settings.has("value_dim") else key_size
    sizes = [int(each.shape[1] or 1) for each in given]
    shape = settings.wholes("output_shape") if settings.has("output_shape") else [sizes[0]]
    if len(shape) != 1 or shape[0] < 1:
        raise UnsupportedError("an output_shape of several axes")
    has_bias, has_gate = settings.flag("use_bias", True), settings.flag("use_gate", False)
    vertex = HeadsVertex(
        n_heads,
        key_size,
        value_size,
        shape[0],
        has_bias=has_bias,
        n_key_heads=n_key_heads,
        has_pairs=bool(masks),
        has_gate=has_gate,
        **how(call),
    )
    is_grouped, n_key_heads = n_key_heads > 0, n_key_heads or n_heads
    kernels = {
        "q": (sizes[0], n_heads, key_size),
        "k": (sizes[-1], n_key_heads, key_size),
        **({"g": (sizes[0], n_heads, value_size)} if has_gate else {}),
        "v": (sizes[1], n_key_heads, value_size),
        "o": (n_heads, value_size, shape[0]),
    }
    wanted = []
    for letter, kernel in kernels.items():
        before = "_" if is_grouped and letter != "g" else ""
        wanted.append(Wanted(f"{before}{NAMES[letter]}/vars/0", kernel))
        if has_bias:
            wanted.append(Wanted(f"{before}{NAMES[letter]}/vars/1", kernel[2:] if letter == "o" else kernel[1:]))

    def converted(arrays: Arrays) -> Converted:
        step = 2 if has_bias else 1
        found = {}
        for number, letter in enumerate(kernels):
            kernel = arrays[step * number]
            rows = kernel.shape[0] * kernel.shape[1] if letter == "o" else kernel.shape[0]
            found[f"W{letter}"] = kernel.reshape((rows, -1))
            if has_bias:
                found[f"b{letter}"] = arrays[step * number + 1].reshape(-1)
        return found

    call.fill(wanted, converted)
    sources = [each.only for each in (*given, *masks)]
    made = call.made(call.add(vertex, *sources))
    if not call.keywords.get("return_attention_scores"):
        return made
    weights = call.add(replace(vertex, part="weights"), *sources)
    return [made, call.made(weights, is_last=True, keeps_mask=False)]


def scored(kind: str, call: Call) -> Tensor:
    """Attention without projections."""
    if call.settings.has("score_mode") and call.settings.values["score_mode"] != "dot":
        raise UnsupportedError("score_mode 'concat'")
    given = operands(call, ())
    if call.keywords.get("return_attention_scores"):
        raise UnsupportedError("return_attention_scores")
    has_scale = call.settings.flag("use_scale", kind == "additive")
    vertex = ScoredAttentionVertex(kind, has_scale=has_scale, **how(call))
    if has_scale:
        shape = () if kind == "dot" else (int(given[0].shape[1] or 1),)
        call.fill([Wanted("vars/0", shape)], lambda arrays: {"scale": arrays[0]})
    return call.made(call.add(vertex, *(each.only for each in given)))


ROWS: dict[str, Any] = {
    "MultiHeadAttention": in_heads,
    "GroupQueryAttention": grouped,
    "GroupedQueryAttention": grouped,
    "Attention": partial(scored, "dot"),
    "AdditiveAttention": partial(scored, "additive"),
}
