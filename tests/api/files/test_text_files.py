"""Text files, raw files and mapped ones: what NumPy writes is read, and the other way round."""

import io
import re

import numpy
import pytest
from beside_numpy import check

import nd4py as nd

LINES = ["1 2 3", "4 5 6"]
READING = {
    "loadtxt": lambda np: np.loadtxt(LINES),
    "dtype": lambda np: np.loadtxt(LINES, dtype="int32"),
    "delimiter": lambda np: np.loadtxt(["1,2", "3,4"], delimiter=","),
    "usecols": lambda np: np.loadtxt(LINES, usecols=(0, 2)),
    "unpack": lambda np: np.loadtxt(LINES, unpack=True),
    "skiprows": lambda np: np.loadtxt(["# a", "x y", "1 2"], skiprows=2),
    "max_rows": lambda np: np.loadtxt(LINES, max_rows=1, ndmin=2),
    "ragged": lambda np: np.loadtxt(["1 2", "3"]),
    "no number": lambda np: np.loadtxt(["1 x"]),
    "genfromtxt": lambda np: np.genfromtxt(["1,2", "3,"], delimiter=","),
    "filling": lambda np: np.genfromtxt(["1,2", "3,"], delimiter=",", filling_values=7),
    "skip_header": lambda np: np.genfromtxt(["a b", "1 2"], skip_header=1, dtype="int64"),
    "whole numbers": lambda np: np.genfromtxt(["1,2", "3,4"], delimiter=",", dtype=None),
    "real numbers": lambda np: np.genfromtxt(["1.5,2.5", "3.0,4e3"], delimiter=",", dtype=None),
    "complex numbers": lambda np: np.genfromtxt(["1.5", "3+1j"], dtype=None),
    "bools": lambda np: np.genfromtxt(["True False", "False True"], dtype=None),
    "genfromtxt ragged": lambda np: np.genfromtxt(["1 2", "3"]),
    "no source": lambda np: np.loadtxt(5),
}


@pytest.mark.parametrize("name", READING)
def test_text_is_read_as_numpy_reads_it(name):
    check(READING[name])


@pytest.mark.parametrize(
    "keywords", [{}, {"fmt": "%.3f"}, {"delimiter": ",", "header": "a b", "footer": "end"}, {"newline": ";"}]
)
@pytest.mark.parametrize("shape", [(4,), (3, 2), (0,)], ids=str)
def test_text_is_written_as_numpy_writes_it(shape, keywords):
    x = numpy.arange(float(numpy.prod(shape))).reshape(shape) / 7
    ours, theirs = io.StringIO(), io.StringIO()
    nd.savetxt(ours, nd.asarray(x), **keywords)
    numpy.savetxt(theirs, x, **keywords)
    assert ours.getvalue() == theirs.getvalue()


def test_text_comes_back(tmp_path):
    x = nd.asarray([[1.5, 2.25], [3.125, -4.0]])
    nd.savetxt(tmp_path / "x.txt", x.T)
    assert nd.loadtxt(tmp_path / "x.txt").tolist() == x.T.tolist()
    with pytest.raises(TypeError, match="differentiated"):
        nd.grad(lambda x: (nd.savetxt(tmp_path / "y.txt", x), x.sum())[1])(x)
    for wrong in (lambda: nd.savetxt(5, x), lambda: nd.savetxt(tmp_path / "z", x, delimiter=3)):
        with pytest.raises(TypeError, match="savetxt"):
            wrong()
    with pytest.raises(ValueError, match="lines of text"):
        nd.loadtxt(["a"])
    with pytest.raises(FileNotFoundError):
        nd.loadtxt(tmp_path / "nowhere")


@pytest.mark.parametrize("dtype", ["uint8", "int32", "float64", "complex64"])
def test_raw_files(tmp_path, dtype):
    values = numpy.arange(12).astype(dtype)
    values.tofile(tmp_path / "raw")
    path, size = tmp_path / "raw", values.dtype.itemsize
    for options in ({}, {"count": 3}, {"offset": 2 * size}, {"count": 2, "offset": size}):
        numpy.testing.assert_array_equal(nd.fromfile(path, dtype, **options), numpy.fromfile(path, dtype, **options))
    with pytest.raises(ValueError, match="offset"):
        nd.fromfile(path, dtype, offset=-1)


