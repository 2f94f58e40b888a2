"""Faults that are planted one at a time, each of which the fuzzer has to find: `python -m tests.fuzz --planted`.

Most are planted while the library runs, by lines that a child runs before its programs.  Where the fault lies in
compiled code, one module of a copy of the package is built anew with a changed line.
"""

import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from .run import MODES, SEEDS_OF_A_CHILD, TESTS, Judge, batch, shorten
from .script import plain

ROOT = TESTS.parent
# Written into the namespace, so that programs meet it, and so does the model, which has NumPy to contradict it.
WRAP = """
import functools, weakref
import nd4py as nd
from nd4py._core.upcalls import fill
from nd4py._exec.indexing.assignment import assign
def wrap(*names):
    def decorate(wrapper):
        for name in names:
            original = getattr(nd, name)
            setattr(nd, name, functools.partial(wrapper, original))
    return decorate
def is_cut(x, *others):
    return all(isinstance(y, nd.NDArray) and y.shape == x.shape for y in others) and x.ndim and x.shape[0] > 1
"""


@dataclass(frozen=True)
class Plant:
    """A fault.

    setup: lines that plant it in a process; "" = none.
    path, before, after: the module that is built anew, and the change in it.
    """

    name: str
    setup: str = ""
    path: str = ""
    before: str = ""
    after: str = ""


PLANTS = (
    Plant("an assignment overwrites what it still has to read", """
def broken(target, view, value):
    if isinstance(value, nd.NDArray) and is_cut(view, value):
        n = view.shape[0] // 2
        for part in (slice(None, n), slice(n, None)):
            assign(target, view[part], value[part])
    else:
        assign(target, view, value)
fill(assign=broken)
"""),
    Plant("out= overwrites what it still has to read", """
@wrap("add", "subtract", "multiply", "maximum", "negative", "square")
def broken(original, *operands, out=None):
    if isinstance(out, nd.NDArray) and is_cut(out, *operands):
        n = out.shape[0] // 2
        for part in (slice(None, n), slice(n, None)):
            original(*(x[part] for x in operands), out=out[part])
        return out
    return original(*operands, out=out)
"""),
    Plant("an assignment to integer indices overwrites what it still has to read", """
import nd4py._exec.indexing.host_indexing as indexing
indexing.apart = lambda values, target: values
"""),
    Plant("what waits for values reads them after they were written over", path="nd4py/_exec/copying.pyx",
          before="    return prepare_write(array)\n", after="    return 0\n"),
    Plant("an array of a scope that ended can be read", path="nd4py/_core/array/released.pyx",
          before="    x.attachment = NULL\n    nd_become(array, ReleasedArray)\n", after="    x.attachment = NULL\n"),
    Plant("a block is used again while NumPy looks at it", path="nd4py/_core/array/released.pyx",
          before="    return x.n_exports > 0 or (", after="    return ("),
    Plant("a block is used again while a kernel runs on it", path="nd4py/_core/array/released.pyx",
          before=" or (not x.is_view and is_held(x.data, x.data + x.block_bytes))\n", after="\n"),
    Plant("a read-only array is written", path="nd4py/_exec/copying.pyx",
          before="    if array.readonly:\n", after="    if False:\n"),
    Plant("an error of one array is raised for others", """
errors = []
@wrap("add", "sum", "astype")
def broken(original, *operands, **keywords):
    try:
        result = original(*operands, **keywords)
    except Exception as error:
        errors[:] = [(weakref.ref(operands[0]), error)] if isinstance(operands[0], nd.NDArray) else []
        raise
    errors.clear()
    return result
@wrap("flush", "synchronize")
def raising(original):
    if errors and errors[0][0]() is not None:
        raise errors.pop()[1]
    original()
"""),
    Plant("a sum along the wrong axis of what is transposed", """
@wrap("sum")
def broken(original, x, *, axis=None, **keywords):
    turned = isinstance(x, nd.NDArray) and x.ndim == 2 and x.strides[0] < x.strides[1]
    return original(x, axis=1 - axis if turned and axis in (0, 1) else axis, **keywords)
"""),
    Plant("max passes over NaN that are not first", """
@wrap("max")
def broken(original, x, **keywords):
    if isinstance(x, nd.NDArray) and x.dtype in ("float32", "float64"):
        return nd.nanmax(x, **keywords)
    return original(x, **keywords)
"""),
    Plant("a Python scalar widens float32", """
@wrap("multiply", "add")
def broken(original, x, y, **keywords):
    if isinstance(y, float) and x.dtype == "float32" and not keywords:
        x = x.astype("float64")
    return original(x, y, **keywords)
"""),
    Plant("a gradient is dropped", """
@wrap("concat")
def broken(original, arrays, /, **keywords):
    return original((nd.stop_gradient(arrays[0]), *arrays[1:]), **keywords)
"""),
    Plant("ties of max get the whole gradient each", """
@wrap("max")
def broken(original, x, **keywords):
    if not isinstance(x, nd.NDArray) or x.dtype != "float64" or x.ndim != 1 or keywords:
        return original(x, **keywords)
    still = nd.stop_gradient(x)
    y = original(still)
    return y + nd.sum(nd.where(still == y, x - still, 0.0)) if nd.isfinite(y) else y
"""),
    Plant("a result depends on the number of threads", """
usual = nd.thread_count()
@wrap("exp", "tanh", "multiply", "sqrt")
def broken(original, *operands, **keywords):
    result = original(*operands, **keywords)
    if nd.thread_count() != usual and result.dtype == "float64" and not keywords:
        return nd.nextafter(result, nd.asarray(2.0))
    return result
"""),
)  # fmt: skip


