"""Reductions that end a run of cheap rows, and results that leave it past the caches: the bits of one by one."""

import numpy as np
import pytest
from test_combination_fused import equal_bits, values

import nd4py as nd
from nd4py._spec.ops import OPS
from nd4py._spec.render.row_render import is_join

JOINED = [op.name for op in OPS if op.family == "reduce" and is_join(op)]
# Whole blocks, segments and pieces; with a rest of less than a block, than a vector, and than a short line.
SIZES = (65_536, 65_537, 65_536 + 255, 65_536 + 256, 65_536 + 300, 131_072 + 1024 + 127, 3 * 131_072 + 4096 + 63)
ROWS = ((40, 2048), (300, 256), (250, 257), (80, 1023), (30, 4096), (30, 4097), (30, 4351), (30, 4353), (9, 16_384))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", JOINED)
def test_each_reduction_of_each_size(name, dtype, instruction_set):
    reduction = getattr(nd, name)
    for seed, n in enumerate(SIZES):
        a, b = values(n, dtype, 2 * seed), values(n, dtype, 2 * seed + 1)
        for x, y in ((a, b), (finite(a), finite(b))):
            for program in (
                lambda x, y: reduction(x * y - x),
                lambda x, y: reduction(2 - x),
                lambda x, y: reduction((t := x + y) * t - x),  # what is needed twice goes through a register
            ):
                got = program(x, y)
                with nd.combine(False):
                    equal_bits(got, program(x, y))


def finite(x):
    """The same without infinities and NaN, so that every element counts."""
    x = np.asarray(x)
    return nd.array(np.where(np.isfinite(x), x, x.dtype.type(0.75)), copy=True)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", ROWS, ids=str)
def test_rows_that_are_reduced_and_read_again(shape, dtype, instruction_set):
    n = shape[0] * shape[1]
    x, y = values(n, dtype, 1).reshape(shape), finite(values(n, dtype, 2)).reshape(shape)
    m = finite(values(shape[0], dtype, 3)).reshape(shape[0], 1)
    kept = {"axis": -1, "keepdims": True}
    for program in (
        lambda x, m: nd.mean((x - m) ** 2, axis=-1),
        lambda x, m: (lambda e: e / nd.sum(e, **kept))(nd.exp(x - nd.max(x, **kept))),
        lambda x, m: (lambda d: d / nd.sqrt(nd.mean(d * d, **kept) + 1e-5))(x - nd.mean(x, **kept)),
        lambda x, m: nd.max(x * m, axis=-1) - nd.min(x * m + 1, axis=-1),
        lambda x, m: nd.sum(x, axis=-1),
        lambda x, m: nd.sum(x + x[:, :1], axis=-1),
        lambda x, m: nd.sum(nd.astype(x, nd.float64) * 2.0, axis=-1),
        lambda x, m: nd.min(nd.broadcast_to(m, shape) + 0.5 * x, axis=-1),
    ):
        for operand in (x, y):
            got = program(operand, m)
            assert nd.explain(got) is not None
            with nd.combine(False):
                equal_bits(got, program(operand, m))


def test_rows_whose_parts_are_held(instruction_set):
    x = values(40 * 4100, "float32", 4).reshape(40, 4100)

    def program(x):
        d = x - nd.mean(x, axis=-1, keepdims=True)
        s = nd.sum(d * d, axis=-1, keepdims=True)
        return d, s, d / s

    got = program(x)
    with nd.combine(False):
        wanted = program(x)
    for one, other in zip(got, wanted, strict=True):
        equal_bits(one, other)


def centred(x):
    return x - nd.mean(x, axis=-1, keepdims=True)


def standardized(x, eps=1e-3):
    d = centred(x)
    return d, d / nd.sqrt(nd.mean(d * d, axis=-1, keepdims=True) + eps)


def skewness(x):
    d = centred(x)
    cubes, squares = (nd.mean(t, axis=-1, keepdims=True) for t in (d * d * d, d * d))
    return d * cubes / (squares + 1.0) + nd.max(d, axis=-1, keepdims=True)


def beside(d):
    other = d * 2.0  # the one result that is as large as what d is made of
    return other, nd.sum(nd.sum(d, axis=-1, keepdims=True) * d, axis=-1, keepdims=True)


