"""einops and opt_einsum."""

import subprocess
import sys

import numpy as np
import pytest
from compare import check

import nd4py as nd

X = np.random.default_rng(0).normal(size=(4, 6, 3))
Y = np.random.default_rng(1).normal(size=(6, 5))


def test_einops():
    einops = pytest.importorskip("einops.array_api")
    check(lambda x: einops.rearrange(x, "b (h w) c -> b h w c", h=2), X)
    check(lambda x: einops.rearrange(x, "b h c -> (b h) c"), X)
    check(lambda x: einops.reduce(x, "b h c -> b c", "mean"), X)
    check(lambda x: einops.reduce(x, "b (h w) c -> b h", "max", h=3), X)
    check(lambda x: einops.repeat(x, "b h c -> b h (2 c)"), X)
    check(lambda x: einops.unpack(*einops.pack([x, x * 2], "b * c"), "b * c"), X)
    check(lambda x: einops.asnumpy(x), X, is_ours=False)


@pytest.mark.parametrize(
    "subscripts", ["bhc,hk->bkc", "bhc,bhd->bcd", "bhc,hk,kl->bcl", "bhb->b", "bhc->", "bhc,bhc->bh"]
)
def test_opt_einsum(subscripts):
    contract = pytest.importorskip("opt_einsum").contract
    sizes = {"b": 4, "h": 6, "c": 3, "d": 2, "k": 5, "l": 7}
    rng = np.random.default_rng(0)
    operands = [rng.normal(size=[sizes[i] for i in term]) for term in subscripts.split("->")[0].split(",")]
    check(lambda *arrays: contract(subscripts, *arrays), *operands)


def test_opt_einsum_expression():
    expression = pytest.importorskip("opt_einsum").contract_expression("ij,jk,kl->il", (4, 6), (6, 5), (5, 3))
    check(lambda a, b, c: expression(a, b, c), X[:, :, 0], Y, np.ones((5, 3)))


def test_einops_itself():
    einops = pytest.importorskip("einops")
    check(lambda x: einops.rearrange(x, "b (h w) c -> b h w c", h=2), X)
    check(lambda x: einops.rearrange(x, "b h c -> (c b) h"), X)
    check(lambda x: einops.rearrange([x, x + 1], "k b h c -> b (k h) c"), X)
    for operation in ("mean", "max", "min", "sum", "prod"):
        check(lambda x, operation=operation: einops.reduce(x, "b (h w) c -> b c h", operation, w=2), X)
    check(lambda x: einops.repeat(x, "b h c -> b k h (2 c)", k=3), X)
    check(lambda x: einops.unpack(*einops.pack([x, x * 2], "b * c"), "b * c"), X)
    check(lambda x, y: einops.einsum(x, y, "b h c, h k -> b k c"), X, Y)
    check(lambda x: einops.asnumpy(x), X, is_ours=False)


def test_einops_on_deferred_arrays_and_gradients():
    einops = pytest.importorskip("einops")
    x = np.ones((400, 300))
    check(lambda x: einops.reduce(x * 2 + 1, "a b -> b", "sum"), x)
    gradient = nd.grad(lambda z: nd.sum(einops.reduce(z * z, "a b -> a", "mean")))(nd.asarray(x))
    np.testing.assert_allclose(np.asarray(gradient), 2 / 300 * x)


@pytest.mark.parametrize("order", ["einops, nd4py", "nd4py, einops", "dask.array, nd4py", "nd4py, dask.array"])
def test_registration_whichever_is_imported_first(order):
    library = order.replace("nd4py", "").strip(", ")
    pytest.importorskip(library)
    uses = {
        "einops": "assert einops.rearrange(nd.ones((2, 3)), 'a b -> b a').shape == (3, 2)",
        "dask.array": "import dask.array as da\n"
        "for y in (da.ones(3) + nd.ones(3), nd.ones(3) + da.ones(3), da.from_array(nd.ones(3)) * nd.ones(3)):\n"
        "    assert isinstance(y, da.Array) and y.compute().shape == (3,)",
    }
    program = f"import {order}\nimport nd4py as nd, inspect, sys\n{uses[library]}\n"
    program += f"module = sys.modules['{library}']\nassert inspect.getsource(module)\n"
    program += "assert 'registrations' not in repr(module.__spec__.loader)\nprint('done')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=200)
    assert done.stdout == "done\n", done.stderr
