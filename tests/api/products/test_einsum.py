"""Einstein sums against NumPy: every form of subscripts, any number of operands, broadcasting, paths, gradients."""

import numpy as np
import pytest
from central_differences import check_gradient
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import nd4py as nd

SIZES = {"a": 2, "b": 3, "c": 4, "d": 5, "i": 3, "j": 4, "k": 5, "l": 2, "z": 1, "0": 0}
CASES = [
    "ij,jk->ik", "ij,jk->ki", "bij,bjk->bik", "ij->ji", "ii->i", "ii->", "ii", "ij->i", "ij->j", "ij->", "i,i->",
    "ijk,kl->ijl", "ij,ij->ij", "ij,ij->ji", "ij,ij->i", "ij,ij->j", "ij,ij->", "ij,j->i", "ij,i->j", "i,j->ij",
    "i,j->ji", "i,j", "ij,jk", "ba", "iij->j", "iij->ij", "iii->i", "iijj->ij", "ijij->", "ij,jk,kl->il",
    "ij,jk,kl,la->ia",
    "ij,jk,kl,la,ab->ib", "ij,jk,kl,la,ab,bc->ic", "i,j,k->ijk", "ij,kl->ijkl", "bij,bkj->bik", "ibj,kbj->bik",
    "ijk,ijk->k", "abc,cb->a", "abc,acb->b", "ij,ik->jk", "ij,kj->ik", "ji,jk->ik", "i->", "i->i", "->", ",->", ",i->i",
    "ij,->ij", "ijk,jl,kl->il", "ab,ab,ab->b", "abcd,dcba->ab", "i,i,i->i", "ai,bi,ci->abc", "ij,jj->i", "ii,jj->ij",
    "a,b->", "ij,kl->il", "abc,d->da", "0i,ij->0j", "i0,0j->ij", "0,0->", "b0c->bc", "bac,b0->ca", "zi,ij->zj", "zz->z",
]  # fmt: skip
BROADCAST = [
    ("...ij,...jk->...ik", (2, 3, 4), (4, 5)), ("...ij,...jk->...ik", (7, 2, 3, 4), (2, 4, 5)),
    ("...ij,...jk", (1, 3, 4), (6, 4, 5)), ("...i->...", (2, 3, 4)), ("i...->...", (2, 3, 4)), ("...", (2, 3)),
    ("i...,...", (2, 3), (3,)), ("...,...", (2, 1, 3), (4, 1)), ("...ii->...i", (2, 3, 3)), ("i...i->...i", (3, 2, 3)),
    ("...a,...a->...", (2, 3, 4), (3, 4)), ("a...b,b...->...a", (2, 3, 4), (4, 3)), ("ij,jk->ik", (2, 1), (3, 4)),
    ("i,i->i", (1,), (3,)), ("i,i->", (1,), (3,)), ("ij,ij->ij", (1, 3), (4, 1)), ("ij,ij->", (1, 3), (4, 1)),
    ("...,->...", (2, 3), ()), ("k...,jk", (5, 2, 3), (4, 5)), ("i,i->i", (1,), (0,)),
    ("b...,b...->b...", (2, 3), (2, 1)),
    ("...ij->...ji", (2, 3, 4)), ("...ij->ji...", (2, 3, 4)), ("...,...,...", (3,), (2, 1), (1, 1, 1)),
]  # fmt: skip


def numbers(shape, dtype="float64", seed=0):
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind in "iu":
        return rng.integers(0, 50, shape).astype(dtype)
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if "complex" in dtype else x).astype(dtype)


def operands_of(subscripts, dtype="float64"):
    """Random operands whose sizes are those of the letters."""
    terms = subscripts.partition("->")[0].split(",")
    return [numbers(tuple(SIZES[letter] for letter in term), dtype, i) for i, term in enumerate(terms)]


def letters_only(subscripts):
    return subscripts.replace("0", "e")


def assert_close(got, want):
    want = np.asarray(want)
    assert isinstance(got, nd.NDArray)
    assert (got.shape, got.dtype) == (want.shape, want.dtype.name)
    if want.dtype.kind in "fc":
        tolerance = 1e-4 if want.dtype.itemsize in (4, 8) and want.dtype.name != "float64" else 1e-11
        np.testing.assert_allclose(np.asarray(got), want, rtol=tolerance, atol=10 * tolerance)
    else:
        np.testing.assert_array_equal(np.asarray(got), want)


