"""Operands that are no straight line of memory: transposed, broadcast, strided, reversed; copies between layouts."""

from .inputs import normals
from .work import Work

SQUARE = (3200, 3200)
FLAT = (100_000, 10_000_000)


def shaped(*shapes):
    """A maker of the operands x1 and x2."""
    return normals("x1 x2", *shapes)


def with_numexpr(text, **views):
    """numexpr's text: it takes views as operands of their own."""
    operands = ", ".join(f'"{name}": {view}' for name, view in views.items())
    return f'evaluate("{text}", {{{operands}}})'


def by_rows(line):
    """Numba's text: its parallel loops do not broadcast columns."""
    return f"n = {SQUARE[0]}\ny = np.empty((n, n), x1.dtype)\nfor i in prange(n):\n    y[i] = {line}\nreturn y"


def row(name, text, inputs, sizes, dtype="float32", **spell):
    return Work("layouts", f"{name} {dtype}", text, inputs, sizes, dtype, spell, is_core=dtype == "float32")


def contiguous(view, name, inputs, sizes, **spell):
    """A copy of a view in C order."""
    texts = {
        "nd4py": f"xp.ascontiguous({view})",
        "torch": f"{view}.contiguous()",
        "numexpr": None,
        "jax": f"{view}.copy()",
    }
    return Work("layouts", name, f"xp.ascontiguousarray({view})", inputs, sizes, spell=texts | spell, is_core=True)


def rows():
    n = SQUARE[0]
    for dtype in ("float32", "float64"):
        yield row("A + B.T", "x1 + x2.T", shaped(SQUARE, SQUARE), (SQUARE,), dtype,
                  numexpr=with_numexpr("x1 + x2", x1="x1", x2="x2.T"))  # fmt: skip
        yield row("A.T + B.T", "x1.T + x2.T", shaped(SQUARE, SQUARE), (SQUARE,), dtype,
                  numexpr=with_numexpr("x1 + x2", x1="x1.T", x2="x2.T"))  # fmt: skip
        yield row("A + row", "x1 + x2", shaped(SQUARE, (n,)), (SQUARE,), dtype)
        yield row("A + column", "x1 + x2", shaped(SQUARE, (n, 1)), (SQUARE,), dtype, numba=by_rows("x1[i] + x2[i, 0]"))
        yield row("a + 1.5", "x + 1.5", normals("x"), FLAT, dtype,
                  numexpr=with_numexpr("x + c", x="x", c=f"np.{dtype}(1.5)"))  # fmt: skip
        yield row("outer", "x1[:, None] * x2", shaped((n,), (n,)), (SQUARE,), dtype,
                  numexpr=with_numexpr("x1 * x2", x1="x1[:, None]", x2="x2"), numba=by_rows("x1[i] * x2"))  # fmt: skip
        yield row("a[::2] + b[::2]", "x1[::2] + x2[::2]", normals("x1 x2"), (200_000, 20_000_000), dtype,
                  numexpr=with_numexpr("x1 + x2", x1="x1[::2]", x2="x2[::2]"))  # fmt: skip
        yield row("a[::-1] + b", "x1[::-1] + x2", normals("x1 x2"), FLAT, dtype,
                  numexpr=with_numexpr("x1 + x2", x1="x1[::-1]", x2="x2"),
                  torch="xp.flip(x1, (0,)) + x2")  # fmt: skip
    yield contiguous("x.T", "transpose copy", normals("x"), ((320, 320), (1000, 1000), (3200, 3200)))
    yield contiguous(
        "xp.transpose(x, (0, 3, 1, 2))", "NHWC to NCHW copy", normals("x"), ((32, 56, 56, 64),),
        nd4py="xp.ascontiguous(xp.permute_dims(x, (0, 3, 1, 2)))", torch="x.permute(0, 3, 1, 2).contiguous()",
    )  # fmt: skip
