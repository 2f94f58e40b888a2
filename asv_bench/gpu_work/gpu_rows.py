"""The work that `gpu_peers.py` compares: one row each, with the floor that nd4py's time is held to.

A row is `peer_work`'s, of two sizes: the one that is measured on a GPU, and a small one whose results are compared.
"""

from dataclasses import dataclass

import numpy as np
from peer_work.inputs import normal, uniform
from peer_work.work import Work


@dataclass(frozen=True)
class Floor:
    """What nd4py's time may be at most: `most` times that of `against`.

    against: "best" of the other libraries, or "copy": a copy of as many bytes as the row reads and writes
    """

    against: str
    most: float

    def __str__(self):
        return f"{self.most:.2f} of {'a copy' if self.against == 'copy' else 'the best'}"


COPY, BEST, HALF_OF_BEST = Floor("copy", 1 / 0.95), Floor("best", 1.1), Floor("best", 0.5)


@dataclass(frozen=True)
class Row:
    """Work of a large and a small size, and its floor."""

    work: Work
    floor: Floor

    @property
    def title(self):
        return f"{self.work.family}: {self.work.name}"


def row(family, name, text, inputs, sizes, dtype="float32", floor=BEST, setup=None, tolerance=None, **spell):
    """`spell`: what another library writes, None where it lacks the function."""
    return Row(Work(family, name, text, inputs, sizes, dtype, spell, setup or {}, tolerance=tolerance), floor)


CHAINS = {
    "2 cheap": "x1 * x2 + x3",
    "4 cheap": "(x1 * x2 + x3) * x1 - x2",
    "8 with tanh": "xp.tanh(((x1 * 2.0 + 1.0) * x2 - 3.0) * x1 + 0.5) * x3 - x2",
    "8 and their sum": "xp.sum(xp.tanh(((x1 * 2.0 + 1.0) * x2 - 3.0) * x1 + 0.5) * x3 - x2)",
}
FLAT = (1 << 26, 1001)
SOFTMAX = "(e := xp.exp(x - x.max(-1, keepdims=True))) / e.sum(-1, keepdims=True)"


def elementwise():
    for dtype in ("float32", "float16"):
        yield row("elementwise", f"copy {dtype}", "x.copy()", numbers("x"), FLAT, dtype, COPY, torch="x.clone()")
        yield row("elementwise", f"add {dtype}", "x1 + x2", numbers("x1 x2"), FLAT, dtype, COPY)
        yield row("elementwise", f"exp {dtype}", "xp.exp(x)", numbers("x"), FLAT, dtype, COPY)
    yield row("elementwise", "add int32", "x1 + x2", whole, FLAT, "int32", COPY)
    yield row("elementwise", "add a row", "x + r", beside_a_row, ((1 << 14, 1 << 12), (7, 9)))
    yield row("elementwise", "add transposed", "x1 + x2.T", numbers("x1 x2"), ((1 << 13, 1 << 13), (9, 9)))
    for name, text in CHAINS.items():
        floor = HALF_OF_BEST if name[0] != "2" else COPY
        yield row("chains", name, text, numbers("x1 x2 x3"), FLAT, floor=floor, tolerance=1e-3)


