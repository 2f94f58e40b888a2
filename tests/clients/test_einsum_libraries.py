"""einops and opt_einsum."""

import numpy as np
import pytest
from compare import check

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
