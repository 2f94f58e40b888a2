"""einsum_path: the order in which einsum contracts its operands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from ..._exec.concat import any_array

__all__ = ["einsum_path"]


def einsum_path(*operands: Any, optimize: Any = "greedy", einsum_call: bool = False) -> tuple[list[Any], str]:
    """The order in which to contract the operands of an `einsum`, and a text about it.  NumPy finds it by the shapes.

    einsum_call: must be False; another value is an error.
    operands: as for `einsum`; optimize: "greedy", "optimal", True, False, or (name, memory limit in elements).
    Returns a list that `einsum` takes as `optimize`, and the text.
    Raises ValueError for subscripts that do not fit, TypeError for other arguments.

    >>> nd.einsum_path("ij,jk,kl->il", nd.ones((2, 3)), nd.ones((3, 4)), nd.ones((4, 5)))[0]
    ['einsum_path', (1, 2), (0, 1)]
    """
    finder: Any = numpy.einsum_path  # whose types are narrower than its arguments
    given = [shape_only(item) for item in operands]
    try:
        path, text = finder(*given, optimize=optimize, einsum_call=einsum_call)
    except (TypeError, KeyError, IndexError, AttributeError) as error:
        raise TypeError(f"einsum_path: operands do not fit ({type(error).__name__}); give them as for einsum") from None
    except ValueError as error:
        raise ValueError(f"einsum_path: {error}") from None
    return path, text


def shape_only(item: Any) -> Any:
    """An array without memory of the shape of an operand; subscripts as they are."""
    if isinstance(item, str) or (isinstance(item, list | tuple) and all_subscripts(item)):
        return item
    return numpy.broadcast_to(numpy.zeros(()), any_array(item).shape)


def all_subscripts(item: Sequence[Any]) -> bool:
    """Whether a list holds axis labels, as in einsum(x, [0, 1]), and no array's elements."""
    return all(isinstance(label, int) or label is Ellipsis for label in item)
