"""The oneDNN helper against the built-in path; how it is found, switched off and refused."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nd4py as nd
from nd4py.cpu.onednn import onednn

IS_INSTALLED = nd.config()["helpers"].startswith("oneDNN")
needs_library = pytest.mark.skipif(not IS_INSTALLED, reason="oneDNN is not installed: pip install onednn-cpu-gomp")


@pytest.fixture
def everywhere():
    """Helpers on, for every shape that they can do."""
    before = nd.helpers(True)
    onednn.use_everywhere(True)
    yield
    onednn.use_everywhere(False)
    nd.helpers(before)


def numbers(shape, seed, dtype="float32"):
    return nd.asarray(np.random.default_rng(seed).standard_normal(shape).astype(dtype))


def results(x_shape, w_shape, dtype="float32", has_bias=True, **options):
    """y and the gradients of x, w and bias."""
    x, w = numbers(x_shape, 1, dtype), numbers(w_shape, 2, dtype)
    operands = (x, w, numbers(w_shape[:1], 3, dtype)) if has_bias else (x, w)
    convolve = nd.conv2d if x.ndim == 4 else nd.conv3d
    y = convolve(*operands, **options)
    weights = numbers(y.shape, 4, dtype)
    gradients = nd.grad(lambda *a: nd.sum(convolve(*a, **options) * weights), argnums=tuple(range(len(operands))))
    return [y, *gradients(*operands)]


def built_in(*arguments, **options):
    before = nd.helpers(False)
    try:
        return results(*arguments, **options)
    finally:
        nd.helpers(before)


def assert_close(got, want):
    for one, other in zip(got, want, strict=True):
        other = np.asarray(other)
        np.testing.assert_allclose(np.asarray(one), other, rtol=1e-4, atol=1e-5 * (1 + np.abs(other).max(initial=0)))


@st.composite
def convolutions(draw):
    """Shapes of x and w, of images or volumes, and the options that fit them."""
    n_axes, groups, channels = draw(st.integers(2, 3)), draw(st.integers(1, 3)), draw(st.integers(1, 20))
    kernel, dilation, stride = (tuple(draw(st.integers(1, 3)) for _ in range(n_axes)) for _ in range(3))
    padding = tuple(draw(st.integers(0, 2)) for _ in range(2 * n_axes))
    sizes = [(k - 1) * d + draw(st.integers(1, 9)) for k, d in zip(kernel, dilation, strict=True)]
    x = (draw(st.integers(1, 4)), groups * channels, *sizes)
    w = (groups * draw(st.integers(1, 20)), channels, *kernel)
    return x, w, {"groups": groups, "dilation": dilation, "stride": stride, "padding": padding}


@needs_library
@settings(max_examples=60)
@given(convolution=convolutions(), has_bias=st.booleans())
def test_both_paths_agree(convolution, has_bias):
    x, w, options = convolution
    onednn.use_everywhere(True)
    try:
        got = results(x, w, has_bias=has_bias, **options)
    finally:
        onednn.use_everywhere(False)
    assert_close(got, built_in(x, w, has_bias=has_bias, **options))


@needs_library
@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_thread_count_agrees(everywhere, n):
    want = built_in((4, 64, 14, 14), (96, 64, 3, 3), padding=1)
    with nd.threads(n):
        assert_close(results((4, 64, 14, 14), (96, 64, 3, 3), padding=1), want)


@needs_library
@pytest.mark.parametrize("x_shape, w_shape, groups, taken", [
    ((9, 128, 13, 13), (32, 128, 3, 3), 1, ""),
    ((1, 320, 9, 9), (320, 320, 3, 3), 1, "dw"),
    ((9, 128, 15, 15), (32, 128, 5, 5), 1, "y dx dw"),
    ((2, 128, 7, 7), (32, 128, 3, 3), 1, "dx dw"),
    ((2, 64, 7, 7), (32, 64, 3, 3), 1, "dx dw"),
    ((2, 64, 9, 9), (64, 16, 3, 3), 4, "dx dw"),
    ((2, 64, 9, 9), (50, 64, 3, 3), 1, ""),
    ((2, 256, 9, 9), (256, 256, 1, 1), 1, "dx dw"),
    ((2, 256, 40, 40), (256, 256, 1, 1), 1, ""),
    ((2, 32, 14, 14), (32, 1, 3, 3), 32, "dx dw"),
    ((2, 32, 14, 14), (32, 1, 5, 5), 32, ""),
], ids=str)  # fmt: skip
def test_it_takes_what_it_is_faster_at(x_shape, w_shape, groups, taken):
    x, w = numbers(x_shape, 1), numbers(w_shape, 2)

    def loss(x, w):
        return nd.sum(nd.conv2d(x, w, groups=groups))

    calls = [n_taken(lambda: nd.conv2d(x, w, groups=groups))]
    calls += [n_taken(lambda argnums=argnums: nd.grad(loss, argnums)(x, w)) - calls[0] for argnums in (0, 1)]
    assert calls == [name in taken.split() for name in ("y", "dx", "dw")]
    assert_close(*(run(x_shape, w_shape, has_bias=False, groups=groups) for run in (results, built_in)))


def n_taken(call):
    """How many convolutions of a call the helper computes."""
    before = onednn.times_used()
    with nd.combine(False):
        call()
    return onednn.times_used() - before


@pytest.mark.parametrize("dtype, shapes", [
    ("float64", ((2, 64, 9, 9), (32, 64, 3, 3))),
    ("float32", ((2, 4, 9, 9), (6, 4, 3, 3))),
], ids=str)  # fmt: skip
def test_it_leaves_the_rest_to_the_built_in_path(dtype, shapes):
    got, want = results(*shapes, dtype), built_in(*shapes, dtype)
    assert [np.asarray(a).tobytes() for a in got] == [np.asarray(a).tobytes() for a in want]


@needs_library
def test_concurrent_callers(everywhere):
    shapes = [((2, channels, 8, 8), (16, channels, 3, 3)) for channels in range(16, 24)]
    want = [built_in(*shape) for shape in shapes]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            for got, expected in zip(pool.map(lambda shape: results(*shape), shapes), want, strict=True):
                assert_close(got, expected)


@needs_library
def test_more_shapes_than_are_kept(everywhere):
    weights = np.asarray(numbers((4, 8, 1, 1), 2))
    for width in [*range(1, 150), 1, 2]:
        x = numbers((1, 8, 1, width), width)
        y = nd.conv2d(x, nd.asarray(weights))
        want = np.einsum("nchw,fc->nfhw", np.asarray(x), weights[:, :, 0, 0])
        np.testing.assert_allclose(np.asarray(y), want, rtol=1e-4, atol=1e-5)


def test_it_can_be_switched_off():
    before = nd.helpers(False)
    assert nd.config()["helpers"] == "switched off"
    assert nd.helpers(True) is False
    assert nd.config()["helpers"] != "switched off"
    nd.helpers(before)
    with pytest.raises(TypeError, match="helpers: needs True or False, given 1"):
        nd.helpers(1)


PROGRAM = """
import nd4py as nd
print(nd.config()["helpers"])
print(nd.conv2d(nd.ones((1, 64, 5, 5)), nd.ones((1, 64, 3, 3))).sum())
"""


@pytest.mark.parametrize("name, value, said", [
    ("ND4PY_HELPERS", "0", "switched off"),
    ("ND4PY_ONEDNN", "/nowhere/libdnnl.so", "/nowhere/libdnnl.so is no oneDNN 3"),
])  # fmt: skip
def test_environment(monkeypatch, name, value, said):
    monkeypatch.setenv(name, value)
    words = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True).stdout
    assert words.split("\n")[0] == said
    assert "5184" in words


@needs_library
@pytest.mark.parametrize("direction", ["y", "dx", "dw"])
def test_a_graph_repeats_its_convolutions(everywhere, direction):
    x, w, bias = numbers((2, 16, 9, 9), 1), numbers((32, 16, 3, 3), 2), numbers((32,), 3)

    def compute(x):
        if direction == "y":
            return nd.conv2d(x, w, bias, padding=1)
        return nd.grad(lambda x, w: nd.sum(nd.square(nd.conv2d(x, w, padding=1))), direction == "dw")(x, w)

    graph = nd.capture(compute, x)
    before, other = onednn.times_used(), numbers((2, 16, 9, 9), 4)
    found = graph(other)
    assert onednn.times_used() == before  # which counts what is not repeated
    assert found.tobytes() == compute(other).tobytes()
    assert onednn.times_used() > before
