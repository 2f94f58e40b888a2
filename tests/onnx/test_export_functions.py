"""Functions of arrays as ONNX files: onnxruntime and nd4py compute from them what the functions do.

Every row of the table, every function of the namespace by its call in `namespace_calls`, and small programs.
"""

import numpy as np
import onnxruntime
import pytest
from namespace_calls import CALLS
from onnx import checker
from table import params_of, sample

import nd4py as nd
from nd4py._spec.ops import OPS

MAPS = [row for row in OPS if row.family == "map"]
# Calls that nothing of ONNX stands for, and the reason that the error gives.  The lists may only become shorter.
REFUSED_FOR = {
    "looks at values": """
        asarray_chkfinite bincount constant from_dlpack histogram histogram2d histogram_bin_edges histogramdd
        polydiv polymul real_if_close roots sort_complex trim_zeros unique
    """,
    "the shape of its result depends on values": """
        argwhere compress delete extract flatnonzero intersect1d nonzero setdiff1d setxor1d union1d
        unique_all unique_counts unique_inverse unique_values
    """,
    "complex numbers": """
        angle fft.fft fft.fft2 fft.fftn fft.hfft fft.ifft fft.ifft2 fft.ifftn fft.ihfft fft.irfft fft.rfft fft.rfft2
        fft.rfftn iscomplex iscomplexobj isreal
    """,
    "no factorizations": """
        linalg.cholesky linalg.cond linalg.eig linalg.eigh linalg.eigvals linalg.eigvalsh
        linalg.inv linalg.lstsq linalg.matrix_rank linalg.pinv linalg.qr linalg.slogdet linalg.solve
        linalg.svd linalg.svdvals linalg.tensorinv linalg.tensorsolve polyfit
    """,
    "no operators for the bits": """
        bitwise_count frexp packbits unpackbits
    """,
    "use nd.where": """
        piecewise
    """,
    "use nd.put_along_axis": """
        place
    """,
    "ONNX has no function": """
        gcd lcm nextafter spacing
    """,
}
REFUSED = {name: reason for reason, names in REFUSED_FOR.items() for name in names.split()}
DTYPES_REFUSED = {"uint8": ("pow", "negative")}
ROWS_REFUSED = {"gcd", "lcm", "nextafter", "frexp"}  # no operators
IN_ORDER = {"interp", "searchsorted"}  # whose operand must be sorted
NO_ARRAYS = {"common_type", "min_scalar_type"}  # whose results are dtypes
REDUCTIONS = [row for row in OPS if row.family in ("reduce", "argreduce")]
SCANS = [row for row in OPS if row.family == "scan"]
DTYPES = ("float32", "float64", "int32", "int64", "uint8", "bool")
NOT_IN_ONNXRUNTIME = ("NOT_IMPLEMENTED", "Type Error", "INVALID_GRAPH")


def leaves(result):
    """The arrays of a result, in order."""
    if isinstance(result, dict):
        return leaves(list(result.values()))
    if isinstance(result, tuple | list):
        return [y for item in result for y in leaves(item)]
    return [nd.asarray(result)]


def assert_alike(got, want, tolerance):
    got, want = np.asarray(got), np.asarray(want)
    assert got.dtype == want.dtype
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)


def turned(x):
    """The same elements in another order."""
    return np.ascontiguousarray(np.asarray(x).reshape(-1)[::-1].reshape(x.shape))


def moved(x):
    """Other elements in the same order."""
    return np.asarray(x) + np.ones((), x.dtype)


def exported(function, path, inputs, tolerance=1e-5, needs_onnxruntime=True, others=turned):
    """The file computes in both runtimes what the function does, of the example and of other inputs."""
    nd.onnx.export(function, path, tuple(inputs))
    checker.check_model(path, full_check=True)
    for given in ([np.asarray(x) for x in inputs], [others(x) for x in inputs]):
        want = leaves(function(*map(nd.asarray, given)))
        for one, other in zip(nd.onnx.load(path).run(given), want, strict=True):
            assert_alike(one, other, tolerance)
        try:
            session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        except Exception as error:  # its classes are private
            if needs_onnxruntime or not any(text in str(error) for text in NOT_IN_ONNXRUNTIME):
                raise
            return
        names = [each.name for each in session.get_inputs()]
        for one, other in zip(session.run(None, dict(zip(names, given, strict=True))), want, strict=True):
            assert_alike(one, other, tolerance)


def numbers(row, dtype, *shape):
    """Operands of a row."""
    return [nd.asarray(x.reshape(shape)) for x in sample(row, dtype, n=int(np.prod(shape)))]


