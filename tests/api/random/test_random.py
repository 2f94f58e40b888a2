"""Random numbers: the published Philox vectors, distributions, and streams that depend on nothing but the seed."""

import hashlib
import pickle

import numpy as np
import pytest

import nd4py as nd
from nd4py.cpu.random.random import philox_block

DRAWS = {
    "uniform-float32": lambda rng, n: rng.uniform(size=(n,), dtype="float32"),
    "uniform-float64": lambda rng, n: rng.uniform(-2.0, 3.0, (n,)),
    "normal-float32": lambda rng, n: rng.normal(size=(n,), dtype="float32"),
    "normal-float64": lambda rng, n: rng.normal(1.0, 2.0, (n,)),
    "integers-int64": lambda rng, n: rng.integers(-3, 8, (n,)),
    "integers-uint8": lambda rng, n: rng.integers(0, 256, (n,), dtype="uint8"),
    "integers-rejecting": lambda rng, n: rng.integers(0, 3 * 2**62, (n,), dtype="uint64"),
    "permutation": lambda rng, n: rng.permutation(n),
    "truncated-normal": lambda rng, n: rng.truncated_normal(1.0, 2.0, 0.0, 1.0, (n,)),
    "exponential-float32": lambda rng, n: rng.exponential(2.0, (n,), dtype="float32"),
    "laplace": lambda rng, n: rng.laplace(1.0, 2.0, (n,)),
    "gumbel": lambda rng, n: rng.gumbel(1.0, 2.0, (n,)),
    "gamma-float32": lambda rng, n: rng.gamma(2.5, 1.0, (n,), dtype="float32"),
    "gamma-boosted": lambda rng, n: rng.gamma(0.3, 1.0, (n,)),
    "gamma-array": lambda rng, n: rng.gamma(nd.linspace(0.1, 30.0, 200_000)[:n], 1.0, (n,)),
    "beta": lambda rng, n: rng.beta(0.5, 2.0, (n,)),
    "bernoulli": lambda rng, n: rng.bernoulli(0.3, (n,)),
    "binomial-small": lambda rng, n: rng.binomial(10, 0.3, (n,)),
    "binomial-large": lambda rng, n: rng.binomial(1000, 0.7, (n,)),
    "binomial-array": lambda rng, n: rng.binomial(50, nd.linspace(0.0, 1.0, 200_000)[:n], (n,)),
    "poisson-small": lambda rng, n: rng.poisson(3.0, (n,)),
    "poisson-large": lambda rng, n: rng.poisson(300.0, (n,)),
    "poisson-array": lambda rng, n: rng.poisson(nd.linspace(0.0, 30.0, 200_000)[:n], (n,)),
    "multinomial": lambda rng, n: rng.multinomial(20, [0.2, 0.3, 0.5], (n,)),
    "categorical": lambda rng, n: rng.categorical(p=[0.2, 0.3, 0.5], shape=(n,)),
    "choice": lambda rng, n: rng.choice([1.5, 2.5, 3.5], (n,)),
}

every_draw = pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)


