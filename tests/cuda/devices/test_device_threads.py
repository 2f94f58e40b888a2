"""Several threads on one device and on two: everyone gets the numbers that one thread alone gets."""

import sys

import numpy as np
import pytest
from device_training import numpy_of

import nd4py as nd

pytestmark = pytest.mark.usefixtures("simulator")


@pytest.fixture(autouse=True)
def hasty_interpreter():
    """Threads take turns often; with a microsecond eight of them did little else."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    yield
    sys.setswitchinterval(before)


def many_layouts(device, seed):
    """Sums, products and steps with scalars over more layouts than any table of 64 records holds."""
    for n in range(1, 81):
        x = nd.full((2, n), float(seed + 1), device=device)
        assert numpy_of(nd.sum(x, axis=1)).tolist() == [(seed + 1.0) * n] * 2
        with nd.combine(False):
            y = x * (seed + n / 8) - x
        assert numpy_of(y)[1, -1] == (seed + 1) * (seed + n / 8) - (seed + 1)


def chains(device, seed):
    """Steps that are deferred, compiled and not, with scalars of their own."""
    x = nd.asarray(np.arange(24.0).reshape(4, 6), device=device)
    want = np.arange(24.0).reshape(4, 6)
    for k in range(12):
        y = nd.where(x > seed, x * (k + 0.5), -x) + seed
        np.testing.assert_array_equal(numpy_of(y), np.where(want > seed, want * (k + 0.5), -want) + seed)
        np.testing.assert_array_equal(numpy_of(nd.sum(y[:, ::2], axis=0)), numpy_of(y)[:, ::2].sum(axis=0))


def moves(device, seed):
    """Copies there, back, between layouts and dtypes; blocks go from hand to hand."""
    for n in range(1, 40):
        x = nd.asarray(np.arange(n * 3.0).reshape(n, 3) + seed, device=device)
        z = nd.astype(x.T, "float32").copy()
        x[...] = nd.asarray(np.full((n, 3), 7.0 + seed), device=device)
        np.testing.assert_array_equal(numpy_of(z), (np.arange(n * 3.0).reshape(n, 3) + seed).T)
        assert (numpy_of(x) == 7.0 + seed).all()


def scopes(device, seed):
    """Arenas of workspaces, and streams of their own."""
    with nd.cuda.Stream(device) as stream, stream.scope():
        for step in range(12):
            with nd.workspace(f"threads {seed}"):
                x = nd.full((5, 7), float(step + seed), device=device)
                found = numpy_of(nd.sum(x * 2.0 + 1.0, axis=0))
            assert (found == 5 * (2.0 * (step + seed) + 1.0)).all()
            del x


def draws(device, seed):
    """Sorting, looking up, masks and random numbers."""
    values = np.random.default_rng(seed).permutation(200).astype("float64")
    x = nd.asarray(values, device=device)
    for _ in range(3):
        np.testing.assert_array_equal(numpy_of(nd.sort(x)), np.sort(values))
        np.testing.assert_array_equal(numpy_of(x[x > 100.0]), values[values > 100.0])
        np.testing.assert_array_equal(numpy_of(nd.take(x, nd.argsort(x))), np.sort(values))
        np.testing.assert_array_equal(numpy_of(nd.cumulative_sum(x)), np.cumsum(values))


def maps(device, seed):
    """Rows of one, two and three operands, dense, transposed and repeated, of several dtypes."""
    rng = np.random.default_rng(seed)
    for dtype in ("float32", "int32", "float64"):
        a, b = (rng.integers(-50, 50, (12, 10)).astype(dtype) for _ in range(2))
        x, y = nd.asarray(a, device=device), nd.asarray(b, device=device)
        with nd.combine(False):
            np.testing.assert_array_equal(numpy_of(nd.maximum(x, y)), np.maximum(a, b))
            np.testing.assert_array_equal(numpy_of(x.T - y.T), a.T - b.T)
            np.testing.assert_array_equal(numpy_of(nd.where(x > y[:1], x, y[:, :1])), np.where(a > b[:1], a, b[:, :1]))
            np.testing.assert_array_equal(numpy_of(nd.clip(x[::2], -9, 9 + seed)), np.clip(a[::2], -9, 9 + seed))


def reductions(device, seed):
    """Along every axis, by lines, columns, blocks and pieces."""
    rng = np.random.default_rng(seed)
    for shape in ((3, 4, 5), (40, 70), (2, 3000), (3, 17000)):
        a = rng.integers(-9, 9, shape).astype("float64") + seed
        x = nd.asarray(a, device=device)
        for axis in (None, 0, -1):
            np.testing.assert_array_equal(numpy_of(nd.sum(x, axis=axis)), a.sum(axis))
            np.testing.assert_array_equal(numpy_of(nd.max(x * 2.0, axis=axis)), a.max(axis) * 2)
        np.testing.assert_array_equal(numpy_of(nd.argmin(x, axis=-1)), a.argmin(-1))


def products(device, seed):
    """Matrices of several sizes and layouts, batches of them, and factorizations."""
    rng = np.random.default_rng(seed)
    for rows, columns, depth in ((3, 4, 5), (65, 3, 40), (2, 70, 17)):
        a, b = rng.integers(-9, 9, (rows, depth)) + 0.0, rng.integers(-9, 9, (depth, columns)) + 0.0
        x, y = nd.asarray(a, device=device), nd.asarray(b, device=device)
        np.testing.assert_array_equal(numpy_of(x @ y), a @ b)
        np.testing.assert_array_equal(numpy_of(y.T @ x.T + seed), b.T @ a.T + seed)
    batch = rng.integers(-9, 9, (4, 3, 3)) + 20.0 * np.eye(3)
    stack = nd.asarray(batch, device=device)
    np.testing.assert_array_equal(numpy_of(stack @ stack), batch @ batch)
    np.testing.assert_allclose(
        numpy_of(nd.linalg.solve(stack, stack)), np.broadcast_to(np.eye(3), (4, 3, 3)), atol=1e-9
    )


def indexing(device, seed):
    """Slices, masks and index arrays, read and written."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 1000, (20, 6)).astype("float64")
    rows = rng.integers(0, 20, 9)
    for k in range(6):
        x, want = nd.asarray(a, device=device), a.copy()
        np.testing.assert_array_equal(numpy_of(x[nd.asarray(rows, device=device)]), want[rows])
        x[2::3, k] = 7.0 + seed
        want[2::3, k] = 7.0 + seed
        x[x > 500.0] = -1.0
        want[want > 500.0] = -1.0
        x[nd.asarray(rows, device=device)] = 3.0 * k
        want[rows] = 3.0 * k
        np.testing.assert_array_equal(numpy_of(x), want)