@pytest.mark.parametrize("optimize", [True, False])
@pytest.mark.parametrize("subscripts", CASES)
def test_matches_numpy(subscripts, optimize):
    operands = operands_of(subscripts)
    subscripts = letters_only(subscripts)
    got = nd.einsum(subscripts, *map(nd.asarray, operands), optimize=optimize)
    assert_close(got, np.einsum(subscripts, *operands))


@pytest.mark.parametrize("dtype", ["int8", "uint64", "float32", "complex64", "complex128"])
@pytest.mark.parametrize("subscripts", ["ij,jk->ik", "ij->i", "ij,ij->j", "ii->", "i,j->ij", "bij,bj->bi", "ij,ij->i"])
def test_every_dtype(subscripts, dtype):
    operands = operands_of(subscripts, dtype)
    assert_close(nd.einsum(subscripts, *map(nd.asarray, operands)), np.einsum(subscripts, *operands))


@pytest.mark.parametrize("subscripts", ["ij,jk->ik", "ij->i", "ij,ij->j", "ii->i", "i,j->ij", "ii->"])
def test_bools_are_joined_by_or(subscripts):
    operands = [x > 0.8 for x in operands_of(subscripts)]
    assert_close(nd.einsum(subscripts, *map(nd.asarray, operands)), np.einsum(subscripts, *operands))


def test_dtypes_are_promoted():
    x, y = numbers((2, 3), "int32"), numbers((3, 4), "complex64")
    assert_close(nd.einsum("ij,jk", nd.asarray(x), nd.asarray(y)), np.einsum("ij,jk", x, y))
    x, y = np.full((2, 300), 100, "int8"), np.ones(300, "int32")
    assert_close(nd.einsum("ij,j->i", nd.asarray(x), nd.asarray(y)), np.einsum("ij,j->i", x, y))
    x = nd.full((2, 3), 1.5, dtype="float16")
    assert nd.einsum("ij,ij->i", x, x).dtype == nd.float16


@pytest.mark.parametrize("subscripts, shapes", [(case[0], case[1:]) for case in BROADCAST], ids=str)
@pytest.mark.parametrize("optimize", [True, False])
def test_ellipsis_and_broadcasting(subscripts, shapes, optimize):
    operands = [numbers(shape, seed=i) for i, shape in enumerate(shapes)]
    got = nd.einsum(subscripts, *map(nd.asarray, operands), optimize=optimize)
    assert_close(got, np.einsum(subscripts, *operands))


@pytest.mark.parametrize("arguments", [
    ((2, 3), [0, 1], (3, 4), [1, 2], [0, 2]),
    ((2, 3), [0, 1], (3, 4), [1, 2]),
    ((2, 3), [51, 7]),
    ((3, 3), [0, 0], []),
    ((5, 2, 3), [..., 0, 1], (3, 4), [1, 2], [..., 2, 0]),
    ((5, 2, 3), (Ellipsis, 26, 25)),
    ((2,), [30], (3,), [20]),
], ids=str)  # fmt: skip
def test_list_form(arguments):
    theirs = [
        numbers(item, seed=i) if isinstance(item, tuple) and i % 2 == 0 and item else item
        for i, item in enumerate(arguments)
    ]
    ours = [nd.asarray(item) if isinstance(item, np.ndarray) else item for item in theirs]
    assert_close(nd.einsum(*ours), np.einsum(*theirs))


@st.composite
def sums(draw):
    """Any subscripts over one to four operands, with sizes 0 to 3, and axes of size 1 that broadcast."""
    letters = "abcde"
    sizes = {letter: draw(st.integers(0, 3)) for letter in letters}
    terms = draw(st.lists(st.text(letters, max_size=4), min_size=1, max_size=4))
    used = sorted(set("".join(terms)))
    output = draw(st.permutations(used)) if used else []
    output = output[: draw(st.integers(0, len(output)))]
    shapes = [tuple(sizes[letter] for letter in term) for term in terms]
    return ",".join(terms) + "->" + "".join(output), shapes, draw(st.booleans())


