"""Types of the tables that say which function computes an operator."""

from collections.abc import Callable
from typing import Any

# name, "domain:name" outside of ONNX's own: rows of (first version, last version, function, arguments of it that come
# before the inputs).  A class in the place of a function is made once of the attributes, and then called with inputs.
Rows = dict[str, list[tuple[Any, ...]]]
# name: function of (node, schema, attributes, constants by name) that says why a node cannot run, or None
Limits = dict[str, Callable[[Any, Any, dict[str, Any], Any], str | None]]