def random_numbers(device, seed):
    """Generators of their own: the host's bits."""
    here, there = nd.random.Generator(seed), nd.random.Generator(seed)
    for draw in (
        lambda rng, device: rng.uniform(0, 1, (7, 30), device=device),
        lambda rng, device: rng.normal(1, 2, 301, device=device),
        lambda rng, device: rng.integers(0, 100, 33, device=device),
        lambda rng, device: rng.permutation(50, device=device),
    ):
        np.testing.assert_array_equal(numpy_of(draw(there, device)), np.asarray(draw(here, "cpu")))


def networks(device, seed):
    """Gradients and steps of a small network, beside the same on the host."""
    rng = np.random.default_rng(seed)
    w, features = rng.normal(size=(5, 3)), rng.normal(size=(8, 5))
    labels = rng.integers(0, 3, 8)

    def loss(w, features, labels):
        return -nd.mean(nd.take_along_axis(nd.log_softmax(features @ w), labels[:, None], axis=1))

    def trained(device):
        own, given = nd.asarray(w, device=device), nd.asarray(features, device=device)
        numbers = nd.asarray(labels, device=device)
        for _ in range(3):
            own = own - 0.1 * nd.grad(loss)(own, given, numbers)
        return own

    np.testing.assert_allclose(numpy_of(trained(device)), np.asarray(trained("cpu")), rtol=1e-12)


WORK = {
    "layouts": many_layouts, "maps": maps, "reductions": reductions, "chains": chains, "products": products,
    "indexing": indexing, "moves": moves, "scopes": scopes, "draws": draws, "random": random_numbers,
    "networks": networks,
}  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_threads_get_their_own_numbers(crowd, work):
    crowd(work)
    nd.workspace_manager.destroy_all_workspaces_for_current_thread()


def test_threads_at_different_work(crowd):
    """Each does something else, and then what the next one did."""
    works = list(WORK.values())

    def in_turn(device, seed):
        for k in range(2):
            works[(seed + 4 * k) % len(works)](device, seed)

    crowd(in_turn)
    nd.workspace_manager.destroy_all_workspaces_for_current_thread()


def test_a_graph_keeps_its_layouts_and_scalars():
    """What a graph recorded does not depend on what is computed later, however much of it there is."""
    x = nd.ones(100, device="cuda:0")
    with nd.combine(False), nd.cuda.Graph(lambda: nd.sum(x) * 3.0 + 0.5) as graph:
        assert float(graph.launch()) == 300.5
        for n in range(1, 71):
            assert float(nd.sum(nd.ones((n, 3), device="cuda:0") * (n / 16))) == n * 3 * (n / 16)
        assert float(graph.launch()) == 300.5