@settings(max_examples=300, deadline=None)
@given(sums())
def test_any_sum(case):
    subscripts, shapes, optimize = case
    assume(np.prod([size for shape in shapes for size in shape], dtype=float) < 1e6)
    operands = [numbers(shape, "int64", i) for i, shape in enumerate(shapes)]
    assert_close(nd.einsum(subscripts, *map(nd.asarray, operands), optimize=optimize), np.einsum(subscripts, *operands))


@settings(max_examples=100, deadline=None)
@given(
    subscripts=st.sampled_from(["ij,jk->ik", "bij,bjk->bik", "ij,ij->j", "ij,j->i", "ijk,kl->ijl", "ij,kj->ki"]),
    layouts=st.tuples(*[st.sampled_from(["plain", "transposed", "reversed", "strided", "repeated"])] * 2),
)  # fmt: skip
def test_every_layout(subscripts, layouts):
    layout = {
        "plain": lambda x: x,
        "transposed": lambda x: np.ascontiguousarray(x.T).T,
        "reversed": lambda x: np.ascontiguousarray(np.flip(x))[(slice(None, None, -1),) * x.ndim],
        "strided": lambda x: np.repeat(x, 2, -1)[..., ::2],
        "repeated": lambda x: np.broadcast_to(x[:1], x.shape),
    }
    operands = [layout[name](x) for name, x in zip(layouts, operands_of(subscripts), strict=False)]
    assert_close(nd.einsum(subscripts, *map(nd.asarray, operands)), np.einsum(subscripts, *operands))


@pytest.mark.parametrize("optimize", [
    "greedy", "optimal", ["einsum_path", (0, 1), (0, 1), (0, 1)], [(0, 3), (1, 2), (0, 1)], [(0, 1, 2, 3)], [(1, 2)],
    ("greedy", 100), [(2,), (0, 2, 3)], [],
], ids=str)  # fmt: skip
def test_paths(optimize):
    operands = operands_of("ij,jk,kl,la->ia")
    got = nd.einsum("ij,jk,kl,la->ia", *map(nd.asarray, operands), optimize=optimize)
    assert_close(got, np.einsum("ij,jk,kl,la->ia", *operands))


@pytest.mark.parametrize(
    "subscripts", ["ij,jk,kl,la,ab->ib", "ij,jk,kl->il", "ai,bi,ci->abc", "i,ij,jk,kl,la,ab,bc->c"]
)
def test_paths_of_numpy(subscripts):
    operands = operands_of(subscripts)
    path, _ = np.einsum_path(subscripts, *operands, optimize="greedy")
    got = nd.einsum(subscripts, *map(nd.asarray, operands), optimize=path)
    assert_close(got, np.einsum(subscripts, *operands))


def test_a_cheap_order_is_found():
    x, y = nd.ones((1000, 1000)), nd.ones(1000)
    assert nd.einsum("ij,jk,kl,lm,m->i", x, x, x, x, y)[0].item() == 1e12
    many = [nd.ones((2, 2)) for _ in range(20)]
    letters = "abcdefghijklmnopqrstuvw"
    chain = ",".join(letters[i : i + 2] for i in range(20)) + "->au"
    np.testing.assert_array_equal(np.asarray(nd.einsum(chain, *many)), np.full((2, 2), 2.0**19))


def test_views():
    x = nd.zeros((3, 3))
    nd.einsum("ii->i", x)[...] = 1.0
    nd.einsum("ij->ji", x)[0, 2] = 7.0
    np.testing.assert_array_equal(np.asarray(x), [[1, 0, 0], [0, 1, 0], [7, 0, 1]])


