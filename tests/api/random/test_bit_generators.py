"""Sources of bits and sequences of seeds under NumPy's names, arrays that are drawn into, and seeds of any size."""

import copy
import pickle

import numpy as np
import pytest

import nd4py as nd
from nd4py.random import Generator, SeedSequence, default_rng

SOURCES = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64", "BitGenerator")
INTO = {
    "random": (),
    "standard_normal": (),
    "standard_exponential": (),
    "standard_gamma": (2.5,),
}


@pytest.mark.parametrize("name", SOURCES)
def test_generators_take_sources(name):
    make = getattr(nd.random, name)
    rng = Generator(make(42))
    state = rng.bit_generator.state
    first = rng.random(5)
    assert nd.array_equal(first, Generator(42).random(5))
    rng.bit_generator.state = state
    assert nd.array_equal(first, rng.random(5))
    assert nd.random.RandomState(make(3)).rand(2).shape == (2,)
    assert len({Generator(child).state["seed"] for child in make(3).spawn(3)}) == 3
    with pytest.raises(ValueError, match="random state: expected"):
        rng.bit_generator.state = {"seed": 1}


def test_generators_are_copied():
    rng = default_rng(nd.random.PCG64(7))
    for again in (copy.deepcopy(rng), pickle.loads(pickle.dumps(rng))):
        assert again.state == rng.state
        assert again.bit_generator.state == rng.bit_generator.state


def test_sequences_of_seeds():
    sequence = SeedSequence(12345)
    first = sequence.spawn(3)
    more = sequence.spawn(2)
    assert [child.spawn_key for child in (*first, *more)] == [(0,), (1,), (2,), (3,), (4,)]
    assert first[0].spawn(1)[0].spawn_key == (0, 0)
    seeds = [child.seed for child in (sequence, *first, *more, *first[0].spawn(2))]
    assert len(set(seeds)) == len(seeds)
    assert [child.seed for child in SeedSequence(12345).spawn(3)] == [child.seed for child in first]
    assert default_rng(first[1]).random() == default_rng(SeedSequence(12345, spawn_key=(1,))).random()
    words = SeedSequence(5).generate_state(4, np.uint64)
    assert words.dtype == "uint64"
    assert nd.array_equal(words, SeedSequence(5).generate_state(4, nd.uint64))
    assert SeedSequence().entropy != SeedSequence().entropy
    with pytest.raises(ValueError, match="dtype must be one of"):
        sequence.generate_state(3, "float32")


def test_seeds_of_any_size():
    large = (2**64 - 1, 2**64, 2**64 + 1, 2**128 + 1, 2**200)
    states = [default_rng(seed).state["seed"] for seed in large]
    assert len(set(states)) == len(states)
    assert default_rng(2**64 + 5).state == default_rng([5, 1]).state
    assert Generator([2**70, 1]).state == Generator([2**70, 1]).state
    for wrong in (-1, [-1], 1.5):
        with pytest.raises((TypeError, ValueError), match="seed"):
            default_rng(wrong)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", INTO)
def test_numbers_are_drawn_into_an_array(name, dtype):
    def draw(**keywords):
        return getattr(Generator(3), name)(*INTO[name], **keywords)

    want = draw(size=(2, 3), dtype=dtype)
    for make in (nd, np):
        out = make.zeros((2, 3), dtype=dtype)
        assert draw(out=out) is out
        np.testing.assert_array_equal(np.asarray(out), np.asarray(want))
        assert draw(out=out, size=(2, 3), dtype=dtype) is out
    wide = nd.zeros((2, 6), dtype=dtype)
    draw(out=wide[:, ::2])
    np.testing.assert_array_equal(np.asarray(wide[:, ::2]), np.asarray(want))
    with pytest.raises(ValueError, match=f"{name}: size 3 and out of shape"):
        draw(out=out, size=3)
    with pytest.raises(TypeError, match=f"{name}: draws"):
        draw(out=out, dtype="float64" if dtype == "float32" else "float32")
    with pytest.raises(TypeError, match=f"{name}: out must be an array"):
        draw(out=[1.0])


def test_multinomial_of_several_numbers_and_rows():
    rng = default_rng(4)
    n, rows = nd.asarray([[0], [5], [900]]), nd.asarray([[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]])
    x = rng.multinomial(n, rows)
    assert x.shape == (3, 2, 3)
    assert nd.all(x.sum(-1) == n)
    assert x[:, 1].tolist() == [[0, 0, 0], [5, 0, 0], [900, 0, 0]]
    assert rng.multinomial([3, 4], [0.5, 0.5], size=(7, 2)).sum(-1).tolist() == [[3, 4]] * 7
    many = rng.multinomial(nd.zeros((20_000,), dtype="int64") + 30, [0.1, 0.6, 0.3])
    np.testing.assert_allclose(np.asarray(many.astype("float64").mean(axis=0)), [3, 18, 9], atol=0.1)
    with pytest.raises(ValueError, match="add up to 1"):
        rng.multinomial([1, 2], [0.5, 0.2])
    with pytest.raises(TypeError, match="whole numbers"):
        rng.multinomial([1.5, 2], [0.5, 0.5])


def test_truth_values_are_integers_too():
    rng = default_rng(4)
    x = rng.integers(0, 2, 1000, dtype=bool)
    assert x.dtype == "bool"
    assert 400 < x.sum().item() < 600
    assert nd.random.randint(0, 1, size=(2, 3), dtype=np.bool_).tolist() == [[False] * 3] * 2
    with pytest.raises(ValueError, match="bools are drawn from 0 to 1"):
        rng.integers(0, 9, 1000, dtype=bool)