def is_refused(row, dtype):
    return row.name in ROWS_REFUSED or row.name in DTYPES_REFUSED.get(dtype, ())


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "row, dtype",
    [pytest.param(row, dtype, id=f"{row.name}-{dtype}") for row in MAPS for dtype in DTYPES if dtype in row.dtypes],
)
def test_rows(row, dtype, tmp_path):
    path, inputs = str(tmp_path / "row.onnx"), numbers(row, dtype, 5, 8)

    def function(*operands):
        return getattr(nd, row.name)(*operands, **params_of(row))

    if is_refused(row, dtype):
        with pytest.raises(NotImplementedError, match="export"):
            nd.onnx.export(function, path, tuple(inputs))
        return
    exported(function, path, inputs, needs_onnxruntime=dtype == "float32")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "row, dtype",
    [
        pytest.param(row, dtype, id=f"{row.name}-{dtype}")
        for row in REDUCTIONS + SCANS
        for dtype in DTYPES
        if dtype in row.dtypes
    ],
)
def test_reductions_and_scans(row, dtype, tmp_path):
    settings = {
        "reduce": ({}, {"axis": 1}, {"axis": (0, -1), "keepdims": True}),
        "argreduce": ({}, {"axis": 1}, {"axis": -1, "keepdims": True}),
        "scan": ({"axis": 1},),
    }[row.family]
    for given in settings:
        exported(
            lambda x, given=given: getattr(nd, row.name)(x, **given),
            str(tmp_path / "row.onnx"), numbers(row, dtype, 2, 3, 4), needs_onnxruntime=dtype == "float32",
        )  # fmt: skip


class Operands:
    """Makes the operands of a call: those that are given, else the call's own samples."""

    device = "cpu"

    def __init__(self, *given):
        self.given, self.made = given, []

    def __call__(self, values):
        self.made.append(np.asarray(values))
        n = len(self.made)
        return self.given[n - 1] if self.given else nd.asarray(self.made[-1])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", sorted(set(CALLS) - NO_ARRAYS))
def test_namespace(name, tmp_path):
    operands, path = Operands(), str(tmp_path / "call.onnx")
    CALLS[name](nd, operands)
    if not operands.made:
        pytest.skip("the call has no operand")
    inputs = [nd.asarray(x) for x in operands.made]

    def function(*arrays):
        return CALLS[name](nd, Operands(*arrays))

    if name in REFUSED:
        with pytest.raises(NotImplementedError, match=f"export: .*{REFUSED[name]}"):
            nd.onnx.export(function, path, tuple(inputs))
    else:
        exported(function, path, inputs, needs_onnxruntime=False, others=moved if name in IN_ORDER else turned)


X = nd.asarray(np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3))
LOOKS = {
    "float": lambda x: float(x.sum()),
    "if": lambda x: x if x.sum() > 0 else -x,
    "int": lambda x: x * int(x.sum()),
    "item": lambda x: x * x[0, 0].item(),
    "tolist": lambda x: x * x.tolist()[0][0],
    "asarray": lambda x: nd.asarray(np.asarray(x)),
    "to_numpy": lambda x: nd.asarray(x.to_numpy()),
    "tobytes": lambda x: nd.frombuffer(x.tobytes()),
    "round": lambda x: x * round(x.sum()),
    "in": lambda x: x * (0.5 in x),
}


@pytest.mark.parametrize("name", LOOKS)
def test_looks_at_values_are_errors_with_their_line(name, tmp_path):
    with pytest.raises(TypeError, match=r"looks at a value.*test_export_functions\.py, line \d+"):
        nd.onnx.export(LOOKS[name], tmp_path / "f.onnx", X)


def test_a_look_that_the_function_catches_is_an_error_too(tmp_path):
    def function(x):
        try:
            return x * float(x.sum())
        except TypeError:
            return x

    with pytest.raises(TypeError, match="looks at a value"):
        nd.onnx.export(function, tmp_path / "f.onnx", X)


def test_all_without_counterpart_are_named_and_nothing_is_written(tmp_path):
    path = tmp_path / "f.onnx"
    with pytest.raises(NotImplementedError, match="gcd.*nextafter"):
        nd.onnx.export(lambda x, i: (nd.gcd(i, 4), nd.nextafter(x, x)), path, (X, nd.asarray([2, 6])))
    assert not path.exists()


def test_random_numbers_are_refused(tmp_path):
    with pytest.raises(ValueError, match="other results when it ran again"):
        nd.onnx.export(lambda x: x + nd.random.normal(size=(2, 3)), tmp_path / "f.onnx", X)


def test_batches_and_gradients_inside(tmp_path):
    w = nd.asarray(np.linspace(-1, 2, 12, dtype=np.float32).reshape(3, 4))
    exported(nd.vmap(lambda row: nd.softmax(row) * row.sum()), str(tmp_path / "f.onnx"), [X])
    exported(lambda x: nd.grad(lambda v: nd.tanh(x @ v).sum())(w), str(tmp_path / "g.onnx"), [X])


def test_names(tmp_path):
    path = str(tmp_path / "f.onnx")
    nd.onnx.export(lambda weights, i: {"rows": weights["w"][i], "sum": i.sum()}, ({"w": X}, nd.asarray([0, 1])), path)
    session = onnxruntime.InferenceSession(path)
    assert [x.name for x in session.get_inputs()] == ["weights_w", "i"]
    assert [y.name for y in session.get_outputs()] == ["rows", "sum"]


