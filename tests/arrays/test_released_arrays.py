"""No use of an array whose scope has ended goes unnoticed: WorkspaceError, whatever is asked of it."""

import copy
import gc
import inspect
import json
import math
import operator
import pickle
import re

import numpy as np
import pytest

import nd4py as nd

SPACES = {"": nd, "linalg.": nd.linalg, "fft.": nd.fft, "random.": nd.random}
# Functions that take no arrays, and classes.
WITHOUT_ARRAYS = {
    *("__array_namespace_info__", "config", "show_config", "thread_count", "threads", "scope_out_of_workspaces"),
    "info",  # of anything, such as lists of what no longer is an array
    *(
        "workspace",
        "helpers",
        "random.seed",
        "combine",
        "combine_statistics",
        "panic",
        "profile",
        "flush",
        "synchronize",
    ),
    *("get_printoptions", "printoptions", "geterr", "geterrcall"),
    # They make functions, some of which are tried below.
    *("checkpoint", "custom_gradient", "grad", "hessian", "jacobian", "value_and_grad", "vmap"),
    *("isscalar", "iterable", "random.shuffle"),  # any object has an answer, and any list is shuffled
}
# What any object answers, and what tells that an array was released.
ANSWERED = {
    *("__array_priority__", "__class__", "__doc__", "__getattribute__", "__hash__", "__init__", "__init_subclass__"),
    *("__new__", "__subclasshook__", "__sizeof__", "__dir__", "__setattr__", "__delattr__"),
    *("is_attached", "is_in_scope", "closeable", "close"),
}


def make_stale(shape=(3, 3), dtype="float64"):
    with nd.workspace("stale"):
        return nd.ones(shape, dtype=dtype)


def functions_of_arrays():
    for prefix, space in SPACES.items():
        for name in space.__all__:
            function = getattr(space, name)
            if callable(function) and not inspect.isclass(function) and prefix + name not in WITHOUT_ARRAYS:
                yield pytest.param(function, id=prefix + name)


