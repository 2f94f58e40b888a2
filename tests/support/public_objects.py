"""Every public object of the packages, found by their names, their examples, and instances of the classes."""

import ast
import doctest
import gc
import importlib
import inspect
import re
from functools import cache
from pathlib import Path

import nd4py as nd
from nd4py import data, keras, nn, onnx, parallel, serve, sklearn, torch, train, zoo
from nd4py._core.dtype import ALL_DTYPES

MODULES = (
    "nd4py", "nd4py.linalg", "nd4py.fft", "nd4py.random", "nd4py.api.memory", "nd4py.lib.stride_tricks",
    "nd4py.emath",
    "nd4py.testing", "nd4py.nn", "nd4py.data", "nd4py.train", "nd4py.serve",
    "nd4py.parallel", "nd4py.zoo", "nd4py.sklearn", "nd4py.onnx", "nd4py.keras", "nd4py.torch", "nd4py.cuda",
    "nd4py.cuda.memory",
)  # fmt: skip


def public_objects():
    """(name, object) of all that the packages offer."""
    for name in MODULES:
        module = importlib.import_module(name)
        yield name, module
        for each in getattr(module, "__all__", None) or [each for each in dir(module) if not each.startswith("_")]:
            yield f"{name}.{each}", getattr(module, each)


def network():
    """A small network with parameters."""
    return nn.MultiLayerNetwork([nn.DenseLayer(3), nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))


def dataset():
    """A few examples."""
    return data.DataSet(nd.ones((6, 4)), nd.ones((6, 2)))


def evaluation():
    """An evaluation that has seen something."""
    result = nn.Evaluation()
    result.eval(nd.asarray([[1.0, 0.0], [0.0, 1.0]]), nd.asarray([[0.9, 0.1], [0.2, 0.8]]))
    return result


OPENED = []


def attached():
    """An array of a workspace that is open until `close_scopes`."""
    OPENED.append(nd.workspace("public objects"))
    OPENED[-1].__enter__()
    return nd.ones(3)


def close_scopes():
    """Leave the scopes that `attached` opened."""
    while OPENED:
        OPENED.pop().__exit__(None, None, None)


def released():
    """An array that was closed."""
    x = nd.ones(3)
    x.close()
    return x


def made_by(cls):
    """An instance of a class that needs no arguments, or None."""
    try:
        return cls()
    except Exception:
        return None


ARRAYS = {
    **{f"{dtype}": (lambda dtype=dtype: nd.ones((2, 3), dtype=dtype)) for dtype in ALL_DTYPES},
    **{f"{n} axes": (lambda n=n: nd.ones((2,) * n)) for n in range(5)},
    "32 axes": lambda: nd.ones((1,) * 32),
    "no elements": lambda: nd.ones((3, 0)),
    "deferred": lambda: nd.ones(1_000_000) * 2 + 1,
    "a view": lambda: nd.ones((4, 4))[::2, 1],
    "read-only": lambda: nd.broadcast_to(nd.ones(3), (2, 3)),
    "attached": attached,
}

INSTANCES = {
    **{f"array, {name}": make for name, make in ARRAYS.items()},
    **{f"dtype {dtype}": (lambda dtype=dtype: dtype) for dtype in ALL_DTYPES},
    **{f"finfo {name}": (lambda name=name: nd.finfo(name)) for name in ("float16", "bfloat16", "float32", "complex64")},
    **{f"iinfo {name}": (lambda name=name: nd.iinfo(name)) for name in ("int8", "uint64")},
    "namespace info": nd.__array_namespace_info__,
    "workspace": lambda: nd.workspace("public objects"),
    "workspace configuration": nd.WorkspaceConfiguration,
    "workspace manager": lambda: nd.workspace_manager,
    "generator": lambda: nd.random.Generator(3),
    "combine statistics": nd.combine_statistics,
    "threads": lambda: nd.threads(1),
    "network configuration": lambda: network().configuration,
    "network": network,
    "data set": dataset,
    "evaluation": evaluation,
    "slogdet": lambda: nd.linalg.slogdet(nd.eye(2)),
    "unique": lambda: nd.unique_all(nd.ones(3)),
}

for package in (nn, data, train, parallel, serve, sklearn, zoo, onnx, keras, torch):
    for name in package.__all__:
        found = getattr(package, name)
        if inspect.isclass(found) and not inspect.isabstract(found) and made_by(found) is not None:
            INSTANCES[f"{package.__name__}.{name}()"] = found


# Examples: those in docstrings, and the programs on the pages of the reference.

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
NAMES = {
    "nd": nd,
    "data": data,
    "nn": nn,
    "parallel": parallel,
    "serve": serve,
    "train": train,
    "zoo": zoo,
}  # what every example may use
PROGRAM = re.compile(r"^```python( device)?\n(.*?)^```$", re.M | re.S)


def programs(text, *, device=False):
    """The programs on a page; those with the word `device` behind their language need a device."""
    return [program for mark, program in PROGRAM.findall(text) if bool(mark) is device]


def device_programs():
    """The programs of the reference that need a device."""
    pages = sorted(REFERENCE.glob("*.md"))
    return [program for page in pages for program in programs(page.read_text(encoding="utf-8"), device=True)]


@cache
def page_names():
    """The public names that programs of the reference use, `nd4py.memory.trim` where they say `nd.memory.trim`."""
    text = "".join(page.read_text(encoding="utf-8") for page in sorted(REFERENCE.glob("*.md")))
    found = set()
    for program in (*programs(text), *programs(text, device=True)):
        used = {ast.unparse(node) for node in ast.walk(ast.parse(program)) if isinstance(node, ast.Attribute)}
        for first, _, rest in (name.partition(".") for name in used):
            if first in NAMES:
                found.add(f"{NAMES[first].__name__}.{rest}")
    return frozenset(found)


def is_shown(name, found, shown):
    """Whether a public object has an example; a module is shown by what it offers."""
    in_docstring = callable(found) and ">>>" in (inspect.getdoc(found) or "")
    return inspect.ismodule(found) or in_docstring or name in shown


def methods_of(cls):
    """(name, method) of all public methods of a class, those that it has from others too."""
    for name in dir(cls):
        if not name.startswith("_") and callable(getattr(cls, name)):
            yield f"{cls.__module__}.{cls.__name__}.{name}", getattr(cls, name)


def failures(objects, names=NAMES):
    """How many examples in the docstrings of (name, object), and of their methods, do not give what they show.

    names: what the examples may use
    """
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(verbose=False)
    for name, found in objects:
        is_documented = isinstance(found, type) or callable(found)
        for test in finder.find(found, name, module=False, globs=names) if is_documented else ():
            runner.run(test)
            gc.collect() if name.startswith("nd4py.cuda") else None  # devices must be free at the end
    nd.workspace_manager.destroy_all_workspaces_for_current_thread()
    return runner.failures
