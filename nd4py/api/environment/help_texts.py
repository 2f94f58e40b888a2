"""What is known of a name, a function or an array, as text: `nd4py.info`."""

from __future__ import annotations

import inspect
import sys
from typing import Any

from ..._core.array.released import type_name
from ..._exec.autodiff.nodes import is_array

__all__ = ["info"]


def info(object: Any = None, maxwidth: int = 76, output: Any = None, toplevel: str = "nd4py") -> None:
    """Print what is known of a function, a class, an array, or of what has a name in nd4py.

    object: of any kind; a text is a name, such as "linalg.svd"; None stands for this function.
    output: a file that is open for texts, by default what `print` writes to.
    maxwidth and toplevel are accepted, as NumPy has them: texts have the lines of the source.
    Raises TypeError for an `output` that takes no text, WorkspaceError for an array whose scope is closed.

    >>> nd.info(nd.zeros((2, 3)))
    array of float64
    shape: (2, 3)
    strides: (24, 8)
    device: cpu
    """
    stream = sys.stdout if output is None else output
    if not hasattr(stream, "write"):
        raise TypeError(f"info: output must be an open file, given {type_name(output)}")
    stream.write(f"{described(info if object is None else object)}\n")


def described(item: Any) -> str:
    """What is known of an object."""
    if isinstance(item, str):
        found = of_name(item)
        return f"nd4py has nothing named {item!r}" if found is None else described(found)
    if is_array(item):
        lines = [f"array of {item.dtype.name}", f"shape: {item.shape}", f"strides: {item.strides}"]
        return "\n".join([*lines, f"device: {item.device}"])
    type_name(item)  # the error of an array that was released
    text = inspect.getdoc(item) or "it has no description"
    try:
        return f"{item.__name__}{inspect.signature(item)}\n\n{text}"
    except (AttributeError, TypeError, ValueError):  # no function, or one without a signature
        return text


def of_name(name: str) -> Any:
    """What has a dotted name in the package, or None."""
    found: Any = sys.modules[__name__.partition(".")[0]]
    for part in name.split("."):
        found = getattr(found, part, None)
    return found
