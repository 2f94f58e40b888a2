"""Every public object of the packages, found by their names, and instances that stand for the classes."""

import importlib
import inspect

import nd4py as nd
from nd4py import data, nn, parallel, train
from nd4py._core.dtype import ALL_DTYPES

MODULES = (
    "nd4py", "nd4py.linalg", "nd4py.fft", "nd4py.random", "nd4py.api.memory", "nd4py.lib.stride_tricks",
    "nd4py.testing", "nd4py.nn", "nd4py.data", "nd4py.train",
    "nd4py.parallel", "nd4py.cuda",
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

for package in (nn, data, train, parallel):
    for name in package.__all__:
        found = getattr(package, name)
        if inspect.isclass(found) and not inspect.isabstract(found) and made_by(found) is not None:
            INSTANCES[f"{package.__name__}.{name}()"] = found