@pytest.mark.parametrize(
    "counter, key, block",
    [
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
    ids=["zeros", "ones", "digits-of-pi"],
)
def test_philox_gives_the_published_blocks(counter, key, block):
    """The vectors that come with Random123, the code of the paper."""
    assert philox_block(counter, key) == block


def test_numbers_are_the_bits_of_the_blocks():
    seed, offset = 0x299F31D0A4093822, 2**32 - 1
    words = [philox_block((position & 0xFFFFFFFF, position >> 32, 0, 0), (0xA4093822, 0x299F31D0))
             for position in range(offset, offset + 5)]  # fmt: skip
    rng = nd.random.Generator(seed)
    rng.state = {"seed": seed, "offset": offset}
    bits = rng.integers(0, 2**64, (10,), dtype="uint64")
    wide = [block[lane] | block[lane + 1] << 32 for block in words for lane in (0, 2)]
    assert bits.tolist() == wide
    rng.state = {"seed": seed, "offset": offset}
    assert rng.uniform(size=(10,)).tolist() == [(bits >> 11) / 2**53 for bits in wide]
    rng.state = {"seed": seed, "offset": offset}
    single = rng.uniform(size=(18,), dtype="float32").tolist()
    assert single == [(word >> 8) / 2**24 for block in words for word in block][:18]


@every_draw
def test_threads_do_not_change_the_numbers(draw):
    results = []
    for n_threads in (1, 2, 3):
        with nd.threads(n_threads):
            results.append(np.asarray(draw(nd.random.Generator(7), 150_003)))
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


@every_draw
@pytest.mark.parametrize("n", [0, 1, 2, 3, 5, 63, 65, 1000])
def test_an_element_does_not_depend_on_how_many_are_drawn(draw, n):
    if draw is DRAWS["permutation"]:
        assert sorted(draw(nd.random.Generator(7), n).tolist()) == list(range(n))
    else:
        assert draw(nd.random.Generator(7), n).tolist() == draw(nd.random.Generator(7), 2000).tolist()[:n]


@every_draw
def test_state_continues_the_stream(draw):
    rng = nd.random.Generator(11)
    rng.normal(size=(17,))
    state = rng.state
    expected = draw(rng, 100).tolist()
    other = nd.random.Generator(0)
    other.state = state
    assert draw(other, 100).tolist() == expected
    assert other.state == rng.state


def test_generators_are_pickled():
    rng = nd.random.Generator(12)
    rng.normal(size=(17,))
    assert pickle.loads(pickle.dumps(rng)).gamma(2.0, size=(5,)).tolist() == rng.gamma(2.0, size=(5,)).tolist()


@every_draw
def test_draws_follow_each_other_without_overlap(draw):
    rng = nd.random.Generator(5)
    assert draw(rng, 50).tolist() != draw(rng, 50).tolist()


def test_seeds_give_different_streams():
    draws = [tuple(nd.random.Generator(seed).integers(0, 2**63, (2,)).tolist()) for seed in (0, 1, 2, 2**32, 2**63)]
    assert len(set(draws)) == len(draws)
    assert nd.random.Generator().state != nd.random.Generator().state


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_uniform_is_uniform(dtype):
    x = np.asarray(nd.random.Generator(1).uniform(size=(200_000,), dtype=dtype))
    assert x.dtype == dtype
    assert x.min() >= 0
    assert x.max() < 1
    counts = np.histogram(x, 50, (0, 1))[0]
    chi_square = np.sum((counts - 4000.0) ** 2 / 4000.0)
    assert chi_square < 49 + 5 * np.sqrt(2 * 49)
    assert abs(np.corrcoef(x[:-1], x[1:])[0, 1]) < 5 / np.sqrt(x.size)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_uniform_never_reaches_the_excluded_end(dtype):
    low, high = 1.0, float(np.nextafter(np.dtype(dtype).type(1), np.dtype(dtype).type(2)))
    assert set(nd.random.Generator(1).uniform(low, high, (1000,), dtype=dtype).tolist()) == {low}
    assert nd.random.Generator(1).uniform(2.0, 2.0, (3,)).tolist() == [2.0, 2.0, 2.0]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_normal_is_normal(dtype):
    x = np.asarray(nd.random.Generator(2).normal(3.0, 0.5, (400_000,), dtype=dtype)).astype("float64")
    z = (x - 3.0) / 0.5
    for power, moment, variance in ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96)):
        assert abs(np.mean(z**power) - moment) < 5 * np.sqrt(variance / z.size)
    for limit, share in ((1.0, 0.6826895), (2.0, 0.9544997), (3.0, 0.9973002)):
        assert abs(np.mean(np.abs(z) < limit) - share) < 5 * np.sqrt(share * (1 - share) / z.size)
    assert abs(np.corrcoef(z[:-1], z[1:])[0, 1]) < 5 / np.sqrt(z.size)


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_integers_cover_the_whole_range(dtype):
    limits = np.iinfo(dtype)
    low, high = int(limits.min), int(limits.max) + 1
    x = np.asarray(nd.random.Generator(3).integers(low, high, (100_000,), dtype=dtype))
    assert x.dtype == dtype
    spread = (x.astype("float64") - low) / (high - low)
    assert abs(spread.mean() - 0.5) < 0.01
    assert abs(spread.var() - 1 / 12) < 0.01
    if limits.bits == 8:
        assert len(np.unique(x)) == 256


