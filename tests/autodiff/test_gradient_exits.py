"""Where values leave the tape: every method and attribute of an array that is being differentiated keeps its gradient,
refuses in words, or is on the short list of what only asks."""

import copy
import io
import pickle

import numpy as np
import pytest

import nd4py as nd

VALUES = np.asarray([[1.5, -0.25, 2.0], [0.5, 3.0, -1.25]])

# What asks for values, and loses where they come from.
EXITS = {
    "float": lambda x: float(x[0, 0]),
    "int": lambda x: int(x[0, 0]),
    "complex": lambda x: complex(x[0, 0]),
    "round": lambda x: round(x[0, 0], 2),
    "item": lambda x: x[0, 0].item(),
    "tolist": lambda x: x.tolist(),
    "tobytes": lambda x: x.tobytes(),
    "tobytes of a view": lambda x: x.T.tobytes(),
    "bytes": lambda x: bytes(x),
    "memoryview": lambda x: memoryview(x),
    "address": lambda x: x.address,
    "__array_interface__": lambda x: x.__array_interface__,
    "__array__": lambda x: x.__array__(),
    "__dlpack__": lambda x: x.__dlpack__(),
    "__dlpack__ copy": lambda x: x.__dlpack__(copy=True),
    "nd.from_dlpack": lambda x: nd.from_dlpack(x),
    "nd.constant": lambda x: nd.constant(x),
    "nd.frombuffer": lambda x: nd.frombuffer(x, dtype="float64"),
    "nd.linspace": lambda x: nd.linspace(0.0, x[0, 0], 3),
    "nd.arange": lambda x: nd.arange(0.0, x[0, 0]),
    "nd.random.exponential": lambda x: nd.random.Generator(1).exponential(x[0, 0]),
    "numpy.asarray": np.asarray,
    "numpy.array": np.array,
    "numpy.asarray of a list": lambda x: np.asarray([x[0, 0], x[0, 1]]),
    "numpy.from_dlpack": np.from_dlpack,
    "numpy.frombuffer": lambda x: np.frombuffer(x),
    "numpy.float64": lambda x: np.float64(x[0, 0]),
    "numpy.linalg": lambda x: np.linalg.outer(np.emath.sqrt(x[0]), x[0]),
    "a NumPy function without a counterpart": lambda x: np.emath.sqrt(x),
    "a keyword of a NumPy ufunc": lambda x: np.exp(x, casting="unsafe"),
    "a NumPy ufunc's method": lambda x: np.add.at(np.zeros(3), [0, 1], x[0]),
    "assignment into NumPy's": lambda x: np.zeros((2, 3)).__setitem__(..., x),
    "pickle": lambda x: pickle.dumps(x),
    "pickle 2": lambda x: pickle.dumps(x, protocol=2),
    "pickle in a list": lambda x: pickle.dumps([1, {"x": x}]),
    "save": lambda x: nd.save(io.BytesIO(), x),
    "savez": lambda x: nd.savez(io.BytesIO(), x=x),
    "savez_compressed": lambda x: nd.savez_compressed(io.BytesIO(), x),
    "save as safetensors": lambda x: nd.save(io.BytesIO(), {"x": x}, format="safetensors"),
    "assignment": lambda x: nd.zeros((2, 3)).__setitem__(..., x),
    "put_along_axis": lambda x: nd.put_along_axis(nd.zeros((2, 3)), nd.asarray([[0], [1]]), x[:, :1], axis=1),
    "out=": lambda x: nd.add(x, x, out=nd.zeros((2, 3))),
    "in place": lambda x: nd.zeros((2, 3)).__iadd__(x),
    "NumPy's out=": lambda x: np.add(x, x, out=np.zeros((2, 3))),
}

