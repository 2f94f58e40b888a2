"""Random programs of array functions as ONNX files: onnxruntime and nd4py compute from them what the programs do."""

import numpy as np
import onnxruntime
from hypothesis import given, settings
from hypothesis import strategies as st

import nd4py as nd


def axis_of(x, k):
    return k % x.ndim


def sliced(x, k, j):
    axis = axis_of(x, k)
    keys = [slice(1, None), slice(None, None, -1), slice(0, None, 2), -1, None, slice(-2, None), Ellipsis]
    return x[(*(slice(None),) * axis, keys[j % len(keys)])]


def written(x, k, j):
    y = x.copy()
    y[(*(slice(None),) * axis_of(x, k), [0, -1, slice(1, None), slice(None, None, 2)][j % 4])] = 0.5
    return y


def written_by_views(x, k, j):
    """Views of views, written and read in turn."""
    y = x.copy()
    axis = axis_of(x, k)
    view, turned = nd.moveaxis(y, axis, 0), y.T
    part = view[[0, -1, slice(1, None), slice(None, None, 2)][j % 4]]
    part += 1.5
    turned[-1] *= 0.5
    y.reshape(-1)[:: j % 3 + 1] -= 0.25
    return nd.concat([part.reshape(-1), turned.reshape(-1), y.reshape(-1)]) if j % 2 else y + view.sum()


