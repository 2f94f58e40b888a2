"""The contraction plan of an einsum: which operands are contracted in which order, and by which operation.

Design: everything that follows from subscripts and shapes alone is worked out here, once, and kept; running a plan is a
few calls.  Two operands are contracted by one stacked matrix product over permuted views, so that BLAS does the work;
where only labels of both remain, as in "ij,ij->j", BLAS would do one dot product each, and unless these are of long
rows, as in "ij,ij->i", a product and a sum are used instead.  Rejected: one loop over all labels at once, as NumPy's
without `optimize`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import prod
from typing import Any, NamedTuple, TypeAlias

from ..._core.annotations import Shape
from .subscripts import Label, Labels, Terms, label_operands, label_sizes, parse_text

Sizes: TypeAlias = dict[Label, int]
Set: TypeAlias = frozenset[Label]
Path: TypeAlias = tuple[Shape, ...]
MANY_OPERANDS = 5  # up to so many, every order is tried
SHORT_ROW = 128  # numbers below which dot products of rows, one after the other, take longer than a product and a sum


class Preparation(NamedTuple):
    """What one operand goes through first: diagonals, axes that broadcast dropped, sums over labels of its own."""

    diagonals: tuple[Shape, ...]
    key: tuple[Any, ...] | None
    summed: Shape


class Contraction(NamedTuple):
    """How two operands become one.

    kind: "matrices" is the matrix product, "product" multiplies, "sums" multiplies and sums.
    left, right: the permutation of each operand, and the shape ("matrices") or index (others) that it then gets.
    shape: the result's ("matrices"), or the axes to sum over.
    """

    pair: Shape
    kind: str
    left: tuple[Shape, Any]
    right: tuple[Shape, Any]
    shape: Shape


class Plan(NamedTuple):
    """Preparations of operands with their positions, contractions, the permutation of the result."""

    preparations: tuple[tuple[int, Preparation], ...]
    contractions: tuple[Contraction, ...]
    axes: Shape | None


@functools.lru_cache(maxsize=1024)
def plan(subscripts: str | Terms, shapes: tuple[Shape, ...], optimize: bool | Path) -> Plan:
    """The plan for operands of these shapes.  Raises ValueError for subscripts or a path that do not fit them."""
    terms = parse_text(subscripts) if isinstance(subscripts, str) else subscripts
    inputs, output = label_operands(terms, shapes)
    sizes = label_sizes(inputs, shapes)
    full = [full_labels(labels, shape, sizes) for labels, shape in zip(inputs, shapes, strict=True)]
    preparations, held = [], []
    for i, (labels, shape) in enumerate(zip(inputs, shapes, strict=True)):
        others = set(output).union(*full[:i], *full[i + 1 :])
        preparation, rest = prepare(labels, shape, sizes, others)
        preparations += [] if preparation is None else [(i, preparation)]
        held.append(rest)
    contractions = []
    for pair in contraction_path(held, output, sizes, optimize):
        i, j = pair
        others = set(output).union(*(labels for k, labels in enumerate(held) if k not in pair))
        contraction, labels = contract(pair, held[i], held[j], others, output, sizes)
        contractions.append(contraction)
        held = [labels for k, labels in enumerate(held) if k not in pair] + [labels]
    axes = tuple(held[0].index(label) for label in output)
    return Plan(tuple(preparations), tuple(contractions), axes if axes != tuple(range(len(axes))) else None)


def full_labels(labels: Labels, shape: Shape, sizes: Sizes) -> Labels:
    """The labels of an operand but those along which it is broadcast."""
    return tuple(label for label, size in zip(labels, shape, strict=True) if size == sizes[label])


def prepare(labels: Labels, shape: Shape, sizes: Sizes, others: set[Label]) -> tuple[Preparation | None, Labels]:
    """How an operand loses repeated labels, broadcast axes and labels that it alone has; the labels left."""
    held, rest = list(zip(labels, shape, strict=True)), list(labels)
    diagonals = []
    while len(set(rest)) < len(rest):
        label = next(label for label in rest if rest.count(label) > 1)
        i = rest.index(label)
        j = rest.index(label, i + 1)
        if held[i][1] != held[j][1]:
            raise ValueError(f"einsum: the label {label!r} has sizes {held[i][1]} and {held[j][1]} in one operand")
        diagonals.append((i, j))
        held = [item for k, item in enumerate(held) if k not in (i, j)] + [held[i]]
        rest = [label for label, _ in held]
    key = tuple(0 if size == 1 != sizes[label] else slice(None) for label, size in held)
    rest = [label for label, item in zip(rest, key, strict=True) if item != 0]
    summed = tuple(i for i, label in enumerate(rest) if label not in others)
    left = tuple(label for label in rest if label in others)
    if not diagonals and 0 not in key and not summed:
        return None, left
    return Preparation(tuple(diagonals), key if 0 in key else None, summed), left


def contract(
    pair: Shape, left: Labels, right: Labels, others: set[Label], output: Labels, sizes: Sizes
) -> tuple[Contraction, Labels]:
    """How two operands are contracted, and the labels of the result; `others` are needed later."""
    shared = [label for label in left if label in right]
    batch = [label for label in shared if label in others]
    inner = [label for label in shared if label not in others]
    rows = [label for label in left if label not in right]
    columns = [label for label in right if label not in left]
    if not inner:
        return multiplication(pair, left, right, product_order(left, right, output), [], sizes)
    if batch and not rows and not columns and not are_long_rows(left, right, inner, sizes):
        return multiplication(pair, left, right, left, inner, sizes)
    if columns and output and output[-1] in rows:  # so that the result need not be permuted
        return contract((pair[1], pair[0]), right, left, others, output, sizes)
    inner = [label for label in (left if size_of(left, sizes) >= size_of(right, sizes) else right) if label in inner]
    labels = (*batch, *rows, *columns)
    m, k, n = size_of(rows, sizes), size_of(inner, sizes), size_of(columns, sizes)
    stack = tuple(sizes[label] for label in batch)
    first = (positions((*batch, *rows, *inner), left), (*stack, m, k))
    second = (positions((*batch, *inner, *columns), right), (*stack, k, n))
    return Contraction(pair, "matrices", first, second, tuple(sizes[label] for label in labels)), labels


def are_long_rows(left: Labels, right: Labels, inner: list[Label], sizes: Sizes) -> bool:
    """Whether the contracted labels come last in both operands, in one order, and have many elements."""
    n = len(inner)
    return left[-n:] == right[-n:] == tuple(inner) and size_of(inner, sizes) >= SHORT_ROW


def multiplication(
    pair: Shape, left: Labels, right: Labels, labels: Labels, summed: list[Label], sizes: Sizes
) -> tuple[Contraction, Labels]:
    """A product of views that broadcast, its axes in the order `labels`, and the sum over some of them."""
    first, second = [
        (
            positions([label for label in labels if label in side], side),
            tuple(slice(None) if label in side else None for label in labels),
        )
        for side in (left, right)
    ]
    kept = tuple(label for label in labels if label not in summed)
    return Contraction(pair, "sums" if summed else "product", first, second, positions(summed, labels)), kept


def product_order(left: Labels, right: Labels, output: Labels) -> Labels:
    """The labels of a product: as an operand has them that has all, else in the order of the result."""
    for labels, others in ((left, right), (right, left)):
        if set(labels) >= set(others):
            return labels
    every = (*left, *(label for label in right if label not in left))
    return (*(label for label in output if label in every), *(label for label in every if label not in output))


def positions(labels: Sequence[Label], held: Labels) -> Shape:
    """Where the labels stand."""
    return tuple(held.index(label) for label in labels)


def size_of(labels: Iterable[Label], sizes: Sizes) -> int:
    """How many elements an array with these labels has."""
    return prod(sizes[label] for label in labels)


def contraction_path(held: list[Labels], output: Labels, sizes: Sizes, optimize: bool | Path) -> Path:
    """Pairs of positions, one after the other; a result goes behind the operands that are left.

    optimize: True searches, False takes operands from left to right, a path says which are contracted at each step.
    """
    n = len(held)
    if isinstance(optimize, tuple):
        return checked_path(optimize, n)
    if not optimize or n <= 2:
        return tuple((0, 1) if i == 0 else (0, n - 1 - i) for i in range(n - 1))
    sets = tuple(frozenset(labels) for labels in held)
    if n <= MANY_OPERANDS:
        return cheapest(sets, frozenset(output), sizes)[1]
    return greedy(sets, frozenset(output), sizes)


def checked_path(path: Path, n: int) -> Path:
    """A path whose steps may take several operands, as pairs.  Raises ValueError unless it fits n operands."""
    pairs: list[Shape] = []
    for step in path:
        if len(set(step)) < len(step) or not all(0 <= i < n for i in step):
            raise ValueError(f"einsum: the path's step {step} does not name some of {n} operands")
        if len(step) > 1:
            pairs += pairs_of(sorted(step), n)
            n -= len(step) - 1
    return (*pairs, *pairs_of(list(range(n)), n))


def pairs_of(step: list[int], n: int) -> list[Shape]:
    """The contraction of several of n operands in pairs."""
    pairs: list[Shape] = []
    while len(step) > 1:
        i, j, *rest = step
        pairs.append((i, j))
        n -= 1
        step = [*(k - 2 for k in rest), n - 1]
    return pairs


def merged(sets: tuple[Set, ...], i: int, j: int, output: Set) -> tuple[Set, ...]:
    """The labels of all operands after i and j were contracted."""
    others = tuple(labels for k, labels in enumerate(sets) if k not in (i, j))
    return (*others, (sets[i] | sets[j]) & output.union(*others))


def cheapest(sets: tuple[Set, ...], output: Set, sizes: Sizes) -> tuple[int, Path]:
    """The path with the fewest multiplications, found by trying all, and their number."""
    if len(sets) == 1:
        return 0, ()
    found = []
    for i, j in combinations(range(len(sets)), 2):
        cost, path = cheapest(merged(sets, i, j, output), output, sizes)
        found.append((cost + size_of(sets[i] | sets[j], sizes), ((i, j), *path)))
    return min(found)


def greedy(sets: tuple[Set, ...], output: Set, sizes: Sizes) -> Path:
    """The path whose every step makes the arrays smallest, and takes the fewest multiplications where several do."""
    path = []
    while len(sets) > 1:
        steps = []
        for i, j in combinations(range(len(sets)), 2):
            result = merged(sets, i, j, output)[-1]
            grown = size_of(result, sizes) - size_of(sets[i], sizes) - size_of(sets[j], sizes)
            steps.append((grown, size_of(sets[i] | sets[j], sizes), (i, j)))
        i, j = min(steps)[2]
        path.append((i, j))
        sets = merged(sets, i, j, output)
    return tuple(path)
