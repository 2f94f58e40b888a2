"""Docstrings of the functions that are made from rows: what a caller needs to know."""

from __future__ import annotations

import textwrap

from .. import dtypes
from ..op import Op

# The dtypes of results, in words.
CONVERTED = ", or a dtype that converts to one of them"
RESULT_DTYPES = {
    "same": "that dtype",
    "bool": "bool",
    "index": dtypes.DEFAULT_INT,
    "total": "that dtype (64 bits wide for integers and bools)",
    "real": "that dtype (half as wide for complex numbers)",
}

# What NumPy's universal functions take behind their operands; where they are left out `where` and `dtype` are one
# object, and so are `casting` and `order`.
SELECTION = (
    *("out: NDArray | tuple[NDArray] | None = None", "where: Any = None", "dtype: DTypeLike | None = None"),
    *("casting: str | None = None", "order: str | None = None", "subok: bool = True", "signature: Any = None"),
)
SELECTION_TEXT = (
    "where: a mask of bools; where it is False, `out` keeps its elements, and a new array has 0.",
    "dtype: what operands are converted to first.",
    'casting: which conversions are allowed, as of `can_cast`; with "unsafe", `out` takes results of any dtype.',
    'order: how a new array lies in memory: "C", "F", "A" for "F" where all operands lie so, "K" as operands do.',
    "subok: accepted; the class of operands is kept.",
    'signature: dtypes of operands and result: "ff->f", or a tuple, None for any.',
)
# What reductions take behind the axis.
SELECTED_TEXT = "    where: a mask of the elements that count; initial: a value to begin with; out: takes the result.\n"

# What the scalars of rows mean.
PARAMETERS = {
    "alpha": "a factor of the results of negative elements.",
    "theta": "the threshold.",
    "delta": "where the square ends and the line begins.",
    "eps": "a small number that keeps divisors and logarithms away from 0.",
    "lr": "the learning rate.",
    "momentum": "how much of the former step stays, from 0 to 1.",
    "decay": "how much of the former mean stays, from 0 to 1.",
    "rho": "how much of the former means stays, from 0 to 1.",
    "weight_decay": "how much of the parameters is taken off, times the learning rate.",
    "b1": "how much of the former mean of gradients stays, from 0 to 1.",
    "b2": "how much of the former mean of squares stays, from 0 to 1.",
    "c1": "1 - b1**t in step t, counted from 1: the mean of gradients started at 0.",
    "c2": "1 - b2**t in step t, counted from 1: the mean of squares started at 0.",
    "c1_next": "1 - b1**(t + 1).",
    "nan": "what takes the place of NaN.",
    "posinf": "what takes the place of infinity.",
    "neginf": "what takes the place of -infinity.",
}


def docstring(op: Op) -> str:
    """What a caller needs: the formula, shapes, dtypes, what is returned and what is raised."""
    is_one, is_step = len(op.args) == 1, op.args[0] == "g" and len(op.args) > 1
    shape = "the same shape" if is_one else "their broadcast shape"
    result = f"({', '.join(op.outputs)}), arrays" if len(op.outputs) > 1 else "an array"
    parts = (
        f"Operands: {dtypes_of(op)}{CONVERTED}; {'any shape' if is_one else 'they broadcast'}.",
        f"Returns {result} of {RESULT_DTYPES[op.result]} and {shape}; `out`, where given, takes the result.",
        *(SELECTION_TEXT if op.is_universal else ()),
        *([f"g: the gradient; {_of_a_step(op.args[1:])}"] if is_step else ()),
        *(f"{name}: {PARAMETERS.get(name, 'a number.')}" for name, _ in op.params),
        f"Raises TypeError for other operands{', parameters' if op.params else ''} or dtypes, ValueError for "
        f"{'' if is_one else 'shapes that do not broadcast or '}an `out` of another shape"
        f"{', and either for labels given first, where outputs belong' if op.is_ordered else ''}.",
    )
    lines = (textwrap.fill(part, 112, subsequent_indent="    ") for part in parts)
    return f"{op.doc}\n\n    " + "\n    ".join(lines) + f"\n{example(op)}    "


def _of_a_step(operands: tuple[str, ...]) -> str:
    """What the operands of an updater's row are, its gradient left out."""
    state = f"{', '.join(name for name in operands if name != 'p')}: the state that the step before left."
    return f"p: the parameters; {state}" if "p" in operands else state


def example(op: Op) -> str:
    """The end of a docstring: a call and what Python prints for its result; "" where the row shows none."""
    call, _, printed = op.usage.partition(" -> ")
    return f"\n    >>> {call}\n    {printed}\n" if op.usage else ""


def dtypes_of(op: Op) -> str:
    """The dtypes a row takes, halves included."""
    return ", ".join(op.dtypes)
