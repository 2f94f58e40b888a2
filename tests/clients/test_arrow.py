"""Columns of Arrow and polars: memory shared both ways, and refusals in words."""

import gc
import subprocess
import sys

import pytest

import nd4py as nd
from nd4py import nn

pa = pytest.importorskip("pyarrow")
DTYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64"]
NAMES = {"float16": "halffloat", "float32": "float", "float64": "double"}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [0, 1, 7])
def test_numbers_share_memory_both_ways(dtype, n):
    x = nd.arange(n).astype(dtype)
    theirs = pa.array(x)
    assert str(theirs.type) == NAMES.get(dtype, dtype)
    assert theirs.to_pylist() == x.tolist()
    ours = nd.asarray(theirs)
    assert (ours.dtype, ours.shape, ours.is_writable) == (dtype, (n,), False)
    if n:
        assert ours.address == theirs.buffers()[1].address == x.address
    sliced = nd.asarray(pa.array(range(n), theirs.type)[n // 2 :])
    assert sliced.tolist() == list(range(n))[n // 2 :]
    assert nd.asarray(theirs, copy=True).is_writable


@pytest.mark.parametrize("start", [0, 3, 9])
def test_bools_are_copied(start):
    values = [i % 3 == 0 for i in range(19)]
    assert pa.array(nd.asarray(values)).to_pylist() == values
    theirs = pa.array(values)[start:]
    assert nd.asarray(theirs).tolist() == values[start:]
    with pytest.raises(ValueError, match="bools are bits, which need a copy"):
        nd.asarray(theirs, copy=False)


def test_elements_with_gaps_are_copied_and_deferred_ones_computed():
    assert pa.array(nd.arange(10)[::-3]).to_pylist() == [9, 6, 3, 0]
    assert pa.compute.sum(pa.array(nd.ones(100_000) * 2 + 1)).as_py() == 300_000


def test_what_is_large_enough_to_be_deferred_is_converted():
    x = nd.arange(100_000)
    assert pa.compute.sum(pa.array(x, pa.float32())).as_py() == 4_999_950_000
    assert pa.compute.sum(pa.array(x % 2 == 1)).as_py() == 50_000
    assert nd.sum(nd.asarray(pa.array(x % 2 == 1))) == 50_000


@pytest.mark.parametrize("wanted", ["int8", "uint16", "int64", "float16", "float32", "float64", "bool_"])
@pytest.mark.parametrize("dtype", ["bool", "int32", "uint8", "float64"])
def test_a_type_that_is_wanted(dtype, wanted):
    x = nd.asarray([0, 1, 1]).astype(dtype)
    theirs = pa.array(x, getattr(pa, wanted)())
    assert theirs.type == getattr(pa, wanted)()
    assert theirs.to_pylist() == [0, 1, 1]


@pytest.mark.parametrize("values, wanted", [
    ([300], "int8"), ([-1], "uint8"), ([1.5], "int64"), ([float("nan")], "int32"), ([2**53 + 1], "float64"),
    ([2], "bool_"),
])  # fmt: skip
def test_numbers_that_do_not_fit_are_refused(values, wanted):
    with pytest.raises(ValueError, match="cannot hold all of these"):
        pa.array(nd.asarray(values), getattr(pa, wanted)())


def test_tables():
    x = nd.arange(3)
    table = pa.table({"a": x, "b": nd.asarray([True, False, True])})
    assert table.to_pydict() == {"a": [0, 1, 2], "b": [True, False, True]}
    assert nd.asarray(table["a"]).tolist() == [0, 1, 2]


def test_memory_lives_as_long_as_either_side_needs_it():
    x = nd.arange(1000.0)
    theirs = pa.array(x)
    del x
    gc.collect()
    _ = [nd.full(1000, 7.0) for _ in range(20)]
    assert theirs[999].as_py() == 999.0
    ours = nd.asarray(theirs)
    del theirs
    gc.collect()
    assert nd.sum(ours) == 999 * 500
    with nd.workspace("arrow"):
        theirs = pa.array(nd.arange(100.0))
    with nd.workspace("arrow"):
        _ = nd.full(100, 7.0)
    assert theirs.to_pylist() == list(range(100))
    del theirs


def test_columns_may_outlive_the_interpreter():
    program = "import nd4py as nd, pyarrow as pa\nx = nd.arange(5.0)\ncolumn = pa.array(x)\ny = nd.asarray(column)\n"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_capsules_that_nobody_takes_release_the_memory():
    x = nd.ones(1000)
    before = nd.memory.stats().live_bytes
    for _ in range(3):
        x.__arrow_c_array__()
    gc.collect()
    assert nd.memory.stats().live_bytes == before


@pytest.mark.parametrize("make, error, words", [
    (lambda: pa.array([1, None, 3]), ValueError, "1 elements are null.*fill_null"),
    (lambda: pa.array([1, None, None])[1:], ValueError, "2 elements are null"),
    (lambda: pa.array(["a", "b"]), TypeError, "no dtype for the elements of StringArray"),
    (lambda: pa.array([1, 2, 1]).dictionary_encode(), TypeError, "no dtype for the elements of DictionaryArray"),
])  # fmt: skip
def test_what_has_no_dtype_is_refused(make, error, words):
    with pytest.raises(error, match=words):
        nd.asarray(make())
    assert nd.asarray(pa.array([1, None, 3])[2:]).tolist() == [3]


@pytest.mark.parametrize("make, error, words", [
    (lambda: nd.ones((2, 2)), ValueError, r"one axis, given shape \(2, 2\); use x.reshape"),
    (lambda: nd.asarray(1.0), ValueError, "one axis"),
    (lambda: nd.ones(2, dtype="complex64"), TypeError, "Arrow has no complex64"),
    (lambda: nd.ones(2, dtype="bfloat16"), TypeError, "Arrow has no bfloat16"),
])  # fmt: skip
def test_what_arrow_lacks_is_refused(make, error, words):
    with pytest.raises(error, match=words):
        pa.array(make())


class Exporter:
    """Gives what it is told to."""

    def __init__(self, capsules):
        self.capsules = capsules

    def __arrow_c_array__(self, requested_schema=None):
        return self.capsules


def test_wrong_capsules_are_refused():
    schema, array = nd.ones(2).__arrow_c_array__()
    for wrong in (None, (schema,), (array, schema), (1, 2)):
        with pytest.raises(TypeError, match="__arrow_c_array__ must return"):
            nd.asarray(Exporter(wrong))
    assert nd.asarray(Exporter((schema, array))).tolist() == [1.0, 1.0]
    with pytest.raises(BufferError, match="released or consumed already"):
        nd.asarray(Exporter((schema, array)))


def test_a_gradient_is_not_lost():
    with pytest.raises(TypeError, match="differentiated"):
        nd.grad(lambda x: nd.sum(nd.asarray(pa.array(x))))(nd.ones(3))


def test_polars():
    polars = pytest.importorskip("polars")
    x = nd.arange(6.0)
    series = polars.Series("x", x)
    assert series.to_list() == x.tolist()
    assert nd.asarray(series).address == x.address
    frame = polars.DataFrame({"a": x, "b": nd.arange(12)[::2]})
    assert frame["b"].sum() == 30
    assert nd.asarray(frame["a"] * 2).tolist() == [2 * i for i in range(6)]


def test_columns_as_labels():
    net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(3), seed=2)
    x, numbers = nd.ones((4, 3)), pa.array([0, 1, 1, 0])
    expected = net.evaluate(x, nd.asarray([0, 1, 1, 0]))
    assert net.evaluate(x, numbers).to_json() == expected.to_json()
    for texts in (pa.array(["a", "b", "b", "a"]), pa.chunked_array([["a", "b"], ["b", "a"]])):
        for call in (net.evaluate, net.fit, net.score):
            with pytest.raises(TypeError, match=r"labels must be numbers: .*return_inverse=True.*nd\.one_hot"):
                call(x, texts)


@pytest.mark.parametrize("shape", [(6, 3), (6, 3, 3), (6, 3, 4), (1, 1), (5, 7, 3)])
def test_pictures_of_pillow_keep_their_axes(shape):
    """They offer their bytes to Arrow too, as one column."""
    images = pytest.importorskip("PIL.Image")
    pixels = nd.arange(nd.zeros(shape).size).reshape(shape).astype("uint8")
    picture = images.fromarray(pixels.to_numpy())
    for found in (nd.asarray(picture), nd.array(picture), nd.stack([picture, picture])[1]):
        assert (found.shape, found.dtype) == (shape, "uint8")
        assert found.tolist() == pixels.tolist()
    assert nd.asarray(picture, dtype="float32").shape == shape
    if len(shape) == 2:
        bits = images.fromarray((pixels > 3).to_numpy())
        assert nd.asarray(bits).tolist() == (pixels > 3).tolist()
