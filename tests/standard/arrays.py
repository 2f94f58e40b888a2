"""Inputs: shapes, values and memory layouts, made by hypothesis from a few small choices."""

import math
from functools import lru_cache

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from .subject import xp

EXAMPLES = settings(max_examples=20, deadline=None)
LAYOUTS = ("contiguous", "strided", "reversed", "permuted", "broadcast")
SPECIAL = np.asarray([0.0, -0.0, np.inf, -np.inf, np.nan])

layouts = st.sampled_from(LAYOUTS)
seeds = st.integers(0, 2**32 - 1)
# One number decides about all axes of an array: hypothesis pays for every draw, and for every strategy that is made.
bits = st.integers(0, 255)


@lru_cache
def shapes(min_dims=0, max_dims=4, max_side=4):
    """Shapes with sides from zero; vectors are also long enough for the vector loops and their tails."""
    small = st.lists(st.integers(0, max_side), min_size=min_dims, max_size=max_dims).map(tuple)
    return small | st.tuples(st.integers(0, 150)) if min_dims <= 1 else small


def draw_values(rng, dtype, shape, domain=(-9, 9), specials=False, step=0):
    """Values of the NumPy dtype named `dtype` in `domain` (both parts of complex numbers), multiples of `step`."""
    low, high = domain
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if "int" in dtype:
        low = max(low, 0) if dtype.startswith("uint") else low
        return rng.integers(math.ceil(low), math.floor(high) + 1, shape).astype(dtype)
    parts = [np.asarray(rng.uniform(low, high, shape)) for _ in range(2)]
    if step:
        parts = [np.round(part / step) * step for part in parts]
    if dtype.startswith("complex"):
        return np.asarray(parts[0] + 1j * parts[1]).astype(dtype)
    values = parts[0].astype(dtype)
    if specials:
        values = np.where(rng.random(shape) < 0.2, rng.choice(SPECIAL, shape).astype(dtype), values)
    return values


def lay_out(values, layout):
    """(NumPy array, subject's array) with the same values, the second in the given memory layout.

    "broadcast" repeats the first row with stride zero, so there the values change too.
    """
    if values.ndim == 0 or layout == "contiguous":
        return values, xp.asarray(values.copy())
    if layout == "strided":
        spread = np.ones([2 * n for n in values.shape], values.dtype)
        spread[(slice(None, None, 2),) * values.ndim] = values
        return values, xp.asarray(spread)[(slice(None, None, 2),) * values.ndim]
    if layout == "reversed":
        return values, xp.asarray(np.flip(values).copy())[(slice(None, None, -1),) * values.ndim]
    if layout == "permuted":
        axes = tuple(reversed(range(values.ndim)))
        return values, xp.permute_dims(xp.asarray(values.T.copy()), axes)
    row = values[:1]
    return np.broadcast_to(row, values.shape), xp.broadcast_to(xp.asarray(row.copy()), values.shape)


@st.composite
def arrays(draw, dtype, shape=None, domain=(-9, 9), specials=False):
    """(NumPy array, subject's array) of one dtype."""
    shape = draw(shapes() if shape is None else shape)
    rng = np.random.default_rng(draw(seeds))
    return lay_out(draw_values(rng, dtype, shape, domain, specials), draw(layouts))


@st.composite
def partners(draw, dtypes, domains, specials=False, step=0):
    """Pairs (NumPy array, subject's array), one per dtype, whose shapes broadcast together."""
    whole = draw(shapes())
    rng = np.random.default_rng(draw(seeds))
    pairs = []
    for dtype, domain in zip(dtypes, domains, strict=True):
        shape = draw(parts_of(whole))
        pairs.append(lay_out(draw_values(rng, dtype, shape, domain, specials, step), draw(layouts)))
    return pairs


@st.composite
def parts_of(draw, whole):
    """A shape that broadcasts to `whole`: some sides are one, leading ones may be left out; often it is all of it."""
    choice = draw(bits)
    if choice % 2 == 0:
        return whole
    shape = tuple(n if choice >> (axis + 1) & 1 else 1 for axis, n in enumerate(whole))
    return shape[(choice >> 5) % (len(shape) + 1) :]
