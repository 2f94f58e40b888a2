"""Whatever is public can be looked at, and copied and pickled where it is a value."""

import copy
import inspect
import pickle
import pydoc
import sys
import typing

import numpy as np
import pytest
import training_calls
from public_objects import ARRAYS, INSTANCES, close_scopes, public_objects, released

import nd4py as nd
from nd4py import nn
from nd4py._core.array.array_type import ArrayType

OBJECTS = dict(public_objects())
# One of each class that needs arguments.
INSTANCES |= {
    f"{name}()": lambda make=make: make()()
    for name, make in training_calls.CALLS.items()
    if inspect.isclass(make().func) and name != "data.MnistDataSetIterator"  # which has to be fetched
}
LOOKS = {
    "repr": repr,
    "str": str,
    "hasattr": lambda x: hasattr(x, "no such attribute"),
    "getmembers": inspect.getmembers,
    "help": lambda x: pydoc.render_doc(x if inspect.isclass(x) or callable(x) else type(x)),
    "attributes": lambda x: [repr(getattr(x, name, None)) for name in dir(x)],
}
COPIES = {"copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": lambda x: pickle.loads(pickle.dumps(x))}
# What is no value: memory of this process, its settings, scopes that are entered.
OF_THE_PROCESS = {
    "workspace", "workspace manager", "threads", "nd4py.workspace_manager", "nd4py.cuda.config",
    "serve.Application()", "nd4py.serve.Application()",
    "parallel.ModelServer()", "nd4py.parallel.ModelServer()", "parallel.ParallelInference()",
}  # fmt: skip


@pytest.fixture(autouse=True)
def no_scope_stays_open():
    yield
    close_scopes()


@pytest.fixture
def files_go(tmp_path, monkeypatch):
    """Some objects are made of files, which they write where they are."""
    monkeypatch.chdir(tmp_path)


def look_at(x):
    for look in LOOKS.values():
        look(x)


@pytest.mark.parametrize("name", OBJECTS)
def test_public_objects_can_be_looked_at(name):
    look_at(OBJECTS[name])


@pytest.mark.usefixtures("files_go")
@pytest.mark.parametrize("name", INSTANCES)
def test_instances_can_be_looked_at(name):
    look_at(INSTANCES[name]())


# Python finds no signature of exceptions that take what Exception takes, and of compiled classes, whose attributes
# cannot be set: `inspect.signature` reads `__text_signature__`, which Python makes from the docstring of a C type
# alone.  These say in their errors what makes their objects.
COMPILED = (nd.NDArray, nd.Workspace, nd.Graph, nd.cuda.DeviceArray)


def assert_signature(function):
    """It has one, whose types are those its file names: `Operand`, not the eight types it stands for."""
    signature = inspect.signature(function)
    if getattr(function, "__module__", "nd4py").startswith("nd4py"):  # scikit-learn puts methods of its own in
        for annotation in (signature.return_annotation, *(each.annotation for each in signature.parameters.values())):
            assert annotation in (None, signature.empty) or isinstance(annotation, (str, typing.ForwardRef)), function


@pytest.mark.parametrize("name", [name for name, found in OBJECTS.items() if callable(found)])
def test_public_callables_have_signatures(name):
    found = OBJECTS[name]
    if found is nd.NDArray and ArrayType.base is not None:
        pass  # another test has derived a class: NDArray answers with a method in Python then
    elif found in COMPILED or (inspect.isclass(found) and issubclass(found, BaseException)):
        with pytest.raises(ValueError, match="no signature found"):
            inspect.signature(found)
    else:
        assert_signature(found)
    if inspect.isclass(found):
        for key in vars(found):
            if not key.startswith("_") and callable(getattr(found, key)):
                assert_signature(getattr(found, key))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [name for name, found in OBJECTS.items() if not inspect.ismodule(found)])