def test_integers_of_ranges_that_differ():
    rng = nd.random.Generator(5)
    low, high = np.asarray([[0], [-3], [2**62]]), np.asarray([2**62 + 1, 2**62 + 3])
    x = np.asarray(rng.integers(low, high, size=(20_000, 3, 2)))
    assert x.dtype == "int64"
    assert ((low <= x) & (x < high)).all()
    assert set(x[:, 2, 1]) == {2**62, 2**62 + 1, 2**62 + 2}
    assert rng.integers(3, [4, 5]).shape == (2,)
    assert rng.integers([1, 1, 1], endpoint=True, dtype="uint8").dtype == "uint8"
    assert rng.integers([], [5]).shape == (0,)
    wide = np.asarray(rng.integers([-(2**63), 0], 2**63 - 1, size=(1000, 2), endpoint=True))
    assert 400 < (wide[:, 0] < 0).sum() < 600
    assert (wide[:, 1] >= 0).all()
    assert abs((wide[:, 1] / 2**63).mean() - 0.5) < 0.05
    counts = np.bincount(np.asarray(rng.integers(0, [3, 7], size=(70_000, 2)))[:, 1], minlength=7)
    assert abs(counts - 10_000).max() < 500
    assert nd.random.randint([0, 5], [1, 6]).tolist() == [0, 5]
    # Two thirds of all words are those of the range, and no remainder of the rest is drawn more often.
    big = np.asarray(rng.integers([0], 3 * 2**61, size=60_000)) // 2**61
    assert abs(np.bincount(big, minlength=3) - 20_000).max() < 700


def test_integers_are_unbiased_where_rejection_matters():
    """Of 3 * 2**62 values a third lies below 2**62; reducing 64 bits modulo the span would make it a half."""
    x = np.asarray(nd.random.Generator(4).integers(0, 3 * 2**62, (100_000,), dtype="uint64"))
    assert abs(np.mean(x < 2**62) - 1 / 3) < 0.01


def test_permutations_are_equally_likely():
    rng = nd.random.Generator(6)
    counts = np.zeros((4, 4))
    for _ in range(4000):
        counts[np.arange(4), rng.permutation(4).tolist()] += 1
    assert np.abs(counts - 1000).max() < 5 * np.sqrt(1000 * 0.75)


def test_large_spans_and_small_ones_are_fair():
    """Spans up to 2**32 are made of 32 bits, larger ones of 64."""
    for span in (3, 2**32, 2**32 + 1, 2**63):
        x = np.asarray(nd.random.Generator(10).integers(0, span, (100_000,), dtype="uint64")).astype("float64")
        assert abs(x.mean() / span - 0.5 + 0.5 / span) < 0.005
        assert x.max() < span


# The first digits of the SHA-256 of 1000 numbers: a seed means the same numbers on every processor, for ever.
DIGESTS = {
    "uniform-float32": "b7970d2031e0c72e",
    "uniform-float64": "b0a2853e39f44b36",
    "normal-float32": "c69935276947b73f",
    "normal-float64": "6fb29cbc515a04a1",
    "integers-int64": "e72ca60f5db256cf",
    "integers-uint8": "b89b8ff94e406b82",
    "integers-rejecting": "7e90d9d5d168dfce",
    "permutation": "22bbcf1e85b37c26",
    "truncated-normal": "8cb58ed6bdc33924",
    "exponential-float32": "100623264835ee53",
    "laplace": "3fbe2784f3a28674",
    "gumbel": "d5421827414f1f9f",
    "gamma-float32": "0b97496dec6ed0da",
    "gamma-boosted": "31bee08ecd37845a",
    "beta": "8f16846195be7687",
    "bernoulli": "6c32585272e77a60",
    "binomial-small": "384f262043470304",
    "binomial-large": "31de9f3a5450cf66",
    "poisson-small": "09e7fc1302cd5198",
    "poisson-large": "7332ed87bf0b64f1",
    "multinomial": "3ffd8a2743d02d1d",
    "categorical": "acc83a9966b934eb",
    "choice": "ba31f72547a85c5a",
}