def chosen(x, k, j):
    n = x.shape[axis_of(x, k)]
    return nd.take(x, nd.asarray([[0, n - 1], [n // 2, 0]][j % 2]), axis=axis_of(x, k))


def padded(x, k, j):
    widths = [(0, 0)] * x.ndim
    widths[axis_of(x, k)] = (j % 3, (j + 1) % 2)
    return nd.pad(x, widths, mode=["constant", "edge", "wrap"][j % 3])


def gradient(x, k, j):
    inner = [
        lambda v: (nd.tanh(v) * v).sum(),
        lambda v: nd.softmax(v, axis=-1)[..., 0].sum(),
        lambda v: v.std(),
        lambda v: (chosen(v, k, j) ** 2).sum(),
        lambda v: (nd.sort(v, axis=axis_of(v, k)) * nd.sin(v)).sum(),
        lambda v: (nd.cumulative_sum(v, axis=axis_of(v, k)) ** 2).sum(),
        lambda v: nd.cumulative_prod(nd.sin(v), axis=axis_of(v, k)).sum(),
        lambda v: nd.log_cumulative_sum_exp(v, axis=axis_of(v, k)).sum(),
    ]
    return nd.grad(inner[j % len(inner)])(x)


def batched(x, k, j):
    inner = [lambda v: v - v.sum(), nd.flip, lambda v: nd.max(v) * v, lambda v: nd.cumulative_sum(v.ravel())]
    return nd.vmap(inner[j % 4])(x)


def normalized(x, k, j):
    return (x - x.mean(axis=-1, keepdims=True)) / nd.sqrt(x.var(axis=-1, keepdims=True) + 1e-3)


def steps_of(x):
    """Whole numbers, which last bits of x seldom change."""
    return nd.floor(x * 1000 + 0.1234)


REDUCTIONS = [nd.sum, nd.mean, nd.max, nd.min, nd.prod, nd.std, nd.logsumexp]
ONE = [
    lambda x, k, j: [nd.tanh, nd.sin, nd.sigmoid, nd.gelu, nd.softplus, nd.atan, nd.square, nd.abs][j % 8](x),
    lambda x, k, j: [nd.sqrt, nd.log1p, nd.reciprocal, nd.cbrt][j % 4](nd.abs(x) + 0.5),
    lambda x, k, j: [nd.exp, nd.expm1, nd.sinh, nd.exp2][j % 4](nd.clip(x, -3, 3)),
    lambda x, k, j: REDUCTIONS[j % len(REDUCTIONS)](nd.tanh(x), axis=axis_of(x, k)),
    lambda x, k, j: [nd.softmax, nd.log_softmax][j % 2](x, axis=axis_of(x, k)),
    lambda x, k, j: [nd.cumulative_sum, nd.cumulative_prod][j % 2](nd.sin(x), axis=axis_of(x, k)),
    lambda x, k, j: nd.moveaxis(x, axis_of(x, k), axis_of(x, j)),
    lambda x, k, j: nd.reshape(x, [(-1,), (1, -1), (*x.shape, 1), x.shape[::-1]][j % 4]),
    lambda x, k, j: nd.sort(x, axis=axis_of(x, k), descending=bool(j % 2)),
    lambda x, k, j: nd.astype(nd.argmax(steps_of(x), axis=axis_of(x, k)), x.dtype),
    lambda x, k, j: nd.roll(x, j % 5 - 2, axis=axis_of(x, k)),
    lambda x, k, j: nd.repeat(x, j % 2 + 1, axis=axis_of(x, k)),
    lambda x, k, j: nd.diff(x, axis=axis_of(x, k)),
    lambda x, k, j: nd.astype(nd.astype(steps_of(x), "int64") // 1000, x.dtype),
    sliced,
    written,
    written_by_views,
    chosen,
    padded,
    gradient,
    batched,
    normalized,
]
TWO = [  # none asks in Python how many elements there are: a file has the answer for the sizes that were tried
    lambda x, y, j: [nd.add, nd.subtract, nd.multiply, nd.maximum, nd.minimum, nd.hypot, nd.atan2][j % 7](x, y),
    lambda x, y, j: nd.where(x > y + 0.01234, x, y * 0.5),
    lambda x, y, j: nd.divide(x, nd.abs(y) + 1.0),
    lambda x, y, j: nd.remainder(x + 0.01234, nd.abs(y) + 1.0),
    lambda x, y, j: nd.sum(x[..., None] * y.ravel(), axis=-1),
    lambda x, y, j: nd.outer(x.ravel()[:1], y.ravel()),
    lambda x, y, j: nd.matmul(x.reshape(1, -1), nd.tanh(x).reshape(-1, 1)),
    lambda x, y, j: nd.concat([x.ravel(), y.ravel()]),
    lambda x, y, j: nd.take(x.ravel(), nd.argsort(steps_of(y.ravel()))[:1] % x.size),
]
MOST_ELEMENTS, MOST_AXES = 400, 4


def is_usable(x):
    return 0 < x.size <= MOST_ELEMENTS and 0 < x.ndim <= MOST_AXES


def next_value(values, step):
    number, first, second, k, j = step
    x, y = values[first % len(values)], values[second % len(values)]
    return ONE[number](x, k, j) if number < len(ONE) else TWO[number - len(ONE)](x, y, j)


def program_of(steps, inputs):
    """A function of arrays that does those steps that fit its operands."""
    values, chosen_steps = list(map(nd.asarray, inputs)), []
    for step in steps:
        try:
            found = next_value(values, step)
        except (ValueError, IndexError):
            continue
        if is_usable(found):
            values.append(found)
            chosen_steps.append(step)

    def program(*inputs):
        values = list(inputs)
        for step in chosen_steps:
            values.append(next_value(values, step))
        return tuple(values[-3:])

    return program


numbers = st.integers(0, 11)
STEPS = st.lists(
    st.tuples(st.integers(0, len(ONE) + len(TWO) - 1), numbers, numbers, numbers, numbers), min_size=1, max_size=8
)
SHAPES = st.lists(st.integers(1, 4), min_size=1, max_size=3)


def numbers_of(seed, shape):
    return np.random.default_rng(seed).uniform(-2, 2, shape)


def assert_file_computes(program, path, batches):
    """Both runtimes give for each batch of inputs what the program does."""
    model = nd.onnx.load(path)
    try:
        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    except Exception as error:  # its classes are private
        assert "NOT_IMPLEMENTED" in str(error)  # no loop for float64, as of Erf
        session = None
    for inputs in batches:
        want = [np.asarray(y) for y in program(*map(nd.asarray, inputs))]
        results = [model.run(inputs)]
        if session is not None:
            names = [each.name for each in session.get_inputs()]
            results.append(session.run(None, dict(zip(names, inputs, strict=True))))
        for found in results:
            for one, other in zip(found, want, strict=True):
                one = np.asarray(one)
                assert (one.shape, one.dtype) == (other.shape, other.dtype)
                np.testing.assert_allclose(one, other, rtol=1e-7, atol=1e-7)


def can_run(program, inputs):
    try:
        program(*map(nd.asarray, inputs))
    except (ValueError, IndexError):
        return False
    return True


@given(steps=STEPS, shape=SHAPES, other=SHAPES)
@settings(deadline=None, max_examples=100)
def test_programs(steps, shape, other, tmp_path_factory):
    path = str(tmp_path_factory.mktemp("programs") / "program.onnx")
    batches = [(numbers_of(k, shape), numbers_of(k + 1, other)) for k in (0, 7)]
    program = program_of(steps, batches[0])
    nd.onnx.export(program, path, batches[0])
    assert_file_computes(program, path, batches)


@given(steps=STEPS, shape=SHAPES)
@settings(deadline=None, max_examples=50)
def test_programs_of_any_batch(steps, shape, tmp_path_factory):
    """What a file cannot say for any size is refused; what it says is right for all."""
    path = str(tmp_path_factory.mktemp("programs") / "program.onnx")
    batches = [(numbers_of(n, (n, *shape)), numbers_of(n + 1, (n, *shape))) for n in (5, 3, 8)]
    program = program_of(steps, batches[0])
    try:
        nd.onnx.export(program, path, batches[0], dynamic_batch=True)
    except NotImplementedError as error:
        assert "the batch cannot have any size" in str(error)
    except ValueError:  # the program itself needs the size of the example
        assert not all(can_run(program, [x[:n] for x in batches[2]]) for n in (2, 3, 5, 7))
    else:
        assert_file_computes(program, path, [each for each in batches if can_run(program, each)])


@given(steps=STEPS, shape=SHAPES)
@settings(deadline=None, max_examples=20)
def test_programs_of_any_two_sizes(steps, shape, tmp_path_factory):
    """The same for the first two axes, that of the examples and the next one."""
    path = str(tmp_path_factory.mktemp("programs") / "program.onnx")
    batches = [
        (numbers_of(n, (n, m, *shape[1:])), numbers_of(n + 1, (n, m, *shape[1:])))
        for n, m in ((5, 12), (3, 4), (8, 15), (2, 1))
    ]
    program, axes = program_of(steps, batches[0]), {0: "batch", 1: "length"}
    try:
        nd.onnx.export(program, path, batches[0], dynamic_axes={"inputs_0": axes, "inputs_1": axes})
    except NotImplementedError as error:
        assert "cannot have any size" in str(error)
    except ValueError as error:  # the program itself needs the size of the example
        assert "the function does not take" in str(error)
    else:
        assert_file_computes(program, path, [each for each in batches if can_run(program, each)])