def test_public_objects_are_copied_or_say_why_not(name):
    for copied in COPIES.values():
        if name in OF_THE_PROCESS:
            with pytest.raises(TypeError, match="belongs to this process"):
                copied(OBJECTS[name])
        else:
            copied(OBJECTS[name])


@pytest.mark.usefixtures("files_go")
@pytest.mark.parametrize("name", INSTANCES)
def test_instances_are_copied_or_say_why_not(name):
    for copied in COPIES.values():
        x = INSTANCES[name]()
        try:
            assert_alike(x, copied(x), name)
        except TypeError as error:
            assert name in OF_THE_PROCESS
            assert "belongs to this process" in str(error) or "cannot pickle" in str(error)


def assert_alike(x, copied, name):
    assert type(copied) is type(x)
    if isinstance(x, nn.Model):
        assert copied.params().tolist() == x.params().tolist()
        assert copied.params() is not x.params()
    if name.startswith("array"):
        assert (copied.dtype, copied.shape, copied.tolist()) == (x.dtype, x.shape, x.tolist())


def test_a_released_array_says_so_whatever_is_asked():
    x = released()
    for look in (repr, str, inspect.getmembers, copy.copy, copy.deepcopy, pickle.dumps, lambda x: x.T):
        with pytest.raises((ValueError, RuntimeError), match="closed"):
            look(x)


@pytest.mark.parametrize("name", ARRAYS)
def test_transposes_are_attributes_of_what_has_such_axes(name):
    x = ARRAYS[name]()
    assert x.T.shape == x.shape[::-1]
    assert hasattr(x, "mT") is (x.ndim >= 2)
    if x.ndim < 2:
        for kind in (AttributeError, ValueError):
            with pytest.raises(kind, match="^mT needs"):
                x.mT  # noqa: B018


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 2, 5)])
def test_representations_of_empty_arrays_have_shapes(shape):
    expected = "" if shape == (0,) else f", shape={shape}"
    assert repr(nd.ones(shape)) == f"array([]{expected}, dtype=float64)"
    assert expected in repr(np.ones(shape))


def test_types_that_numpy_lacks_are_missing_attributes(monkeypatch):
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    assert not any(hasattr(nd.bfloat16, name) for name in ("type", "char", "str", "dtype"))
    with pytest.raises(TypeError, match="install ml_dtypes"):
        np.asarray(nd.ones(3, dtype="bfloat16"))


def test_a_copied_workspace_manager_of_layers_has_workspaces_of_its_own():
    configuration = nd.WorkspaceConfiguration(initial_size=1000)
    x = nn.LayerWorkspaceMgr(default=("layers", configuration))
    y = pickle.loads(pickle.dumps(x))
    assert y.configuration("input") == x.configuration("input") == configuration
    assert y.workspace("input") is not x.workspace("input")


PUBLIC_TYPES = {
    f"{module.__name__}.{name}": (module.__name__, getattr(module, name))
    for module in (nd, nd.random, nd.linalg, nd.memory, nd.cuda)
    for name in module.__all__
    if inspect.isclass(getattr(module, name)) and getattr(module, name).__module__.startswith("nd4py")
}


@pytest.mark.parametrize("name", PUBLIC_TYPES)
def test_types_have_the_names_that_users_know(name):
    module, found = PUBLIC_TYPES[name]
    assert f"{found.__module__}.{found.__qualname__}" in {name, f"nd4py.{found.__name__}"}
    assert repr(found) in {f"<class '{found.__module__}.{found.__name__}'>", f"<enum '{found.__name__}'>"}
    assert pickle.loads(pickle.dumps(found)) is found
    assert getattr(sys.modules[module], found.__name__) is found


def test_an_array_is_an_ndarray_deferred_or_not():
    assert len(PUBLIC_TYPES) > 30
    deferred = nd.ones(100_000) + 1
    assert repr(type(deferred)) == repr(nd.NDArray) == "<class 'nd4py.NDArray'>"
    with pytest.raises(TypeError, match=r"'nd4py\.NDArray' and 'str'"):
        deferred + "text"
