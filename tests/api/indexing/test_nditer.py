"""nditer gives the elements of NumPy's, in its orders, and writes to them."""

import itertools

import numpy
import pytest

import nd4py as nd

VIEWS = {
    "plain": lambda x: x, "transposed": lambda x: x.T, "backwards": lambda x: x[::-1], "gaps": lambda x: x[:, ::2],
    "turned": lambda x: x[:, ::-1].T, "another axis": lambda x: x[..., None],
}  # fmt: skip
SHAPES = ((2, 3), (4, 5), (1, 3), (3, 1))
FLAGS = ([], ["multi_index"], ["c_index"], ["f_index"], ["external_loop"], ["external_loop", "buffered"], ["buffered"])


def numbers(np, *shape, dtype="int64"):
    return np.asarray(numpy.arange(numpy.prod(shape), dtype=dtype).reshape(shape))


def plain(x):
    return tuple(map(plain, x)) if isinstance(x, tuple) else numpy.asarray(x).tolist()


def elements(np, view, shape, flags, order):
    it = np.nditer(VIEWS[view](numbers(np, *shape)), flags=flags, order=order)
    return [
        (plain(x), it.multi_index if "multi_index" in flags else None, it.index if flags[-1:] == ["f_index"] else None)
        for x in it
    ]


@pytest.mark.parametrize("order", "KCFA")
@pytest.mark.parametrize("view", VIEWS)
def test_elements_come_in_numpys_order(view, order):
    for shape, flags in itertools.product(SHAPES, FLAGS):
        assert elements(nd, view, shape, flags, order) == elements(numpy, view, shape, flags, order), (shape, flags)


def gone_to(np, view, shape, order):
    it = np.nditer(VIEWS[view](numbers(np, *shape)), flags=["multi_index"], order=order)
    found = []
    for index in numpy.ndindex(it.shape):
        it.multi_index = index
        found.append((plain(it[0]), it.multi_index, plain(next(it)), it.iterindex))
        other = it.copy()
        assert other.multi_index == index
        found.append([plain(x) for x in other])
        assert it.multi_index == index  # the copy has gone on by itself
    return found


@pytest.mark.parametrize("order", "KCFA")
@pytest.mark.parametrize("view", VIEWS)
def test_loops_go_to_an_index_and_are_copied(view, order):
    for shape in SHAPES:
        assert gone_to(nd, view, shape, order) == gone_to(numpy, view, shape, order), shape


def test_indices_that_a_loop_has_not():
    it = nd.nditer(nd.ones((2, 3)), flags=["multi_index"])
    for index in ((2, 0), (0, -1), (0,), (0, 0, 0)):
        with pytest.raises(IndexError, match="has no index"):
            it.multi_index = index
    with pytest.raises(ValueError, match="the flag 'multi_index'"):
        nd.nditer(nd.ones(3)).multi_index = (0,)


def written(np, view, shape, order):
    x = VIEWS[view](numbers(np, *shape))
    y = numbers(np, *x.shape)
    found = [[plain(pair) for pair in np.nditer([x, y], order=order)]]
    it = np.nditer([x, None], order=order)
    for given, made in it:
        made[...] = given * given + 1
    found.append(plain(it.operands[1]))
    with np.nditer(x, op_flags=["readwrite"], order=order) as it:
        for element in it:
            element[...] = 2 * element
    found.append(plain(x))
    for flags in (["external_loop"], ["external_loop", "buffered"]):
        with np.nditer([x, y], flags=flags, op_flags=[["readwrite"], ["readonly"]], order=order) as it:
            for left, right in it:
                left[...] = left + right
        found.append(plain(x))
    it = np.nditer(x, flags=["multi_index"], op_flags=["writeonly"])
    with it:
        while not it.finished:
            it[0] = it.multi_index[1] - it.multi_index[0]
            it.iternext()
    return [*found, plain(x)]


@pytest.mark.parametrize("order", "KCFA")
@pytest.mark.parametrize("view", VIEWS)
def test_writing_gives_what_numpys_gives(view, order):
    for shape in SHAPES:
        assert written(nd, view, shape, order) == written(numpy, view, shape, order), shape


def reduced(np, shape):
    x, y = numbers(np, 2, 3), np.zeros(shape, dtype="int64")
    with np.nditer([x, y], flags=["reduce_ok"], op_flags=[["readonly"], ["readwrite"]]) as it:
        for left, right in it:
            right[...] += left
    return plain(y)


