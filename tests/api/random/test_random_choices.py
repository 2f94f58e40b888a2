"""Random order, samples and categories, and the functions of nd4py.random that share one generator."""

import itertools
import math
import threading

import numpy as np
import pytest
from scipy import stats

import nd4py as nd
import nd4py.random

ENOUGH = 1e-4


def test_choice_with_replacement_is_even():
    x = np.asarray(nd.random.Generator(1).choice(7, (70_000,)))
    assert x.dtype == "int64"
    assert stats.chisquare(np.bincount(x, minlength=7)).pvalue > ENOUGH


def test_choice_follows_its_probabilities():
    p = np.asarray([0.1, 0.0, 0.6, 0.3])
    counts = np.bincount(np.asarray(nd.random.Generator(2).choice(4, (100_000,), p=p)), minlength=4)
    assert counts[1] == 0
    assert stats.chisquare(counts[[0, 2, 3]], 100_000 * p[[0, 2, 3]]).pvalue > ENOUGH


def test_choice_takes_slices():
    a = nd.arange(12).reshape(4, 3)
    rng = nd.random.Generator(3)
    x = np.asarray(rng.choice(a, (5, 2)))
    assert x.shape == (5, 2, 3)
    assert (x[..., 1] - x[..., 0] == 1).all()
    assert rng.choice(a).shape == (3,)
    assert sorted(rng.choice([3.5, 1.5, 2.5], (3,), replace=False).tolist()) == [1.5, 2.5, 3.5]
    assert rng.choice(5, ()).shape == ()
    assert rng.choice(0, (0,)).shape == (0,)
    assert rng.choice(np.arange(3), 4).shape == (4,)


@pytest.mark.parametrize("n, n_drawn", [(5, 5), (5, 3), (100, 4), (100, 1), (1000, 0), (10**12, 1000), (10**5, 4000)])
def test_choice_without_replacement_repeats_nothing(n, n_drawn):
    x = nd.random.Generator(4).choice(n, (n_drawn,), replace=False).tolist()
    assert len(set(x)) == n_drawn
    assert all(0 <= value < n for value in x)


@pytest.mark.parametrize("n", [4, 41])
def test_samples_are_equally_likely(n):
    """Both ways of sampling: the beginning of a permutation, and the hash table for few of many."""
    rng = nd.random.Generator(5)
    pairs = [tuple(rng.choice(n, (2,), replace=False).tolist()) for _ in range(20_000)]
    counts = [pairs.count(pair) for pair in itertools.permutations(range(n), 2)] if n == 4 else None
    if counts is None:
        first, second = np.transpose(pairs)
        assert (first != second).all()
        assert stats.chisquare(np.bincount(first, minlength=n)).pvalue > ENOUGH
        assert stats.chisquare(np.bincount(second, minlength=n)).pvalue > ENOUGH
        assert stats.chisquare(np.bincount((second - first) % n, minlength=n)[1:]).pvalue > ENOUGH
    else:
        assert sum(counts) == 20_000
        assert stats.chisquare(counts).pvalue > ENOUGH


def test_weighted_samples_are_drawn_one_after_the_other():
    p = np.asarray([0.5, 0.3, 0.2, 0.0])
    rng = nd.random.Generator(6)
    pairs = [tuple(rng.choice(4, (2,), replace=False, p=p).tolist()) for _ in range(10_000)]
    wanted = {(i, j): p[i] * p[j] / (1 - p[i]) for i, j in itertools.permutations(range(3), 2)}
    assert set(pairs) == set(wanted)
    assert (
        stats.chisquare([pairs.count(pair) for pair in wanted], [10_000 * q for q in wanted.values()]).pvalue > ENOUGH
    )


def test_samples_do_not_need_memory_for_the_population():
    assert nd.random.Generator(7).choice(2**62, (10,), replace=False).shape == (10,)