def test_mapped_files(tmp_path):
    path = tmp_path / "mapped"
    x = nd.memmap(path, dtype="float32", mode="w+", shape=(3, 4))
    x[...] = nd.arange(12.0, dtype="float32").reshape(3, 4)
    assert numpy.fromfile(path, "float32").tolist() == list(range(12))
    again = nd.memmap(path, "float32", "r", shape=(3, 4))
    assert again.tolist() == x.tolist()
    assert not again.is_writable
    assert nd.memmap(path, "float32", "r", 16).tolist() == list(range(4, 12))
    private = nd.memmap(path, "float32", "c")
    private[0] = 9
    assert numpy.fromfile(path, "float32")[0] == 0
    fortran = nd.memmap(path, "float32", "r+", 0, (3, 4), "F")
    assert fortran.T.is_contiguous
    fortran[1, 0] = 7
    assert numpy.fromfile(path, "float32")[1] == 7
    for wrong in (
        lambda: nd.memmap(path, "float32", "r", offset=2), lambda: nd.memmap(path, "float32", "r", shape=(99,)),
        lambda: nd.memmap(path, "float32", "x"), lambda: nd.memmap(path, order="x"), lambda: nd.memmap(path, mode="w+"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"\w"):
            wrong()
    with pytest.raises(TypeError, match="memmap"):
        nd.memmap(5)


def test_load_by_position_maps(tmp_path):
    nd.save(tmp_path / "x.npy", nd.arange(3))
    assert not nd.load(tmp_path / "x.npy", "r").is_writable
    assert nd.load(tmp_path / "x.npy", allow_pickle=True).tolist() == [0, 1, 2]


def test_columns_of_several_dtypes_are_refused():
    for lines in (["1.5,2", "3.5,4"], ["a,b"]):
        with pytest.raises(ValueError, match="not numbers of one dtype"):
            nd.genfromtxt(lines, delimiter=",", dtype=None)


LOG = "epoch 1 loss 0.5 | epoch 2 loss 0.25e-1 | epoch 30 loss -7"
FIELDS = [("epoch", "int64"), ("loss", "float32")]


@pytest.mark.parametrize("kind", ["path", "text", "bytes"])
def test_groups_of_an_expression_are_fields(tmp_path, kind):
    path = tmp_path / "log"
    path.write_text(LOG)
    source = {"path": lambda: path, "text": lambda: io.StringIO(LOG), "bytes": lambda: io.BytesIO(LOG.encode())}[kind]
    for expression in (r"epoch (\d+) loss ([-+.e\d]+)", re.compile(r"epoch (\d+) loss ([-+.e\d]+)")):
        found = nd.fromregex(source(), expression, FIELDS)
        expected = numpy.fromregex(io.StringIO(LOG), expression, FIELDS)
        for name, dtype in FIELDS:
            assert found[name].tolist() == expected[name].tolist()
            assert found[name].dtype == dtype
    assert nd.fromregex(source(), r"none (\d)", [("x", int)])["x"].shape == (0,)


def test_what_no_expression_finds_is_told():
    for dtype in (int, [int], "int64"):
        with pytest.raises(TypeError, match=r"a list of \(name, dtype\)"):
            nd.fromregex(io.StringIO(LOG), r"(\d)", dtype)
    with pytest.raises(ValueError, match="has 1 groups, dtype 2 names"):
        nd.fromregex(io.StringIO(LOG), r"(\d)", FIELDS)
    with pytest.raises(ValueError, match="'epoch' holds no number that int64 has"):
        nd.fromregex(io.StringIO(LOG), r"(epoch)", [("x", int)])
    with pytest.raises(FileNotFoundError):
        nd.fromregex("nowhere.txt", r"(\d)", [("x", int)])


@pytest.mark.parametrize("dtype", [">i2", ">u8", ">f4", ">f8", ">c8"])
def test_files_in_the_other_order_of_bytes_are_read(tmp_path, dtype):
    path = tmp_path / "foreign.bin"
    numpy.arange(5).astype(dtype).tofile(path)
    found = nd.fromfile(path, dtype, 3)
    assert (found.tolist(), found.dtype) == ([0, 1, 2], numpy.dtype(dtype).newbyteorder("="))


@pytest.mark.parametrize("formats", [["%d"], ("%d", "%d"), ["%d"] * 4])
def test_another_number_of_formats_is_told(tmp_path, formats):
    with pytest.raises(TypeError, match=f"fmt has {len(formats)} formats for rows of 3"):
        nd.savetxt(tmp_path / "x.txt", nd.ones((2, 3)), fmt=formats)