# What only asks: its answer is a constant in every framework, or says nothing of the values.
QUERIES = {
    "repr": repr,
    "str": str,
    "format": lambda x: f"{x} {x[0, 0]:.3f}",
    "print": lambda x: print(x, file=io.StringIO()),
    "if": lambda x: 1.0 if x[0, 0] > 0 else 2.0,
    "bool": lambda x: bool(x[0, 0]),
    "comparison": lambda x: (x > 0.5).tolist(),
    "in": lambda x: 1.5 in x,
    "len": len,
    "shape": lambda x: (x.shape, x.ndim, x.size, x.dtype, x.nbytes, x.itemsize, x.strides, x.device),
    "argmax": lambda x: int(nd.argmax(x)),
    "argsort": lambda x: nd.argsort(x).tolist(),
    "astype": lambda x: x.astype("int32").tolist(),
    "float of stop_gradient": lambda x: float(nd.stop_gradient(x)[0, 0]),
    "NumPy of stop_gradient": lambda x: np.asarray(nd.stop_gradient(x)),
    "item of a value": lambda x: nd.value_and_grad(lambda y: nd.sum(y * y))(nd.ones(3))[0].item(),
}

# What keeps the gradient: where it must not be lost on the way to another container or place.
KEEPS = {
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "deepcopy of a list": lambda x: copy.deepcopy([x])[0],
    "iteration": lambda x: nd.stack(list(x)),
    "elements": lambda x: nd.stack([x[0, 0], x[1, 2]]),
    "nd.asarray": nd.asarray,
    "nd.array": nd.array,
    "nd.full": lambda x: nd.full((2,), x[0, 0]),
    "nd.full_like": lambda x: nd.full_like(x, x[0]),
    "nd.asarray of a list": lambda x: nd.asarray([x[0, 0], x[0, 1]]),
    "nd.array of a list of rows": lambda x: nd.array([x[0], x[1]]),
    "numpy.sum": np.sum,
    "numpy.multiply": lambda x: np.multiply(x, np.full((2, 3), 2.0)),
    "numpy.add.reduce": np.add.reduce,
    "float32": lambda x: x.astype("float32"),
}


def differentiated(function, make=lambda x: x):
    """What `function` gives for an array that is being differentiated; `make` turns the leaf into that array."""
    results = []

    def scored(x):
        results.append(function(make(x)))
        return nd.sum(x)

    nd.grad(scored)(nd.asarray(VALUES))
    return results[0]


MAKERS = {"leaf": lambda x: x, "result": lambda x: x * 1.0 + 0.0, "view": lambda x: x[::-1][::-1], "half": lambda x: x}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize("name", EXITS)
def test_an_exit_refuses_in_words(name, make):
    with pytest.raises((TypeError, ValueError, NotImplementedError), match=r"gradient|differentiat"):
        differentiated(EXITS[name], make)


@pytest.mark.parametrize("name", ["float", "numpy.asarray", "memoryview", "pickle", "tolist", "address", "__dlpack__"])
def test_the_refusal_names_the_remedy(name):
    with pytest.raises(TypeError, match="stop_gradient"):
        differentiated(EXITS[name])


@pytest.mark.parametrize("name", EXITS)
def test_exits_are_open_for_constants(name):
    try:
        EXITS[name](nd.asarray(VALUES))
    except (TypeError, ValueError) as error:
        assert "gradient" not in str(error)


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize("name", QUERIES)
def test_a_query_is_answered(name, make):
    got, want = differentiated(QUERIES[name], make), QUERIES[name](nd.asarray(VALUES))
    np.testing.assert_equal(got, want)


@pytest.mark.parametrize("name", KEEPS)
def test_the_gradient_is_kept(name):
    weights = np.asarray(KEEPS[name](nd.asarray(VALUES)))
    got = nd.grad(lambda x: nd.sum(KEEPS[name](x) * nd.asarray(weights)))(nd.asarray(VALUES))
    assert np.abs(np.asarray(got)).max() > 0


def test_scipy_refuses():
    scipy_linalg = pytest.importorskip("scipy.linalg")
    with pytest.raises(TypeError, match="stop_gradient"):
        nd.grad(lambda x: nd.sum(nd.asarray(scipy_linalg.expm(x[:, :2]))))(nd.asarray(VALUES))


def test_a_number_taken_out_is_no_constant_in_silence():
    with pytest.raises(TypeError, match="stop_gradient"):
        nd.grad(lambda x: (x / float(x.sum())).sum())(nd.ones(3))