def test_permutation_shuffles_slices():
    x = nd.arange(20).reshape(10, 2)
    y = nd.random.Generator(8).permutation(x)
    assert y.shape == (10, 2)
    assert sorted(y.tolist()) == x.tolist()
    assert y.tolist() != x.tolist()
    assert sorted(nd.random.Generator(8).permutation([3, 1, 2]).tolist()) == [1, 2, 3]


@pytest.mark.parametrize("n", [1, 2, 63, 64, 1000, 300_000])
def test_permutation_holds_everything_once(n):
    assert (np.sort(np.asarray(nd.random.Generator(9).permutation(n))) == np.arange(n)).all()


def test_categorical_follows_probabilities_and_logits():
    p = np.asarray([[0.1, 0.2, 0.7], [0.5, 0.5, 0.0]])
    rng = nd.random.Generator(10)
    for x in (rng.categorical(p=p, shape=(50_000,)), rng.categorical(np.log(p + 1e-300) + 5.0, shape=50_000)):
        x = np.asarray(x)
        assert x.shape == (50_000, 2)
        assert stats.chisquare(np.bincount(x[:, 0], minlength=3), 50_000 * p[0]).pvalue > ENOUGH
        assert stats.chisquare(np.bincount(x[:, 1], minlength=3)[:2], 50_000 * p[1, :2]).pvalue > ENOUGH
        assert (x[:, 1] < 2).all()
    assert rng.categorical([-math.inf, 3.0, -math.inf], shape=(5,)).tolist() == [1] * 5
    assert rng.categorical(p=nd.asarray([0.25, 0.75], dtype="float32")).shape == ()
    assert rng.categorical(np.zeros((4, 0, 3))).shape == (4, 0)
    assert rng.categorical([0.0]).tolist() == 0


@pytest.mark.parametrize("n_categories", [1, 2, 3, 1000])
def test_categories_are_found_at_any_width(n_categories):
    x = np.asarray(nd.random.Generator(11).categorical(np.zeros(n_categories), shape=(100_000,)))
    assert stats.chisquare(np.bincount(x, minlength=n_categories)).pvalue > ENOUGH if n_categories > 1 else not x.any()


def test_multinomial_adds_up():
    p = np.asarray([0.2, 0.0, 0.5, 0.3])
    x = np.asarray(nd.random.Generator(12).multinomial(30, p, (20_000,)))
    assert x.shape == (20_000, 4)
    assert (x.sum(axis=1) == 30).all()
    assert (x[:, 1] == 0).all()
    for column in (0, 2, 3):
        expected = stats.binom(30, p[column]).pmf(np.arange(31)) * 20_000
        common = expected > 20
        counts = np.bincount(x[:, column], minlength=31)[common]
        assert stats.chisquare(counts, expected[common] * counts.sum() / expected[common].sum()).pvalue > ENOUGH
    assert abs(np.corrcoef(x[:, 0], x[:, 2])[0, 1] + math.sqrt(0.2 * 0.5 / (0.8 * 0.5))) < 0.03
    assert nd.random.Generator(12).multinomial(5, [1.0]).tolist() == [5]
    assert nd.random.Generator(12).multinomial(0, [0.5, 0.5], (2,)).tolist() == [[0, 0], [0, 0]]
    large = nd.random.Generator(12).multinomial(10**15, np.full(1000, 1e-3), (3, 2))
    assert nd.sum(large, axis=-1).tolist() == [[10**15] * 2] * 3


def test_single_precision_probabilities_are_accepted():
    p = np.full(7, 1 / 7, dtype="float32")
    assert nd.random.Generator(13).choice(7, (3,), p=p).shape == (3,)
    assert nd.random.Generator(13).multinomial(3, p).shape == (7,)