def converted(np):
    x = numbers(np, 2, 3)
    with np.nditer(x, flags=["buffered"], op_flags=["readwrite"], op_dtypes=["float64"], casting="unsafe") as it:
        for element in it:
            element[...] = element * 1.5
        dtypes = [str(dtype) for dtype in it.dtypes]
    return plain(x), dtypes


def square(np, x, out):
    flags = [["readonly"], ["writeonly", "allocate", "no_broadcast"]]
    with np.nditer([x, out], flags=["external_loop", "buffered"], op_flags=flags) as it:
        for left, right in it:
            right[...] = left * left
        return plain(it.operands[1])


PROGRAMS = {
    "broadcast": lambda np: [plain(x) for x in np.nditer([numbers(np, 3), numbers(np, 2, 3)])],
    "lists": lambda np: [plain(x) for x in np.nditer([[1, 2], [[3], [4]]])],
    "copy": lambda np: [plain(x) for x in np.nditer(numbers(np, 3), op_flags=["readonly", "copy"], op_dtypes="f8")],
    "buffered": lambda np: [plain(x) for x in np.nditer(numbers(np, 3), flags=["buffered"], op_dtypes=["complex128"])],
    "common": lambda np: [
        str(x.dtype) for x in next(np.nditer([numbers(np, 1), 1.5], ["common_dtype", "buffered"]))
    ],
    "sum": lambda np: reduced(np, ()),
    "sums of rows": lambda np: reduced(np, (2, 1)),
    "sums of columns": lambda np: reduced(np, (3,)),
    "converted": converted,
    "made": lambda np: square(np, [1, 2, 3], None),
    "given": lambda np: square(np, numbers(np, 3), np.zeros(3, dtype="int64")),
    "pieces": lambda np: [x.shape for x in np.nditer(numbers(np, 20_000), ["external_loop", "buffered"])],
    "size of pieces": lambda np: [
        x.shape for x in np.nditer(numbers(np, 9, 7), ["external_loop", "buffered"], buffersize=20)
    ],
    "no elements": lambda np: list(np.nditer(np.zeros((0, 3)), flags=["zerosize_ok"])),
    "no dimensions": lambda np: [plain(x) for x in np.nditer(np.asarray(5))],
    "sizes": lambda np: (np.nditer(numbers(np, 2, 3)).itersize, len(np.nditer([numbers(np, 2, 3), None]))),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_give_what_numpys_give(name):
    assert PROGRAMS[name](nd) == PROGRAMS[name](numpy)


WRONG = {
    "conversion": lambda np: np.nditer(numbers(np, 3), op_dtypes=["float64"]),
    "cast": lambda np: np.nditer(numbers(np, 3, dtype="float64"), flags=["buffered"], op_dtypes=["float32"]),
    "no elements": lambda np: np.nditer(np.zeros((0, 3))),
    "shapes": lambda np: np.nditer([numbers(np, 3), numbers(np, 2)]),
    "repeated": lambda np: np.nditer([numbers(np, 3), numbers(np, 2, 3)], op_flags=[["readwrite"], ["readonly"]]),
    "not to be repeated": lambda np: np.nditer(
        [numbers(np, 3), numbers(np, 2, 3)], op_flags=[["readonly", "no_broadcast"], ["readonly"]]
    ),
    "read-only operand": lambda np: np.nditer(np.broadcast_to(numbers(np, 3), (2, 3)), op_flags=["readwrite"]),
    "read-only element": lambda np: [x.__setitem__(Ellipsis, 1) for x in np.nditer(numbers(np, 3))],
    "flag": lambda np: np.nditer(numbers(np, 3), flags=["fast"]),
    "operand's flag": lambda np: np.nditer(numbers(np, 3), op_flags=["fast"]),
    "no mode": lambda np: np.nditer(numbers(np, 3), op_flags=["copy"]),
    "flags of others": lambda np: np.nditer([numbers(np, 3)], op_flags=[["readonly"], ["readonly"]]),
    "index of lines": lambda np: np.nditer(numbers(np, 3), flags=["external_loop", "multi_index"]),
    "order": lambda np: np.nditer(numbers(np, 3), order="X"),
    "not to be made": lambda np: np.nditer([numbers(np, 3), None], op_flags=[["readonly"], ["readwrite"]]),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_numpy_refuses_is_refused(name):
    with pytest.raises((ValueError, TypeError)) as theirs:
        WRONG[name](numpy)
    with pytest.raises(theirs.type, match=r"nditer|broadcast|read-only"):
        WRONG[name](nd)


def test_what_is_not_there_says_so():
    x, total = nd.ones((2, 3)), nd.zeros(())
    with pytest.raises(NotImplementedError, match="nditer"):
        nd.nditer([x, total], ["external_loop", "reduce_ok"], [["readonly"], ["readwrite"]])


@pytest.mark.parametrize("axes", [[0, 1], [1, 0], [0, -1], [-1, 0], [None, None], None, [0, 0], [1, -1]])
@pytest.mark.parametrize("flags", [[], ["external_loop"], ["multi_index"]])
def test_operands_to_be_made_have_axes(axes, flags):
    def totals(np):
        x, modes = np.asarray(numpy.arange(6.0).reshape(2, 3)), [["readonly"], ["readwrite", "allocate"]]
        with np.nditer([x, None], [*flags, "reduce_ok"], modes, op_axes=[None, axes]) as loop:
            made = loop.operands[1]
            made[...] = 0
            loop.reset()
            for value, total in loop:
                total[...] += value
        return numpy.asarray(made)

    try:
        expected = totals(numpy)
    except ValueError:
        with pytest.raises(ValueError, match="nditer"):
            totals(nd)
        return
    if "external_loop" in flags and expected.shape not in ((2, 3), (3, 2)):
        with pytest.raises(NotImplementedError, match="external_loop"):
            totals(nd)
        return
    found = totals(nd)
    assert found.shape == expected.shape
    assert found.tolist() == expected.tolist()


def test_a_loop_can_begin_again_and_tells_where_it_is():
    it = nd.nditer(nd.asarray([[1, 2], [3, 4]]), flags=["multi_index"])
    assert [(it.multi_index, x.item()) for x in it] == [((0, 0), 1), ((0, 1), 2), ((1, 0), 3), ((1, 1), 4)]
    with pytest.raises(ValueError, match="at its end"):
        _ = it.value
    it.reset()
    assert (it.iterindex, it[0].item(), it.finished) == (0, 1, False)
    assert it.iternext()
    assert (it.iterindex, it.value.item()) == (1, 2)


MAPPINGS = [
    ([[2, 0, 1]], None), ([[0, -1, 1]], None), ([[2, -1, -1]], None), ([[1]], None), ([[0, 1, -1]], (2, 3, 4)),
    ([[0, 1, -1]], (-1, -1, 5)), ([[0, None, 1]], (2, 7, 3)), ([[0, 0]], None), ([[0, 3]], None), ([[0, 1]], (4, 5)),
    (None, (2, 3, 4)),
]  # fmt: skip


@pytest.mark.parametrize(("op_axes", "itershape"), MAPPINGS)
@pytest.mark.parametrize("shape", [(2, 3, 4), (2, 3)])
def test_axes_are_mapped(shape, op_axes, itershape):
    x = numpy.arange(numpy.prod(shape)).reshape(shape)
    try:
        want = [int(value) for value in numpy.nditer(x, op_axes=op_axes, itershape=itershape)]
    except ValueError:
        with pytest.raises(ValueError, match=r"nditer: |broadcast"):
            nd.nditer(nd.asarray(x), op_axes=op_axes, itershape=itershape)
    else:
        assert [int(value) for value in nd.nditer(nd.asarray(x), op_axes=op_axes, itershape=itershape)] == want


def test_mapped_axes_of_several_operands_and_of_what_is_written():
    a, b = numpy.arange(24).reshape(2, 3, 4), numpy.arange(6).reshape(2, 3)
    for order in "CFK":
        keywords = {"op_axes": [None, [0, 1, -1]], "order": order}
        want = [(int(x), int(y)) for x, y in numpy.nditer([a, b], **keywords)]
        assert [(int(x), int(y)) for x, y in nd.nditer([nd.asarray(a), nd.asarray(b)], **keywords)] == want
    x = nd.zeros((3, 2))
    with nd.nditer([x], op_axes=[[1, 0]], op_flags=["readwrite"], order="C") as loop:
        for n, element in enumerate(loop):
            element[...] = n
    assert x.tolist() == [[0, 3], [1, 4], [2, 5]]