def states(*shape):
    return nd.asarray(np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float32))


OPTIONS = [(), ("b",), ("h",), ("b", "h"), ("b", "h", "more")]
RECURRENCES = {
    "lstm": (4, {"b": ("b", 16), "h": ("h", 2, 4), "more": (("c", 2, 4), ("peepholes", 3, 4))}, {}),
    "gru": (3, {"b": ("b", 12), "h": ("h", 2, 4), "more": ()}, {"reset_after": False}),
    "gru after": (3, {"b": ("b", 12), "h": ("h", 2, 4), "more": (("rb", 4),)}, {"reset_after": True}),
    "simple_rnn": (1, {"b": ("b", 4), "h": ("h", 2, 4), "more": ()}, {"activation": "tanh"}),
    "simple_rnn relu": (1, {"b": ("b", 4), "h": ("h", 2, 4), "more": ()}, {"activation": "relu"}),
}


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
@pytest.mark.parametrize("name", RECURRENCES)
def test_recurrent_layers(name, options, tmp_path):
    n_gates, shapes, settings = RECURRENCES[name]
    rows = [row for option in options for row in ([shapes[option]] if option != "more" else shapes[option])]
    given = {key: states(*shape) * 0.3 for key, *shape in rows}
    function = getattr(nd, name.partition(" ")[0])

    def with_weights(x, w, rw, *more):
        return tuple(function(x, w, rw, **dict(zip(given, more, strict=True)), **settings))

    inputs = [states(2, 5, 3), states(3, 4 * n_gates), states(4, 4 * n_gates) * 0.5]
    exported(with_weights, str(tmp_path / "f.onnx"), [*inputs, *given.values()])
    exported(lambda x: with_weights(x, *inputs[1:], *given.values()), str(tmp_path / "g.onnx"), inputs[:1])


MASKS = [
    [[1, 1, 1, 1, 1], [1, 1, 1, 0, 0], [0, 0, 0, 0, 0]],  # shorter sequences, and one without steps
    [[0, 0, 1, 1, 1], [1, 0, 1, 0, 1], [0, 1, 0, 0, 0]],  # steps left out before and between
]


@pytest.mark.parametrize("is_input", [True, False], ids=["input", "known"])
@pytest.mark.parametrize("options", [(), ("b", "h", "more")], ids=" ".join)
@pytest.mark.parametrize("name", RECURRENCES)
def test_recurrent_layers_with_a_mask(name, options, is_input, tmp_path):
    n_gates, shapes, settings = RECURRENCES[name]
    rows = [row for option in options for row in ([shapes[option]] if option != "more" else shapes[option])]
    given = {key: states(*(3 if n == 2 else n for n in shape)) * 0.3 for key, *shape in rows}
    w, rw, function = states(3, 4 * n_gates), states(4, 4 * n_gates) * 0.5, getattr(nd, name.partition(" ")[0])
    for i, mask in enumerate(map(nd.asarray, MASKS)):
        inputs = [states(3, 5, 3), mask.astype("float32")]
        exported(
            lambda x, m=mask: tuple(function(x, w, rw, mask=m, **given, **settings)),
            str(tmp_path / f"{i}.onnx"), inputs if is_input else inputs[:1],
        )  # fmt: skip


@pytest.mark.parametrize("name", RECURRENCES)
def test_gradients_of_recurrent_layers(name, tmp_path):
    n_gates, _, settings = RECURRENCES[name]
    function = getattr(nd, name.partition(" ")[0])
    weights, mask = (states(3, 4 * n_gates), states(4, 4 * n_gates) * 0.5), nd.asarray([[1, 1, 0], [1, 1, 1]])

    def slopes(x):
        return nd.grad(lambda x, w, rw: (function(x, w, rw, mask=mask, **settings)[0] ** 2).sum(), argnums=(0, 1, 2))(
            x, *weights
        )

    exported(slopes, str(tmp_path / "f.onnx"), [states(2, 3, 3)])


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "uint8"])
@pytest.mark.parametrize("side", ["left", "right"])
def test_searches(side, dtype, tmp_path):
    line = np.array([0, 1, 1, 2, 5, 7]).astype(dtype)
    queries = np.array([[0, 1, 3], [5, 8, 7]]).astype(dtype)
    if line.dtype.kind == "f":
        line[-1] = queries[0, 0] = np.nan
    nd.onnx.export(lambda q: nd.searchsorted(line, q, side=side), tmp_path / "f.onnx", nd.asarray(queries))
    (found,) = nd.onnx.load(tmp_path / "f.onnx").run([queries])
    assert_alike(found, np.searchsorted(line, queries, side=side), 0)
    nd.onnx.export(lambda q: nd.isin(q, line), tmp_path / "g.onnx", nd.asarray(queries))
    (found,) = nd.onnx.load(tmp_path / "g.onnx").run([queries])
    assert_alike(found, np.isin(queries, line), 0)


@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (2, 4, 4)])
def test_determinants(shape, tmp_path):
    exported(nd.linalg.det, str(tmp_path / "f.onnx"), [states(*shape)])