def keywords_of(function):
    """A value for each keyword that must be given."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        return {}
    missing = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.default is p.empty]
    return {name: "float64" if name == "dtype" else 0.5 for name in missing}


@pytest.mark.sampled(2)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("function", list(functions_of_arrays()))
def test_function_refuses(function, tmp_path, monkeypatch):
    """With one to four of them, or a list of them; where others are accepted the error is about the workspace."""
    monkeypatch.chdir(tmp_path)
    x = make_stale()
    keywords = keywords_of(function)
    noticed = False
    for arguments in ((x,), (x, x), (x, x, x), (x, x, x, x), ([x, x],), ("file", x), (lambda y: y, [x], x), ("ij", x)):
        try:
            function(*arguments, **keywords)
        except nd.WorkspaceError:
            noticed = True
        except Exception:
            continue
        else:
            pytest.fail(f"accepted {len(arguments)} arguments")
    if not noticed and function not in makers():
        pytest.fail("never an error about the workspace")


def makers():
    """Functions whose arguments are shapes, counts or names, where an array is wrong in the first place."""
    return [getattr(nd.random, name) for name in nd.random.__all__]


@pytest.mark.parametrize("name", sorted(set(dir(nd.NDArray)) - ANSWERED))
def test_attribute_refuses(name):
    x = make_stale()
    with pytest.raises(nd.WorkspaceError, match="'stale'"):
        getattr(x, name)


BINARY = [
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor", "lshift", "rshift", "matmul"),
    *("eq", "ne", "lt", "le", "gt", "ge"),
]
INPLACE = ["iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "iand", "ior", "ixor", "ilshift", "irshift"]


@pytest.mark.parametrize("name", [*BINARY, *INPLACE, "imatmul"])
@pytest.mark.parametrize(
    "partner", [nd.ones((3, 3)), 2.0, np.ones((3, 3)), None], ids=["ours", "scalar", "numpy", "stale"]
)
def test_operator_refuses(name, partner):
    function = getattr(operator, name)
    x = make_stale()
    for operands in ((x, x if partner is None else partner), (x if partner is None else partner, x)):
        with pytest.raises(nd.WorkspaceError, match="'stale'"):
            function(*operands)


USES = {
    **{name: getattr(operator, name) for name in ("neg", "pos", "abs", "invert", "index", "truth", "length_hint")},
    **{f.__name__: f for f in (len, iter, list, tuple, bool, int, float, complex, repr, str, round, bytes, sum, max)},
    **{f.__name__: f for f in (math.floor, math.sqrt, reversed, memoryview, format, sorted, vars, json.dumps, any)},
    **{f.__name__: f for f in (copy.copy, copy.deepcopy, pickle.dumps)},
    "contains": lambda x: 1.0 in x,
    "format": "{:.2f}".format,
    "getitem": lambda x: x[0],
    "getitem mask": lambda x: x[nd.ones((3, 3), dtype="bool")],
    "setitem": lambda x: operator.setitem(x, 0, 1.0),
    "delitem": lambda x: operator.delitem(x, 0),
    "as value": lambda x: operator.setitem(nd.ones((3, 3)), slice(None), x),
    "as index": lambda x: nd.ones((3, 3))[x],
    "as numpy index": lambda x: np.ones((3, 3))[x],
    "as numpy value": lambda x: operator.setitem(np.ones((3, 3)), slice(None), x),
    "setattr": lambda x: setattr(x, "node", 1),
    "delattr": lambda x: delattr(x, "node"),
    "in a list": lambda x: nd.asarray([x, x]),
    "as shape": lambda x: nd.ones((2, x)),
    "as out": lambda x: nd.exp(nd.ones((3, 3)), out=x),
    "as axis": lambda x: nd.sum(nd.ones((3, 3)), axis=x),
    "numpy.asarray": np.asarray,
    "numpy.array": np.array,
    "numpy.array of several": lambda x: np.array([x, x]),
    "numpy.from_dlpack": np.from_dlpack,
    "numpy.frombuffer": np.frombuffer,
    "numpy.sum": np.sum,
    "numpy.add": lambda x: np.add(x, 1),
    "numpy.concatenate": lambda x: np.concatenate([x, x]),
    "numpy.add to": lambda x: np.add(np.ones((3, 3)), np.ones((3, 3)), out=x),
    "ctypes": lambda x: memoryview(x).cast("B"),
    "grad": lambda x: nd.grad(lambda y: nd.sum(y))(x),
    "jacobian": lambda x: nd.jacobian(lambda y: y * y)(x),
    "hessian": lambda x: nd.hessian(lambda y: nd.sum(y * y))(x),
    "custom_gradient": lambda x: nd.custom_gradient(lambda y: (y * y, lambda g: g))(x),
    "checkpoint": lambda x: nd.checkpoint(lambda y: y * y)(x),
    "vmap": lambda x: nd.vmap(nd.sum)(x),
}


@pytest.mark.parametrize("use", list(USES.values()), ids=list(USES))
def test_use_refuses(use):
    with pytest.raises(nd.WorkspaceError, match="'stale'"):
        use(make_stale())


@pytest.mark.parametrize("dtype", ["bool", "int64", "bfloat16", "complex128"])
def test_every_dtype_refuses(dtype):
    x = make_stale(dtype=dtype)
    for use in (nd.abs, repr, np.asarray, lambda x: x.astype("float32"), lambda x: x[0, 0].item()):
        with pytest.raises(nd.WorkspaceError, match=f"array of {dtype} and shape"):
            use(x)


def test_views_and_views_of_views_refuse():
    with nd.workspace("stale"):
        x = nd.ones((4, 4), dtype="complex64")
        views = [x[1:], x.T, x[1:].T[::2], x.reshape(-1), x.real, x.imag[0], nd.broadcast_to(x, (2, 4, 4)), x[None]]
        views += [x.tensor_along_dimension(0, 1), nd.flip(x), next(iter(x))]
        assert all(view.is_attached() for view in views)
    del x
    for view in views:
        with pytest.raises(nd.WorkspaceError, match="'stale'"):
            view + 1


def test_message_says_what_where_when_and_what_to_do():
    nd.workspace_manager.destroy_all_workspaces_for_current_thread()  # their generations are counted
    config = nd.WorkspaceConfiguration()
    with nd.workspace("step", config):
        x = nd.ones((2, 3), dtype="float32")

    def message():
        with pytest.raises(nd.WorkspaceError) as error:
            x.tolist()
        return str(error.value)

    remedy = "Take arrays out of a workspace before its scope ends: detach(), leverage(), leverage_to(id) or migrate()"
    assert message() == (
        "array of float32 and shape (2, 3): it was made in workspace 'step', generation 1, whose scope is closed (its "
        f"last generation is 1); no workspace is current now.  {remedy}"
    )
    with nd.workspace("step"), nd.workspace("inner"):
        assert message() == (
            "array of float32 and shape (2, 3): it was made in workspace 'step', generation 1, which is open again as "
            "generation 2; workspace 'inner' (generation 1) inside 'step' (generation 2) is open now.  " + remedy
        )
    nd.workspace_manager.destroy_all_workspaces_for_current_thread()
    assert "generation 1, which has been destroyed; no workspace" in message()


def test_what_released_arrays_answer():
    x = make_stale()
    assert (x.is_attached(), x.is_in_scope(), x.closeable) == (True, False, False)
    assert not isinstance(x, nd.NDArray)
    with pytest.raises(nd.WorkspaceError):
        x.close()
    with pytest.raises(TypeError, match="released arrays are not made"):
        type(x)()


def test_other_arrays_are_untouched():
    kept = nd.ones(3)
    with nd.workspace("stale"):
        view, result = kept[1:], (kept + 1).detach()
    assert (view + result[1:]).tolist() == [3.0, 3.0]


# Closing.


def test_closing_gives_the_memory_back_at_once():
    before = nd.memory.stats().live_bytes
    x = nd.ones(1000)
    assert x.closeable
    x.close()
    assert nd.memory.stats().live_bytes == before
    assert (x.closeable, x.is_attached()) == (False, False)
    x.close()
    for use in (
        lambda: x + 1,
        lambda: repr(x),
        lambda: np.asarray(x),
        lambda: x.shape,
        lambda: nd.sum(x),
        lambda: x[0],
    ):
        with pytest.raises(
            ValueError, match=re.escape("array of float64 and shape (1000,): it was closed; make a new")
        ):
            use()


@pytest.mark.parametrize("kind", ["view", "owner", "exported", "capsule", "imported", "attached"])
def test_arrays_that_cannot_be_closed(kind):
    x = nd.ones(3)
    victim, held, reason = {
        "view": lambda: (x[1:], None, "it is a view"),
        "owner": lambda: (x, x[1:], "1 views of it are alive"),
        "exported": lambda: (x, memoryview(x), "1 exports of its memory are alive"),
        "capsule": lambda: (x, x.__dlpack__(), "1 exports"),
        "imported": lambda: (nd.asarray(np.ones(3)), None, "imported memory"),
        "attached": lambda: (None, None, "belongs to workspace 'attached'; detach"),
    }[kind]()
    with nd.workspace("attached"):
        victim = nd.ones(3) if victim is None else victim
        assert not victim.closeable
        with pytest.raises(ValueError, match=rf"shape \(\d,\) cannot be closed: .*{reason}"):
            victim.close()
        assert victim.tolist()[0] == 1.0
    del held


def test_closing_after_views_are_gone_also_those_the_collector_took():
    x = nd.ones(3)
    view = x[1:]
    view.node = [view]
    del view
    gc.collect()
    np.asarray(x)[:] = 2.0
    x.close()