@pytest.mark.parametrize("subscripts, shapes, text", [
    ("ij,jk", ((2, 3),), "the subscripts name 2 operands, given 1"),
    ("ij", ((2, 3), (3,)), "the subscripts name 1 operands, given 2"),
    ("i", ((2, 3),), "the subscripts 'i' do not fit an operand of 2 dimensions"),
    ("...ijk", ((2, 3),), "do not fit an operand of 2 dimensions"),
    ("i$", ((2, 3),), r"subscripts are letters and one ellipsis.*given 'i\$'"),
    ("i.j", ((2, 3),), "subscripts are letters"),
    ("...i...", ((2, 3),), "one ellipsis"),
    ("i->ij", ((3,),), "name 'j', which no operand has"),
    ("i->ii", ((3,),), "'ii' repeat a label"),
    ("...i->i", ((2, 3),), "must hold the operands' ellipsis"),
    ("ij,jk", ((2, 2), (3, 4)), r"the label 'j' has sizes 2 and 3 in operands of shapes \(\(2, 2\), \(3, 4\)\)"),
    ("...,...", ((2,), (3,)), "the ellipsis has sizes 2 and 3"),
    ("ii", ((1, 3),), "the label 'i' has sizes 1 and 3 in one operand"),
])  # fmt: skip
def test_wrong_subscripts(subscripts, shapes, text):
    with pytest.raises(ValueError, match="einsum: .*" + text):
        nd.einsum(subscripts, *(nd.ones(shape) for shape in shapes))


def test_wrong_arguments():
    x = nd.ones((2, 2))
    with pytest.raises(TypeError, match="einsum: needs an array, given dict"):
        nd.einsum("ij", {1: 2})
    with pytest.raises(TypeError, match="einsum: labels are one-dimensional integers, given float64 .2, 2."):
        nd.einsum(x, x)
    with pytest.raises(ValueError, match="labels are numbers from 0 to 51 and Ellipsis, given 52"):
        nd.einsum(x, [0, 52])
    with pytest.raises(ValueError, match="one Ellipsis at most"):
        nd.einsum(x, [..., 0, ...])
    with pytest.raises(ValueError, match="needs one operand or more"):
        nd.einsum()
    with pytest.raises(ValueError, match="optimize must be True, False.*given 'fast'"):
        nd.einsum("ij,jk", x, x, optimize="fast")
    with pytest.raises(ValueError, match=r"step \(0, 2\) does not name some of 2 operands"):
        nd.einsum("ij,jk", x, x, optimize=[(0, 2)])


@pytest.mark.parametrize("subscripts", [
    "ij,jk->ik", "bij,bjk->bki", "ij->ji", "ii->i", "iij->j", "ij->i", "i,i->", "ij,ij->j", "ij,ij->i", "ij,j->i",
    "i,j->ij", "ij,jk,kl->li", "ijk,ijl,k->il", "ii,i->i", "ab,ab,ab->b",
])  # fmt: skip
def test_gradients(subscripts):
    operands = operands_of(subscripts)
    weights = nd.asarray(numbers(np.einsum(subscripts, *operands).shape, seed=9))
    for i, operand in enumerate(operands):

        def function(x, i=i):
            given = [x if k == i else nd.asarray(other) for k, other in enumerate(operands)]
            return nd.sum(nd.einsum(subscripts, *given) * weights)

        check_gradient(function, operand, rtol=1e-5, atol=1e-6)


def test_gradient_through_broadcasting():
    weights = nd.asarray(numbers((5, 2, 4), seed=2))
    y = nd.asarray(numbers((5, 3, 4), seed=1))
    check_gradient(lambda x: nd.sum(nd.einsum("...ij,...jk->...ik", x, y) * weights), numbers((1, 2, 3)), rtol=1e-5)
    check_gradient(lambda x: nd.sum(nd.einsum("i,i->i", x, y[0, :, 0]) * y[0, :, 1]), numbers((1,)), rtol=1e-5)


@pytest.mark.parametrize("subscripts, shapes", [
    ("ij,jk->ik", ((300, 200), (200, 500))), ("ij,ij->j", ((700, 900),) * 2), ("ij,ij->i", ((700, 900),) * 2),
    ("i,i->", ((1_000_001,),) * 2), ("ij->i", ((900, 800),)),
], ids=str)  # fmt: skip
def test_threads_change_no_bit(subscripts, shapes):
    operands = [nd.asarray(numbers(shape, "float32", i)) for i, shape in enumerate(shapes)]
    results = []
    for n in (1, 2, 3):
        with nd.threads(n):
            results.append(bytes(memoryview(nd.einsum(subscripts, *operands))))
    assert results[0] == results[1] == results[2]