@pytest.mark.parametrize("name", DIGESTS)
def test_a_seed_always_means_the_same_numbers(name):
    x = np.asarray(DRAWS[name](nd.random.Generator(2024), 1000))
    assert hashlib.sha256(x.tobytes()).hexdigest()[:16] == DIGESTS[name]


def test_shapes_and_defaults():
    rng = nd.random.Generator(8)
    assert rng.uniform().shape == ()
    assert rng.uniform(size=(2, 0, 3)).shape == (2, 0, 3)
    assert rng.normal(size=5).shape == (5,)
    assert rng.normal(size=(2, 3)).dtype == nd.float64
    assert rng.integers(0, 5, (2,)).dtype == nd.int64
    assert rng.permutation(3).dtype == nd.int64
    assert repr(nd.random.Generator(9)) == "Generator(seed=9, offset=0)"


@pytest.mark.parametrize(
    "error, message, call",
    [
        (ValueError, "seed must be 0 or more", lambda rng: nd.random.Generator(-1)),
        (TypeError, "seed must be a whole number", lambda rng: nd.random.Generator(1.5)),
        (TypeError, "seed must be a whole number", lambda rng: nd.random.Generator(True)),
        (ValueError, "low <= high", lambda rng: rng.uniform(1.0, 0.0, (2,))),
        (ValueError, "finite", lambda rng: rng.uniform(0.0, float("inf"), (2,))),
        (ValueError, "finite in float32", lambda rng: rng.uniform(0.0, 1e39, (2,), dtype="float32")),
        (ValueError, "finite", lambda rng: rng.uniform(-1e308, 1e308, (2,))),
        (ValueError, "nan", lambda rng: rng.uniform(float("nan"), 1.0, (2,))),
        (TypeError, "float16.*astype", lambda rng: rng.uniform(size=(2,), dtype="float16")),
        (TypeError, "int32", lambda rng: rng.normal(size=(2,), dtype="int32")),
        (ValueError, "scale", lambda rng: rng.normal(0.0, -1.0, (2,))),
        (ValueError, "scale", lambda rng: rng.normal(0.0, float("nan"), (2,))),
        (ValueError, "low < high", lambda rng: rng.integers(3, 3, (2,))),
        (ValueError, "uint8", lambda rng: rng.integers(0, 257, (2,), dtype="uint8")),
        (ValueError, "uint8", lambda rng: rng.integers(-1, 2, (2,), dtype="uint8")),
        (TypeError, "whole number", lambda rng: rng.integers(0.5, 2, (2,))),
        (TypeError, "low must be of whole numbers", lambda rng: rng.integers([0.5], 2)),
        (ValueError, "low < high", lambda rng: rng.integers([0, 3], 3)),
        (ValueError, "uint8", lambda rng: rng.integers([0, -1], 3, dtype="uint8")),
        (ValueError, "uint8", lambda rng: rng.integers(0, [256], dtype="uint8", endpoint=True)),
        (ValueError, "broadcast", lambda rng: rng.integers(0, [2, 3], size=(3,))),
        (TypeError, "float32", lambda rng: rng.integers(0, 2, (2,), dtype="float32")),
        (ValueError, "x must be >= 0", lambda rng: rng.permutation(-1)),
        (TypeError, "whole number", lambda rng: rng.permutation(2.0)),
        (ValueError, "-3", lambda rng: rng.uniform(size=(2, -3))),
        (ValueError, "expected a dict", lambda rng: setattr(rng, "state", {"seed": 1})),
        (ValueError, "offset must be in", lambda rng: setattr(rng, "state", {"seed": 1, "offset": -1})),
    ],
)
def test_wrong_arguments_are_refused(error, message, call):
    rng = nd.random.Generator(1)
    before = rng.state
    with pytest.raises(error, match=message):
        call(rng)
    assert rng.state == before
