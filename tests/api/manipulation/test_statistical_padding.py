"""Padding with statistics, ramps, slopes and functions, as NumPy's."""

import numpy as np
import pytest

import nd4py as nd

ARRAYS = [
    np.arange(1, 6), np.arange(1, 7.0).reshape(2, 3), np.asarray([[3, 7, 1], [2, 9, 4]]), np.asarray([5]),
    np.asarray([[1.5], [0.5]], "float32"), np.arange(24.0).reshape(2, 3, 4) % 7,
]  # fmt: skip
WIDTHS = [1, 2, (1, 3), (0, 2), 9, 0]
MODES = [
    *[{"mode": mode} for mode in ("maximum", "mean", "median", "minimum", "linear_ramp")],
    *[{"mode": mode, "reflect_type": "odd"} for mode in ("reflect", "symmetric")],
    {"mode": "mean", "stat_length": 2}, {"mode": "minimum", "stat_length": (1, 3)},
    {"mode": "linear_ramp", "end_values": (3, -5)},
]  # fmt: skip


@pytest.mark.parametrize("settings", MODES, ids=str)
@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: str(array.shape))
def test_frames(settings, array):
    for widths in WIDTHS:
        got, want = nd.pad(nd.asarray(array), widths, **settings), np.pad(array, widths, **settings)
        assert got.dtype == want.dtype
        np.testing.assert_allclose(np.asarray(got), want, rtol=1e-6)


def test_widths_of_some_axes():
    x = ARRAYS[1]
    np.testing.assert_array_equal(np.asarray(nd.pad(x, {1: (2, 1)})), np.pad(x, ((0, 0), (2, 1))))
    np.testing.assert_array_equal(np.asarray(nd.pad(x, {-2: 1}, "edge")), np.pad(x, ((1, 1), (0, 0)), "edge"))


def test_a_function_writes_the_frame():
    def write(line, widths, axis, settings):
        line[: widths[0]] = settings.get("value", 10) + axis
        line[line.shape[0] - widths[1] :] = -1

    for array in ARRAYS[:3]:
        np.testing.assert_array_equal(np.asarray(nd.pad(array, 2, write, value=4)), np.pad(array, 2, write, value=4))


@pytest.mark.parametrize("settings", MODES, ids=str)
def test_gradients(settings):
    """The sum of weights times the frame is linear in the elements, but for those that are no median and no extreme."""
    x = np.asarray([[1.0, 4.0, 2.5], [0.5, 3.0, 7.0]])
    weights = nd.asarray(np.random.default_rng(1).normal(size=(6, 7)))

    def loss(x):
        return nd.sum(nd.pad(x, 2, **settings) * weights)

    got = np.asarray(nd.grad(loss)(nd.asarray(x)))
    for index in np.ndindex(x.shape):
        moved = [x.copy(), x.copy()]
        moved[0][index] -= 1e-4
        moved[1][index] += 1e-4
        low, high = (float(loss(nd.asarray(y))) for y in moved)
        np.testing.assert_allclose(got[index], (high - low) / 2e-4, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(
    "settings, error",
    [
        ({"mode": "mean", "stat_length": 0}, ValueError),
        ({"mode": "reflect", "reflect_type": "other"}, ValueError),
        ({"mode": "ramp"}, ValueError),
        ({"mode": "edge", "value": 1}, TypeError),
        ({"pad_width": {5: 1}}, ValueError),
    ],
)
def test_mistakes(settings, error):
    with pytest.raises(error):
        nd.pad(nd.ones((2, 3)), **{"pad_width": 1, **settings})


@pytest.mark.parametrize("keywords", [
    {"constant_values": (4, 5)}, {"mode": "linear_ramp", "end_values": 7}, {"mode": "mean", "stat_length": 2},
    {"mode": "reflect", "reflect_type": "odd"}, {"mode": lambda line, width, axis, more: line.fill(more["c"]), "c": 5},
], ids=["values", "ramp", "mean", "odd", "function"])  # fmt: skip
def test_numpys_function_hands_its_keywords_on(keywords):
    """`np.pad(x, 1, **keywords)` of our arrays, though NumPy's signature names none of these."""
    got = np.pad(nd.asarray([1.0, 2.0, 4.0]), (1, 2), **keywords)
    assert isinstance(got, nd.NDArray)
    np.testing.assert_allclose(np.asarray(got), np.pad(np.asarray([1.0, 2.0, 4.0]), (1, 2), **keywords))


def test_keywords_of_another_mode_are_refused():
    for mode, keywords in (
        ("edge", {"constant_values": 3}), ("constant", {"end_values": 2}), ("wrap", {"stat_length": 1}),
        ("mean", {"reflect_type": "odd"}), ("linear_ramp", {"constant_values": [1, 2]}),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=f"pad: {next(iter(keywords))} is for mode .*, not for '{mode}'"):
            nd.pad([1, 2, 3], 2, mode=mode, **keywords)
    assert nd.pad([1, 2], 1, mode="edge", constant_values=0).tolist() == [1, 1, 2, 2]