@pytest.mark.parametrize(
    "error, message, call",
    [
        (ValueError, "add up to 1.*0.9", lambda rng: rng.choice(2, p=[0.5, 0.4])),
        (ValueError, "finite numbers >= 0", lambda rng: rng.choice(2, p=[1.5, -0.5])),
        (ValueError, "finite numbers >= 0", lambda rng: rng.categorical(p=[math.nan, 1.0])),
        (ValueError, "3 probabilities for 2", lambda rng: rng.choice(2, p=[0.5, 0.25, 0.25])),
        (ValueError, "one axis", lambda rng: rng.choice(2, p=[[0.5, 0.5]])),
        (ValueError, "cannot draw 3 of 2", lambda rng: rng.choice(2, (3,), replace=False)),
        (ValueError, "above 0 for 1", lambda rng: rng.choice(2, (2,), replace=False, p=[1.0, 0.0])),
        (ValueError, "one element or more", lambda rng: rng.choice(0, (1,))),
        (ValueError, "one element or more", lambda rng: rng.choice([], (1,))),
        (TypeError, "array with an axis", lambda rng: rng.choice(2.5)),
        (TypeError, "either logits or p", lambda rng: rng.categorical()),
        (TypeError, "either logits or p", lambda rng: rng.categorical([0.0], p=[1.0])),
        (ValueError, "below infinity", lambda rng: rng.categorical([0.0, math.inf])),
        (ValueError, "below infinity", lambda rng: rng.categorical([math.nan, 0.0])),
        (ValueError, "above -infinity", lambda rng: rng.categorical([[-math.inf, -math.inf]])),
        (ValueError, "one category or more", lambda rng: rng.categorical(nd.ones((2, 0)))),
        (ValueError, "one category or more", lambda rng: rng.multinomial(3, 0.5)),
        (ValueError, r"2\*\*52", lambda rng: rng.multinomial(-1, [0.5, 0.5])),
        (TypeError, "whole number", lambda rng: rng.multinomial(1.5, [0.5, 0.5])),
    ],
)
def test_wrong_choices_are_refused(error, message, call):
    rng = nd.random.Generator(1)
    before = rng.state
    with pytest.raises(error, match=message):
        call(rng)
    assert rng.state == before


# The functions that share a generator.


def test_functions_follow_the_shared_seed():
    nd.random.seed(77)
    draws = [
        nd.random.uniform(size=(3,)),
        nd.random.normal(size=(3,)),
        nd.random.permutation(4),
        nd.random.choice(9, (2,)),
    ]
    rng = nd.random.default_rng(77)
    expected = [rng.uniform(size=(3,)), rng.normal(size=(3,)), rng.permutation(4), rng.choice(9, (2,))]
    assert [x.tolist() for x in draws] == [x.tolist() for x in expected]
    state = nd.random.get_state()
    following = nd.random.gamma(2.0, size=(5,)).tolist()
    nd.random.set_state(state)
    assert nd.random.gamma(2.0, size=(5,)).tolist() == following


def test_seed_without_a_number_is_fresh():
    nd.random.seed()
    first = nd.random.get_state()
    nd.random.seed()
    assert first != nd.random.get_state()
    with pytest.raises(TypeError, match="whole number"):
        nd.random.seed("x")


def test_every_method_is_a_function():
    methods = {name for name in dir(nd.random.RandomState) if not name.startswith("_")} - {"spawn", "state"}
    sources = {"BitGenerator", "SeedSequence", "PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"}
    assert methods - {"bit_generator"} | sources | {"Generator", "RandomState", "default_rng"} == set(nd.random.__all__)
    assert all(getattr(nd.random, name).__doc__ for name in nd.random.__all__)
    assert nd4py.random.uniform is nd.random.uniform


def test_default_rng_passes_generators_on():
    rng = nd.random.default_rng(3)
    assert nd.random.default_rng(rng) is rng
    assert nd.random.default_rng(3).state == {"seed": 3, "offset": 0}


def test_threads_share_the_generator_without_repeating_numbers():
    nd.random.seed(5)
    drawn = [[] for _ in range(4)]

    def work(numbers):
        for _ in range(200):
            numbers.extend(nd.random.integers(0, 2**63, (64,)).tolist())

    threads = [threading.Thread(target=work, args=(numbers,)) for numbers in drawn]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    together = [value for numbers in drawn for value in numbers]
    nd.random.seed(5)
    alone = nd.random.integers(0, 2**63, (4 * 200 * 64,)).tolist()
    assert sorted(together) == sorted(alone)
