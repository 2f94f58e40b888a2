"""Write docs/numpy-names.md, a table of NumPy's public names: `python docs/render_numpy_names.py`.

Which names there are is asked of NumPy and nd4py; what differs, and why a name is left out, stands here.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import numpy  # noqa: E402

import nd4py as nd  # noqa: E402

TARGET = HERE / "numpy-names.md"
SPACES = {"": "numpy", "linalg": "numpy.linalg", "fft": "numpy.fft", "random": "numpy.random"}
HEAD = """# Names of NumPy

All public names of NumPy {version}, and what nd4py has for them. This page is made by `docs/render_numpy_names.py`.
Arguments have NumPy's names and order; `tests/api/interop/test_numpy_signatures.py` compares them and lists the
exceptions. What holds for all functions is in [nd4py for NumPy users](numpy-users.md): elements and sums are arrays,
bools are no numbers, and conversions that lose information are errors.
"""
# Names that both have and that mean something else, or do less.
DIFFERS = {
    "argpartition": "the order is that of `argsort`, which is one of those allowed",
    "array_equal": "the result is an array",
    "allclose": "the result is an array",
    "asanyarray": "the same as `asarray`: there are no subclasses",
    "bool": "Python's name for the dtype",
    "broadcast": "elements are arrays without axes",
    "can_cast": "promotion is nd4py's: uint64 and int64 have no common dtype",
    "errstate": "kept for NumPy's functions; nd4py never warns",
    "fromstring": "text alone",
    "genfromtxt": "numbers alone, no records",
    "geterr": "kept for NumPy's functions; nd4py never warns",
    "load": "gives a dict for .npz; nothing is unpickled; reads .safetensors too",
    "loadtxt": "numbers alone, no records",
    "memmap": "a function that gives an array",
    "nditer": "elements are read only, in C order",
    "partition": "the order is that of `sort`, which is one of those allowed",
    "quantile": "no `weights=`",
    "percentile": "no `weights=`",
    "round": "to whole numbers",
    "save": "writes .safetensors too; nothing is pickled",
    "seterr": "kept for NumPy's functions; nd4py never warns",
    "testing": "the assertions alone",
    "lib": "`stride_tricks` alone",
    "vectorize": "no `signature=`",
    "random.Generator": "other numbers: Philox 4x32-10",
    "random.default_rng": "other numbers: Philox 4x32-10",
    "random.seed": "sets the generator that the process shares",
    "random.get_state": "a small dict",
    "random.set_state": "a small dict",
}
NUMBERS = "arrays hold numbers alone"
LEFT_OUT = {
    **dict.fromkeys(("asmatrix", "bmat", "matrix"), "use arrays of two axes and `@`"),
    **dict.fromkeys(
        ("busday_count", "busday_offset", "busdaycalendar", "is_busday", "datetime64", "datetime_as_string",
        "datetime_data",
         "timedelta64", "isnat"),
        f"{NUMBERS}; keep dates in NumPy's or pandas' arrays",
    ),
    **dict.fromkeys(("bytes_", "char", "character", "str_",
    "strings"), f"{NUMBERS}; keep text in lists, or in NumPy's arrays"),
    **dict.fromkeys(("object_", "flexible", "void",
    "frompyfunc"), f"{NUMBERS}; for a function of Python use `vectorize`"),
    **dict.fromkeys(("rec", "recarray", "record", "fromregex"), "use a dict of arrays, one for each field"),
    **dict.fromkeys(("clongdouble", "complex256", "float128", "longdouble"), "use float64 and complex128"),
    **dict.fromkeys(("core", "f2py", "ctypeslib", "get_include", "test", "typing", "exceptions",
    "dtypes"), "about NumPy itself"),
    **dict.fromkeys(("getbufsize", "setbufsize"), "there is no such buffer"),
    "ma": "use NaN and `nd.nansum` and its like, or a mask with `nd.where`",
    "ndarray": "`nd.NDArray`",
    "ufunc": "elementwise functions are functions",
    "polynomial": "use `numpy.polynomial`, whose functions take nd4py's arrays",
    "nested_iters": "use operations with `axis`",
    "show_runtime": "`nd.show_config`",
    "info": "`help`",
    "little_endian": "`sys.byteorder`",
    "emath": "convert to complex numbers first",
    **{
        f"random.{name}": "`nd.random.Generator`, or NumPy's generators with `nd.asarray`"
        for name in ("BitGenerator", "MT19937", "PCG64", "PCG64DXSM", "Philox", "RandomState", "SFC64", "SeedSequence")
    },
}  # fmt: skip
ABSENT = "not in nd4py: NumPy's function takes its arrays"


def row(space, name):
    """The line of a name: what nd4py has for it."""
    full = f"{space}.{name}".lstrip(".")
    ours = getattr(nd, space) if space else nd
    if hasattr(ours, name):
        how = DIFFERS.get(full)
        return f"| `{full}` | {'differs' if how else 'same'} | {how or ''} |"
    reason = LEFT_OUT.get(full, LEFT_OUT.get(name, ABSENT))
    return f"| `{full}` | left out | {reason} |"


def names(space):
    """NumPy's public names in a module that are no warnings' and no tests' own."""
    module = getattr(numpy, space) if space else numpy
    return sorted({name for name in module.__all__ if not name.startswith("_")}, key=str.lower)


def page():
    """The text of the page."""
    parts = [HEAD.format(version=".".join(numpy.__version__.split(".")[:2]))]
    for space, title in SPACES.items():
        rows = [row(space, name) for name in names(space)]
        kinds = [line.split(" | ")[1] for line in rows]
        counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in ("same", "differs", "left out") if kind in kinds)
        parts.append(f"## `{title}`\n\n{counts}.\n\n| NumPy | nd4py | |\n|---|---|---|\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")
