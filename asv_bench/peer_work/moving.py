"""Sorting, searching, selecting, joining, Einstein sums and linear algebra."""

import functools

import numpy as np

from .inputs import normal, normals
from .work import Work

MILLION = (1_000_000,)
SQUARES = ((500, 500), (1000, 8, 8))
MATRICES = ((1000, 100), (100_000, 100))
FLAT = (100_000, 10_000_000)
NOT_COMPILED = {"numexpr": None, "numba": None, "jax": None}


def row(name, text, inputs, sizes=MILLION, dtype="float32", *, has_limit=False, tolerance=None, **spell):
    """A row that PyTorch may spell otherwise; compilers have little to say here."""
    spell = NOT_COMPILED | {"torch": None} | spell
    return Work("moving", name, text, inputs, sizes, dtype, spell, has_limit=has_limit, tolerance=tolerance)


moved = functools.partial(row, has_limit=True)


def whole(size):
    """Random int64, nearly all of them different."""
    return {"x": np.random.default_rng(1).integers(-(2**62), 2**62, size)}


def queries(size):
    """A sorted array and as many queries."""
    return {"x1": np.sort(normal(size, 1)), "x2": normal(size, 2)}


def system(size):
    """A stack of well-conditioned matrices and of right sides."""
    return {"x1": normal(size, 1) + size[-1] * np.eye(size[-1], dtype="float32"), "x2": normal(size, 2)}


def masked(size):
    """An array and a mask that holds for half of it, in no order."""
    return {"x": normal(size), "mask": np.random.default_rng(2).random(size) < 0.5}


def indexed(size):
    """An array, and for each of its axes as many random indices as it has elements."""
    x, random = normal(size), np.random.default_rng(2)
    return {"x": x} | {f"i{axis}": random.integers(0, n, x.size) for axis, n in enumerate(x.shape)}


def einsum(subscripts, *shapes):
    """An Einstein sum of arrays of these shapes."""
    names = " ".join(f"x{i}" for i in range(len(shapes)))
    text = f"xp.einsum('{subscripts}', {names.replace(' ', ', ')})"
    return row(f"einsum {subscripts}", text, normals(names, *shapes), (shapes[0],), torch=text)


def products():
    square, cube = (1000, 1000), (100, 100, 100)
    yield einsum("ij,jk->ik", square, square)
    yield einsum("bij,bjk->bik", cube, cube)
    yield einsum("ijk,kl->ijl", cube, (100, 100))
    yield einsum("ij,j->i", square, (1000,))
    yield einsum("ij,ij->ij", square, square)
    yield einsum("ij,ij->i", square, square)
    yield einsum("ij->ji", square)
    yield einsum("ij->i", square)
    yield einsum("ii->i", square)
    yield einsum("i,i->", MILLION, MILLION)


def joins():
    pairs, one = normals("x1 x2"), normals("x")
    yield moved("concat", "xp.concat((x1, x2))", pairs, (10, *MILLION), torch="xp.concat((x1, x2))")
    yield moved("concat, axis 1", "xp.concat((x1, x2), axis=1)", pairs, ((1000, 500),), torch="xp.concat((x1, x2), 1)")
    yield moved("stack, axis -1", "xp.stack((x1, x2), axis=-1)", pairs, torch="xp.stack((x1, x2), -1)")
    yield moved("repeat", "xp.repeat(x, 3)", one, torch="x.repeat_interleave(3)")
    yield moved("roll", "xp.roll(x, 1234)", one, torch="xp.roll(x, 1234)")


def orders():
    for dtype in ("float32", "float64"):
        yield row(f"sort {dtype}", "xp.sort(x)", normals("x"), dtype=dtype, torch="xp.sort(x)[0]")
    yield row("sort int64", "xp.sort(x)", whole, dtype="int64", torch="xp.sort(x)[0]")
    yield row("argsort float32", "xp.argsort(x)", normals("x"), torch="xp.argsort(x)", tolerance=np.inf)
    yield row("argsort int64", "xp.argsort(x)", whole, dtype="int64", torch="xp.argsort(x)")
    for dtype, make in (("float32", normals("x")), ("int64", whole)):
        yield row(
            f"unique {dtype}", "xp.unique_values(x)", make, dtype=dtype, numpy="xp.unique(x)", torch="xp.unique(x)"
        )
    yield row("searchsorted float32", "xp.searchsorted(x1, x2)", queries, torch="xp.searchsorted(x1, x2)")


def selections():
    yield moved("take", "xp.take(x, i0)", indexed, FLAT, torch="xp.take(x, i0)")
    yield moved("a[mask]", "x[mask]", masked, FLAT, torch="x[mask]")
    yield moved("a[mask] = 1", "x[mask] = 1.0", masked, FLAT, torch="x[mask] = 1.0")
    yield moved("a[rows, columns]", "x[i0, i1]", indexed, MATRICES, torch="x[i0, i1]")


def rows():
    yield from joins()
    yield from orders()
    yield from products()
    yield row("solve", "xp.linalg.solve(x1, x2)", system, SQUARES, "float64", torch="xp.linalg.solve(x1, x2)")
    yield row("svd", "xp.linalg.svd(x)[1]", normals("x"), SQUARES, "float64", torch="xp.linalg.svd(x)[1]")
    yield from selections()
