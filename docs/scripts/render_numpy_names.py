"""Write docs/migration/numpy-names.md, a table of NumPy's public names: `python docs/scripts/render_numpy_names.py`.

Which names there are is asked of NumPy and nd4py; what differs stands here, and why a name is left
out in nd4py/api/absent_names.py.
"""

import sys
from pathlib import Path

DOCS = Path(__file__).parents[1]
sys.path.insert(0, str(DOCS.parent))

import numpy  # noqa: E402

import nd4py as nd  # noqa: E402
from nd4py.api.absent_names import instead  # noqa: E402

TARGET = DOCS / "migration" / "numpy-names.md"
SPACES = {"": "numpy", "linalg": "numpy.linalg", "fft": "numpy.fft", "random": "numpy.random"}
HEAD = """# Names of NumPy

All public names of NumPy {version}, and what nd4py has for them. This page is made by
`docs/scripts/render_numpy_names.py`. Arguments have NumPy's names and order;
`tests/api/interop/test_numpy_signatures.py` compares them and lists the exceptions. What holds for
all functions is in [nd4py for NumPy users](numpy-users.md): elements and sums are arrays, differences of
bools and conversions that lose information are errors.
"""
# Names that both have and that mean something else, or do less.
DIFFERS = {
    "argpartition": "the order is that of `argsort`, which is one of those allowed",
    "array_equal": "the result is an array",
    "allclose": "the result is an array",
    "bool": "Python's name for the dtype",
    "broadcast": "elements are arrays without axes",
    "can_cast": "promotion is nd4py's: uint64 and int64 have no common dtype",
    "divmod": "the pair has names, `quotient` and `remainder`",
    "errstate": "kept for NumPy's functions; nd4py never warns, `nd.set_panic` raises",
    "finfo": "`eps` and the like are Python's numbers",
    "frexp": "the pair has names, `mantissa` and `exponent`",
    "fromregex": "gives a dict of arrays, one for each group",
    "fromstring": "text alone",
    "genfromtxt": "numbers alone, no records",
    "geomspace": "ends of different signs are an error, not NaN",
    "geterr": "kept for NumPy's functions; nd4py never warns, `nd.set_panic` raises",
    "load": "gives a dict for .npz, with NumPy's `files`; nothing is unpickled; reads .safetensors too",
    "loadtxt": "numbers alone, no records",
    "memmap": "a function that gives an array",
    "ndarray": "programs derive classes from it; elements are arrays without axes",
    "modf": "the pair has names, `fractional` and `integral`",
    "polynomial": "NumPy's own classes, which take nd4py's arrays and give NumPy's",
    "partition": "the order is that of `sort`, which is one of those allowed",
    "save": "writes .safetensors too; nothing is pickled",
    "seterr": "kept for NumPy's functions; nd4py never warns, `nd.set_panic` raises",
    "testing": "the assertions alone",
    "lib": "`stride_tricks` and `scimath` alone",
    "info": "the text is nd4py's",
    "linalg.eig": "complex always, as the array API has it: take `.real` where all are real",
    "linalg.eigvals": "complex always, as the array API has it: take `.real` where all are real",
    "random.Generator": "other numbers: Philox 4x32-10",
    "random.default_rng": "other numbers: Philox 4x32-10",
    "random.seed": "sets the generator that the process shares",
    "random.get_state": "a small dict",
    "random.set_state": "a small dict",
}
# Why names are left out, beside what their error says.
LEFT_OUT = {
    **{
        f"random.{name}": "`nd.random.Generator`, or NumPy's generators with `nd.asarray`"
        for name in ("BitGenerator", "MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64", "SeedSequence")
    },
}
ABSENT = "not in nd4py: NumPy's function takes its arrays"


def row(space, name):
    """The line of a name: what nd4py has for it."""
    full = f"{space}.{name}".lstrip(".")
    ours = getattr(nd, space) if space else nd
    if hasattr(ours, name):
        how = DIFFERS.get(full)
        return f"| `{full}` | {'differs' if how else 'same'} | {how or ''} |"
    reason = LEFT_OUT.get(full) or instead().get(full, ABSENT).replace("_", "\\_")
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
