"""The work that `peers.py` compares: one row each, written once for all libraries."""

from collections.abc import Callable
from dataclasses import dataclass

import lenet_step
import numpy as np

FLAT = (100_000, 10_000_000)


@dataclass(frozen=True)
class Work:
    """One row: `inputs(size)` makes NumPy arrays, `run(library, *arrays)` does the work."""

    name: str
    inputs: Callable
    run: Callable
    sizes: tuple = FLAT

    def prepare(self, library, size):
        """A function without arguments that does the work in `library`."""
        arrays = [library.from_numpy(array) for array in self.inputs(size)]
        return lambda: self.run(library, *arrays)

    def label(self, size):
        return " x ".join(f"{n:,}" for n in np.atleast_1d(size))


@dataclass(frozen=True)
class TrainingStep:
    """The LeNet step: forward, backward and update on one batch."""

    name: str = "LeNet train step"
    sizes: tuple = (128,)

    def prepare(self, library, size):
        """The step in `library`, or None where it has no networks."""
        make = {"nd4py": lenet_step.nd4py_step, "torch": lenet_step.torch_step}.get(library.name)
        return make and make(size)

    def label(self, size):
        return f"batch {size}"


def normal(n_arrays, dtype="float32"):
    """A maker of `n_arrays` arrays of normal numbers."""

    def make(size):
        random = np.random.default_rng(1)
        return [random.standard_normal(size).astype(dtype) for _ in range(n_arrays)]

    return make


def choice(size):
    """A random condition and two arrays to choose from."""
    left, right = normal(2)(size)
    return [left > right, left, right]


def whole(size):
    """One array of random int64, nearly all of them different."""
    return [np.random.default_rng(1).integers(-(2**62), 2**62, size)]


def places(size):
    """A sorted array and as many queries."""
    values, queries = normal(2)(size)
    return [np.sort(values), queries]


def tensor_and_last_axes(n_axes):
    """A maker of an array and one of `n_axes` axes as long as its last."""

    def make(size):
        return [*normal(1)(size), *normal(1)(size[-1:] * n_axes)]

    return make


def system(size):
    """A stack of well-conditioned matrices and of right sides."""
    matrices, sides = normal(2, "float64")(size)
    return [matrices + size[-1] * np.eye(size[-1]), sides]


def einsum(subscripts, size=(1000, 1000), inputs=None):
    """An Einstein sum of arrays of one size, or of `inputs`."""
    make = inputs or normal(subscripts.count(",") + 1)
    return Work(f"einsum {subscripts}", make, lambda lib, *arrays: lib.einsum(subscripts, *arrays), (size,))


def masked(size):
    """An array and a mask that holds for half of it, in no order."""
    [x] = normal(1)(size)
    return [x, np.random.default_rng(2).random(size) < 0.5]


def indexed(size):
    """An array, and for each of its axes as many random indices as it has elements."""
    [x] = normal(1)(size)
    random = np.random.default_rng(2)
    return [x, *(random.integers(0, n, x.size) for n in x.shape)]


def fill(x, mask):
    x[mask] = 1.0


MATRICES = ((1000, 100), (100_000, 100))
MILLION = (1_000_000,)
SQUARES = ((500, 500), (1000, 8, 8))

WORK = (
    Work("add", normal(2), lambda lib, a, b: lib.add(a, b)),
    Work("multiply", normal(2), lambda lib, a, b: lib.multiply(a, b)),
    Work("exp", normal(1), lambda lib, a: lib.exp(a)),
    Work("tanh", normal(1), lambda lib, a: lib.tanh(a)),
    Work("sqrt", lambda size: [abs(a) for a in normal(1)(size)], lambda lib, a: lib.sqrt(a)),
    Work("where", choice, lambda lib, condition, a, b: lib.where(condition, a, b)),
    Work("sum", normal(1), lambda lib, a: lib.sum(a, None)),
    Work("sum, axis 0", normal(1), lambda lib, a: lib.sum(a, 0), MATRICES),
    Work("max, axis -1", normal(1), lambda lib, a: lib.max(a, -1), MATRICES),
    Work("argmax", normal(1), lambda lib, a: lib.argmax(a)),
    Work("matmul", normal(2), lambda lib, a, b: a @ b, ((512, 512),)),
    Work("transpose copy", normal(1), lambda lib, a: lib.contiguous(a.T), ((320, 320), (1000, 1000), (3200, 3200))),
    Work("cumulative_sum", normal(1), lambda lib, a: lib.cumulative_sum(a, 0), (10, *MILLION)),
    Work("cumulative_sum, axis 0", normal(1), lambda lib, a: lib.cumulative_sum(a, 0), ((1000, 1000),)),
    Work("concat", normal(2), lambda lib, a, b: lib.concat((a, b), 0), (10, *MILLION)),
    Work("concat, axis 1", normal(2), lambda lib, a, b: lib.concat((a, b), 1), ((1000, 500),)),
    Work("stack, axis -1", normal(2), lambda lib, a, b: lib.stack((a, b), -1), MILLION),
    Work("repeat", normal(1), lambda lib, a: lib.repeat(a, 3), MILLION),
    Work("roll", normal(1), lambda lib, a: lib.roll(a, 1234), MILLION),
    Work("cast float64 to float32", normal(1, "float64"), lambda lib, a: lib.cast(a, "float32")),
    Work("sort float32", normal(1), lambda lib, a: lib.sort(a), MILLION),
    Work("sort float64", normal(1, "float64"), lambda lib, a: lib.sort(a), MILLION),
    Work("sort int64", whole, lambda lib, a: lib.sort(a), MILLION),
    Work("argsort float32", normal(1), lambda lib, a: lib.argsort(a), MILLION),
    Work("argsort int64", whole, lambda lib, a: lib.argsort(a), MILLION),
    Work("unique float32", normal(1), lambda lib, a: lib.unique(a), MILLION),
    Work("unique int64", whole, lambda lib, a: lib.unique(a), MILLION),
    Work("searchsorted float32", places, lambda lib, a, b: lib.searchsorted(a, b), MILLION),
    einsum("ij,jk->ik"),
    einsum("bij,bjk->bik", (100, 100, 100)),
    einsum("ijk,kl->ijl", (100, 100, 100), tensor_and_last_axes(2)),
    einsum("ij,j->i", inputs=tensor_and_last_axes(1)),
    einsum("ij,ij->ij"),
    einsum("ij,ij->i"),
    einsum("ij->ji"),
    einsum("ij->i"),
    einsum("ii->i"),
    einsum("i,i->", MILLION),
    Work("solve", system, lambda lib, a, b: lib.linalg.solve(a, b), SQUARES),
    Work("svd", normal(1, "float64"), lambda lib, a: lib.linalg.svd(a), SQUARES),
    Work("take", indexed, lambda lib, a, indices: lib.take(a, indices)),
    Work("a[mask]", masked, lambda lib, a, mask: a[mask]),
    Work("a[mask] = 1", masked, lambda lib, a, mask: fill(a, mask)),
    Work("a[rows, columns]", indexed, lambda lib, a, rows, columns: a[rows, columns], MATRICES),
    TrainingStep(),
)
