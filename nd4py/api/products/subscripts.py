"""The parser of einsum's subscripts.

A label is a letter, which a number stands for in the list form; the axes of an ellipsis have the labels ".1", ".2" and
so on, counted from the right, as broadcasting counts.
"""

from __future__ import annotations

import operator
import re
from collections import Counter
from types import EllipsisType
from typing import Any, NamedTuple, TypeAlias

from ..._core.annotations import Shape
from ..._exec.autodiff.nodes import is_array

Label: TypeAlias = str
Term: TypeAlias = tuple[Label | EllipsisType, ...]
Labels: TypeAlias = tuple[Label, ...]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"  # of the numbers 0 to 51, as in NumPy


class Terms(NamedTuple):
    """What is asked for: the subscripts of every operand, and of the result (None: those that occur once)."""

    inputs: tuple[Term, ...]
    output: Term | None


def parse_text(text: str) -> Terms:
    """The terms of subscripts such as "ij,jk->ik".  Raises ValueError for other characters."""
    left, arrow, right = text.replace(" ", "").partition("->")
    return Terms(tuple(map(parse_term, left.split(","))), parse_term(right) if arrow else None)


def parse_term(text: str) -> Term:
    """The labels of one operand.  Raises ValueError unless they are letters and one ellipsis at most."""
    found = re.findall(r"\.\.\.|.", text)
    wrong = [item for item in found if item != "..." and not item.isalpha()]
    if wrong or found.count("...") > 1:
        raise ValueError(f"einsum: subscripts are letters and one ellipsis '...' at most, given {text!r}")
    return tuple(... if item == "..." else item for item in found)


def parse_lists(arguments: tuple[Any, ...]) -> tuple[Terms, tuple[Any, ...]]:
    """The terms and the operands of the list form: operand, labels, operand, labels, ..., and the result's labels."""
    output = number_term(arguments[-1]) if len(arguments) % 2 else None
    pairs = arguments[: len(arguments) // 2 * 2]
    return Terms(tuple(map(number_term, pairs[1::2])), output), pairs[::2]


def number_term(labels: Any) -> Term:
    """The labels of one operand in the list form.  Raises TypeError for other than whole numbers and Ellipsis."""
    if is_array(labels) and (labels.ndim != 1 or labels.dtype.kind not in "iu"):
        raise TypeError(f"einsum: labels are one-dimensional integers, given {labels.dtype} {labels.shape}")
    if isinstance(labels, str) or not hasattr(labels, "__iter__"):
        raise TypeError(f"einsum: after each operand comes the list of its labels, given {labels!r}")
    term = tuple(... if label is Ellipsis else letter_of(operator.index(label)) for label in labels)
    if term.count(...) > 1:
        raise ValueError(f"einsum: an operand has one Ellipsis at most, given {labels!r}")
    return term


def letter_of(number: int) -> Label:
    """The letter that a number stands for.  Raises ValueError outside 0 to 51."""
    if not 0 <= number < len(LETTERS):
        raise ValueError(f"einsum: labels are numbers from 0 to {len(LETTERS) - 1} and Ellipsis, given {number}")
    return LETTERS[number]


def expand(term: Term, ndim: int) -> Labels:
    """The labels of all axes of an operand.  Raises ValueError where it has too few or too many."""
    has_ellipsis = ... in term
    n_broadcast = ndim - len(term) + has_ellipsis
    if n_broadcast < 0 or (n_broadcast and not has_ellipsis):
        raise ValueError(f"einsum: the subscripts {text_of(term)} do not fit an operand of {ndim} dimensions")
    labels: list[Label] = []
    for label in term:
        labels += ellipsis_labels(n_broadcast) if label is ... else [label]
    return tuple(labels)


def ellipsis_labels(n: int) -> list[Label]:
    """The labels of an ellipsis that stands for n axes."""
    return [f".{i}" for i in range(n, 0, -1)]


def text_of(term: Term) -> str:
    """A term in words."""
    return repr("".join("..." if label is ... else label for label in term))


def label_operands(terms: Terms, shapes: tuple[Shape, ...]) -> tuple[list[Labels], Labels]:
    """The labels of every operand's axes and of the result's.  Raises ValueError where they do not fit."""
    if len(terms.inputs) != len(shapes):
        raise ValueError(f"einsum: the subscripts name {len(terms.inputs)} operands, given {len(shapes)}")
    inputs = [expand(term, len(shape)) for term, shape in zip(terms.inputs, shapes, strict=True)]
    counts = Counter(label for labels in inputs for label in labels)
    broadcast = ellipsis_labels(sum(label.startswith(".") for label in counts))
    if terms.output is None:
        once = [label for label, count in counts.items() if count == 1 and label not in broadcast]
        return inputs, (*broadcast, *sorted(once))
    output: list[Label] = []
    for label in terms.output:
        output += broadcast if label is ... else [label]
    check_output(output, counts, terms.output, broadcast)
    return inputs, tuple(output)


def check_output(output: list[Label], counts: Counter[Label], term: Term, broadcast: list[Label]) -> None:
    """Raises ValueError for labels of the result that are repeated, or that no operand has."""
    if len(set(output)) < len(output):
        raise ValueError(f"einsum: the result's subscripts {text_of(term)} repeat a label")
    if missing := [label for label in output if label not in counts]:
        raise ValueError(f"einsum: the result's subscripts {text_of(term)} name {missing[0]!r}, which no operand has")
    if broadcast and ... not in term:
        raise ValueError(f"einsum: the result's subscripts {text_of(term)} must hold the operands' ellipsis '...'")


def label_sizes(inputs: list[Labels], shapes: tuple[Shape, ...]) -> dict[Label, int]:
    """The size of every label: axes of size 1 broadcast.  Raises ValueError where others differ."""
    sizes: dict[Label, int] = {}
    for labels, shape in zip(inputs, shapes, strict=True):
        for label, size in zip(labels, shape, strict=True):
            known = sizes.setdefault(label, size)
            if known != size and 1 not in (known, size):
                name = "the ellipsis" if label.startswith(".") else f"the label {label!r}"
                raise ValueError(f"einsum: {name} has sizes {known} and {size} in operands of shapes {shapes}")
            sizes[label] = size if known == 1 else known
    return sizes