def built(plant, folder):
    """A copy of the package in `folder` with one module built anew."""
    shutil.copytree(ROOT / "nd4py", folder / "nd4py", ignore=shutil.ignore_patterns("*.c", "*.cpp", "__pycache__"))
    shutil.copytree(ROOT / "kernels", folder / "kernels")
    path = folder / plant.path
    text = path.read_text()
    if text.count(plant.before) != 1:
        raise SystemExit(f"{plant.path}: the line to change is not there once: {plant.before.strip()}")
    path.write_text(text.replace(plant.before, plant.after))
    cython = [sys.executable, "-m", "cython", "--cplus", "-3", "-X", "boundscheck=False", "-X", "wraparound=False",
              "-X", "initializedcheck=False", "-X", "cdivision=True", plant.path]  # fmt: skip
    subprocess.run(cython, cwd=folder, check=True)
    target = path.with_suffix("").with_name(path.stem + sysconfig.get_config_var("EXT_SUFFIX"))
    includes = [
        f"-I{sysconfig.get_path('include')}",
        *(f"-iquote{path}" for path in sorted({path.parent for path in folder.rglob("*.h")})),
    ]
    compiler = ["g++", "-O1", "-g0", "-std=c++17", "-fPIC", "-shared", "-fopenmp", "-fvisibility=hidden", *includes]
    subprocess.run([*compiler, str(path.with_suffix(".cpp")), "-o", str(target)], cwd=folder, check=True)


def fails_anyway(fault):
    """Whether the program fails where nothing was planted."""
    judge = Judge(fault.mode, fault.message)
    try:
        return judge(fault.steps)
    finally:
        judge.close()


def search(plant, seed, seconds):
    """(seconds it took, the fault with its shortest program), or (seconds, None)."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        setup = WRAP + plant.setup
        if plant.path:
            built(plant, folder)
            setup = f"sys.path.insert(0, {name!r})\n{setup}"
        begin = time.monotonic()
        turn = 0
        while (left := begin + seconds - time.monotonic()) > 0:
            mode = MODES[turn % len(MODES)]
            _, _, fault = batch(seed + turn * SEEDS_OF_A_CHILD, min(left, 15), [], mode, setup)
            turn += 1
            if fault is not None:
                took = time.monotonic() - begin
                fault = shorten(fault, setup=setup)
                if fault.steps and not fails_anyway(fault):
                    return took, fault
                print(f"a fault that was not planted: {fault.message}\n{plain(fault.steps)}", flush=True)
        return seconds, None


def main(seed, seconds=120.0, only=""):
    """Plant each in turn; returns the number of those that were not found."""
    n_missed = 0
    for plant in PLANTS:
        if only not in plant.name:
            continue
        took, fault = search(plant, seed, seconds)
        n_missed += fault is None
        if fault is None:
            print(f"NOT FOUND in {took:.0f} s: {plant.name}", flush=True)
        else:
            print(f"found in {took:.1f} s, {len(fault.steps)} steps: {plant.name}")
            print(
                f"{plain(fault.steps)}\n  => {fault.message if not fault.steps else fault.message.splitlines()[0]}",
                flush=True,
            )
    print(f"{n_missed} of {len(PLANTS)} not found; seed {seed}")
    return n_missed
