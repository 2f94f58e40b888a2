"""Graphs: the launches of a function, recorded once and repeated without Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..._core.graphs.capture_error import CaptureError
from ..._core.graphs.graph import Graph

__all__ = ["CaptureError", "Graph", "capture"]


def capture(function: Callable[..., Any], /, *examples: Any) -> Graph:
    """Record what `function` gives to its loops; calling the graph repeats it without Python, with the same bits.

    function: takes arrays, numbers and text, and returns arrays, also in tuples, lists and dictionaries
    examples: inputs to capture at once; without any, the first call captures
    The function runs once for each kind of inputs: every shape, dtype and layout of arrays, every value of numbers.
    Arrays that it uses beside its inputs are read where they are at each call, so that later writes to them count.
    Results are new arrays, in the open workspace where there is one; gradients do not flow through a graph, but a
    function may take them inside.
    Raises CaptureError, with the line, for what no graph can repeat: a look at values (`float(x)`, `if x > 0`,
    `numpy.asarray(x)`), writing to an array from outside, and operations that cannot be captured yet.

    >>> step = nd.capture(lambda x: nd.tanh(x) * 2, nd.ones(3))
    >>> step(nd.zeros(3))
    array([0., 0., 0.], dtype=float64)
    """
    return Graph(function, *examples)