def reductions():
    for name, sizes in {"16,384 x 4,096": ((1 << 14, 1 << 12), (7, 9)), "long": ((8, 1 << 23), (2, 3001))}.items():
        for axis in (0, 1):
            yield row("reductions", f"sum of axis {axis}, {name}", f"xp.sum(x, axis={axis})", numbers("x"), sizes,
                      tolerance=1e-3)  # fmt: skip
        argmax = "xp.argmax(x, axis=1)"
        yield row("reductions", f"argmax, {name}", argmax, numbers("x"), sizes, torch="xp.argmax(x, dim=1)")
    yield row("reductions", "sum of all", "xp.sum(x)", numbers("x"), FLAT, tolerance=1e-3)
    for n in (128, 1 << 12):
        yield row("softmax", f"lines of {n}", "xp.softmax(x)", numbers("x"), ((FLAT[0] // n, n), (5, 33)),
                  torch="functional.softmax(x, -1)", cupy=SOFTMAX)  # fmt: skip
    running = "xp.cumulative_sum(x, axis=0)"
    others = {"torch": "xp.cumsum(x, 0)", "cupy": "xp.cumsum(x, 0)"}
    yield row(
        "scans", "sum along axis 0", running, numbers("x"), ((1 << 12, 1 << 12), (40, 9)), tolerance=1e-3, **others
    )


def products():
    sizes = ((4096, 4096), (33, 33))
    for dtype in ("float16", "bfloat16", "float32", "float64"):
        yield row("products", f"4096 {dtype}", "x1 @ x2", numbers("x1 x2"), sizes, dtype, tolerance=6e-2)
    yield row("products", "second transposed", "x1 @ x2.T", numbers("x1 x2"), sizes, tolerance=1e-2)
    yield row("products", "batch", "x1 @ x2", numbers("x1 x2"), ((512, 256, 256), (3, 9, 9)), tolerance=1e-2)
    yield row("products", "thin", "x1 @ x2", thin, ((1 << 20, 32), (50, 32)), tolerance=1e-2)
    yield row("products", "matrix and vector", "x1 @ x2", beside_a_vector, ((1 << 13, 1 << 13), (9, 7)), tolerance=1e-2)


def convolutions():
    """Of 3 x 3, without the border's loss."""
    sizes = ((64, 64, 56, 56), (2, 3, 6, 6))
    functional = "functional.conv2d(x, w, padding=1)"
    yield row("convolution", "forward", "xp.conv2d(x, w, padding=1)", images, sizes, tolerance=1e-2,
              torch=functional, cupy=None)  # fmt: skip
    yield row(
        "convolution", "forward and backward", "xp.vjp(lambda x, w: xp.conv2d(x, w, padding=1), x, w)[1](x)", images,
        sizes, tolerance=1e-2, torch=f"torch.autograd.grad({functional}, (x, w), x.detach())", cupy=None,
        setup={"torch": "x.requires_grad_(), w.requires_grad_()"},
    )  # fmt: skip


def moving():
    long = (1 << 24, 1003)
    yield row("moving", "sort", "xp.sort(x)", unequal, long, torch="xp.sort(x)[0]")
    yield row("moving", "argsort", "xp.argsort(x, stable=True)", different, long, cupy="xp.argsort(x)")
    yield row("moving", "take rows", "xp.take(x, i, axis=0)", indexed, ((1 << 18, 256), (20, 3)),
              torch="xp.index_select(x, 0, i)")  # fmt: skip
    yield row("moving", "mask", "x[m]", masked, FLAT)
    host = dict.fromkeys(("nd4py", "torch", "cupy"), "host = np.ones(x.shape, 'float32')")
    yield row("moving", "to the device", "xp.asarray(host, device=device)", numbers("x"), FLAT, setup=host,
              torch="xp.from_numpy(host).to(device)", cupy="xp.asarray(host)")  # fmt: skip
    yield row("moving", "to the host", "x.to_device('cpu')", numbers("x"), FLAT, torch="x.cpu()", cupy="xp.asnumpy(x)")


def networks():
    """A training step of LeNet; what it returns is not compared."""
    steps = {
        "nd4py": "import lenet_step\nstep = lenet_step.nd4py_step(64)",
        "torch": "import lenet_step\nstep = lenet_step.torch_step(64, device=device)",
    }
    yield row(
        "networks", "LeNet step, batch of 64", "(step(), x)[1]", numbers("x"), ((1,), (1,)), setup=steps, cupy=None
    )


def rows():
    """All of them, a copy first: it says how fast memory is."""
    for family in (elementwise, reductions, products, convolutions, moving, networks):
        yield from family()


# Inputs.


def numbers(names, *shapes):
    """A maker of arrays between -2 and 2: of the row's size, or of `shapes`."""

    def make(size):
        listed = names.split()
        of_each = zip(listed, shapes or [size] * len(listed), strict=True)
        return {name: uniform(-2, 2, shape, seed) for seed, (name, shape) in enumerate(of_each)}

    return make


def unequal(size):
    """Numbers of which hardly two are equal."""
    return {"x": normal(size)}


def whole(size):
    random = np.random.default_rng(1)
    return {name: random.integers(-(2**20), 2**20, size, dtype=np.int32) for name in ("x1", "x2")}


def different(size):
    """Numbers no two of which are equal, so that every sort has one result."""
    return {"x": np.random.default_rng(1).permutation(size).astype(np.float32)}


def beside_a_row(size):
    return numbers("x r", size, size[1:])(size)


def beside_a_vector(size):
    return numbers("x1 x2", size, size[1:])(size)


def thin(size):
    return numbers("x1 x2", size, (size[1], size[1]))(size)


def images(size):
    return numbers("x w", size, (size[1], size[1], 3, 3))(size)


def indexed(size):
    return numbers("x")(size) | {"i": np.random.default_rng(2).integers(0, size[0], size[0])}


def masked(size):
    return numbers("x")(size) | {"m": np.random.default_rng(2).random(size) < 0.5}