# Every method and attribute, found by name: a call for those that need arguments.
ARGUMENTS = {
    "__contains__": (1.5,), "__format__": ("",), "__getitem__": (0,), "__setitem__": (0, 1.0), "astype": ("float32",),
    "dump": ("/dev/null",), "fill": (1.0,), "partition": (1,), "put": ([0], 1.0), "tofile": ("/dev/null",),
    "broadcast_to": ((2, 2, 3),), "clip": (0.0, 1.0), "cumprod": (0,), "cumsum": (0,),
    "dot": (nd.ones((3, 2)),), "leverage_or_detach": ("w",),
    "leverage_to": ("w",), "permute_dims": ((1, 0),), "repeat": (2,), "reshape": (3, 2), "swapaxes": (0, 1),
    "take": (nd.asarray([0, 1]), 0), "tensor_along_dimension": (0, 1), "tensors_along_dimension": (1,),
    "to_device": ("cpu",), "__deepcopy__": ({},), "__reduce_ex__": (4,), "__matmul__": (nd.ones((3, 2)),),
    "__rmatmul__": (nd.ones((3, 2)),), "__imatmul__": (nd.ones((3, 3)),), "__array_ufunc__": (np.modf, "__call__"),
}  # fmt: skip
# Attributes and methods that do not read values, or return none.
SILENT = {
    "T", "mT", "__array_namespace__", "__array_priority__", "__dlpack_device__", "__hash__", "device", "dtype",
    "__index__", "closeable", "is_attached", "is_contiguous", "is_in_scope",
    "is_writable", "itemsize", "nbytes", "ndim", "node", "shape", "size",
    "strides", "workspace", "tensors_along_dimension", "__len__", "__bool__", "__repr__", "__str__", "__format__",
    "__contains__", "all", "any", "argmax", "argmin", "argsort", "nonzero", "close", "imag", "is_closed", "__doc__",
    "__module__", "__class__", "__new__", "__init__", "__init_subclass__", "__subclasshook__", "__dir__", "__sizeof__",
    "__getattribute__", "__setattr__", "__delattr__", "__getstate__", "__setstate__", "__array_function__",
    "__array_ufunc__", "__buffer__", "__release_buffer__", "__pyx_vtable__", "__eq__", "__ne__", "__lt__", "__le__",
    "argpartition", "choose", "flags", "flat", "resize", "searchsorted", "setflags",  # indices, or no values
    "__gt__", "__ge__", "round", "__delitem__", "__text_signature__", "__annotations__", "__class_getitem__",
}  # fmt: skip
LEAVING = {
    "__array__", "__array_interface__", "__complex__", "__dlpack__", "__float__", "__int__", "__reduce__",
    "__reduce_ex__", "__round__", "address", "as_integer_ratio", "bit_count", "hex", "is_integer", "item", "tobytes",
    "tolist",
}  # fmt: skip


def dependent(result):
    """Whether a result carries a gradient."""
    if isinstance(result, nd.NDArray):
        return result.node is not None
    return isinstance(result, (tuple, list)) and any(dependent(item) for item in result)


@pytest.mark.parametrize("name", sorted(set(dir(nd.NDArray)) - SILENT))
def test_every_method_keeps_the_gradient_or_refuses(name):
    def used(x):
        x = x[:1, :1] if name in LEAVING else x
        found = getattr(x, name)
        if not callable(found):
            return found
        arguments = ARGUMENTS.get(name)
        if arguments is None:
            try:
                result = found()
            except TypeError as error:
                if "argument" not in str(error):
                    raise
                result = found(nd.ones((2, 3)))
        else:
            result = found(*arguments)
        return list(result) if name == "__iter__" else result

    try:
        result = differentiated(lambda x: dependent(used(x)))
    except (TypeError, ValueError, NotImplementedError) as error:
        assert name in LEAVING or "gradient" in str(error) or "differentiat" in str(error) or "loop" in str(error)
        return
    assert name not in LEAVING
    assert result