REMADE = {
    "once": lambda x, y, m: standardized(x)[1],
    "behind each of several reductions": lambda x, y, m: skewness(x),
    "on the right": lambda x, y, m: (lambda d: nd.max(d, axis=-1, keepdims=True) - d)(centred(x)),
    "from memory that its reader takes over": lambda x, y, m: standardized((x * 1.5).block())[1],
    "from memory that another result would have taken": lambda x, y, m: beside(centred((x * 1.5).block())),
    "of memory that is a result too": lambda x, y, m: (lambda t: (t, standardized(t)[1]))(x + y),
    "not: it is a result": lambda x, y, m: standardized(x),
    "not: of memory with one number for a row": lambda x, y, m: (
        standardized(x - m)[1] * nd.max(x - m, axis=-1, keepdims=True)
    ),
    "not: of two arrays": lambda x, y, m: standardized(x * y)[1] + standardized(x + y)[1],
    "not: two at once": lambda x, y, m: (lambda s, t: s * nd.max(t, axis=-1, keepdims=True) * (s - t))(
        centred(x), y * m
    ),
    "not: read by what joins no run": lambda x, y, m: (
        lambda d: nd.sin(d) + nd.sum(d, axis=-1, keepdims=True) * nd.sin(d)
    )(centred(x)),
    "of another dtype": lambda x, y, m: (lambda d: nd.astype(d, nd.float64) / nd.sum(d, axis=-1, keepdims=True))(
        centred(x)
    ),
    "twice behind a reduction": lambda x, y, m: (lambda d, s: (d * s) * (s - d))(
        *(lambda d: (d, nd.sum(d, axis=-1, keepdims=True)))(centred(x))
    ),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", REMADE)
def test_what_is_made_again_behind_a_reduction(name, dtype, instruction_set):
    for shape in ROWS:
        n = shape[0] * shape[1]
        x, y = (values(n, dtype, seed).reshape(shape) for seed in (11, 12))
        m = finite(values(shape[0], dtype, 13)).reshape(shape[0], 1)
        for operands in ((x, y, m), (finite(x), finite(y), m), (finite(x)[:, ::-1], finite(y), m)):
            got = REMADE[name](*operands)
            with nd.combine(False):
                wanted = REMADE[name](*operands)
            for one, other in zip(as_tuple(got), as_tuple(wanted), strict=True):
                equal_bits(one, other)


def as_tuple(x):
    return x if isinstance(x, tuple) else (x,)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("n", [3_500_000, 3_500_000 + 77])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_results_that_go_past_the_caches(dtype, n, instruction_set):
    a, b, c = (values(n + 1, dtype, seed) for seed in (5, 6, 7))

    def several(a, b):
        s = a * b
        t = s - a
        return s, t, t * s

    programs = [
        lambda: (a * b + c,),
        lambda: (a[1:] * b[:-1] + c[1:],),  # what is read need not lie at whole vectors
        lambda: several(a, b),
        lambda: (nd.tanh(a) * b + c,),
        lambda: (lambda t: (t, nd.exp(t) - t))(a - b),  # what is read again is written as usual
        lambda: (nd.sum((a - b) * c),),
    ]
    for program in programs:
        got = program()
        with nd.combine(False):
            wanted = program()
        for one, other in zip(got, wanted, strict=True):
            equal_bits(one, other)


def test_rows_that_go_past_the_caches(instruction_set):
    x = values(2600 * 4096, "float32", 8).reshape(2600, 4096)

    def program(x):
        d = x - nd.mean(x, axis=-1, keepdims=True)
        return d / nd.sqrt(nd.mean(d * d, axis=-1, keepdims=True) + 1e-5)

    got = program(x)
    with nd.combine(False):
        equal_bits(got, program(x))


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize(
    "shape", [(17, 4118), (64, 2061), (300, 2080), (5, 3, 4110), (3, 40, 2050), (16, 2048)], ids=str
)
def test_columns_with_few_behind_the_last_strip(shape, dtype, instruction_set):
    """Sums down columns are made for many of them at a time; those that are left are as few as narrow rows have."""
    x = finite(values(int(np.prod(shape)), dtype, 13)).reshape(shape)
    turned = tuple(range(len(shape)))[::-1]
    for axis in [*range(len(shape)), *([(0, 1)] if len(shape) == 3 else [])]:
        for function in (nd.sum, nd.mean, nd.prod):
            for program in (
                lambda: function(x * 0.75, axis=axis),  # noqa: B023
                lambda: function(nd.permute_dims(x * 0.75, turned), axis=axis),  # noqa: B023
                lambda: function(nd.permute_dims(x, turned) * 0.75, axis=axis),  # noqa: B023
            ):
                got = program()
                with nd.combine(False):
                    equal_bits(got, program())


def test_any_number_of_threads():
    a, b = finite(values(3_000_077, "float32", 9)), finite(values(3_000_077, "float32", 10))
    rows = a[: 700 * 4099].reshape(700, 4099)
    programs = [
        lambda: a * b + a,
        lambda: nd.sum(a * b + a),
        lambda: nd.max(a - b),
        lambda: nd.mean((rows - 0.5) ** 2, axis=-1),
    ]
    for program in programs:
        results = []
        for n in (1, 2, 3):
            with nd.threads(n):
                results.append(np.asarray(program()))
        for other in results[1:]:
            equal_bits(results[0], other)


def test_a_sum_is_one_pass_that_writes_nothing():
    a, b = values(300_000, "float32", 11), values(300_000, "float32", 12)
    before, n_bytes = nd.combine_statistics(), nd.memory.stats()
    total = nd.sum(a * b - a)
    after = nd.combine_statistics()
    assert after.launched - before.launched == 1
    assert after.bytes_saved - before.bytes_saved >= 2 * a.size * 4
    assert nd.memory.stats().pending_bytes == n_bytes.pending_bytes
    assert total.shape == ()
