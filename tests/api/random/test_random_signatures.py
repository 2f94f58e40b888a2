"""Random arguments are those of NumPy's Generator: one order everywhere, and the size under two names."""

import inspect

import numpy as np
import pytest

import nd4py as nd
from nd4py.random import Generator

# Parameters before the size, and the mean and deviation of what they draw.
CASES = {
    "random": ((), 0.5, 12**-0.5),
    "uniform": ((-2.0, 4.0), 1.0, 6 / 12**0.5),
    "standard_normal": ((), 0.0, 1.0),
    "normal": ((10, 2), 10.0, 2.0),
    "truncated_normal": ((-1.0, 1.0, 0.0, 1e6), 0.0, 2 / 12**0.5),
    "exponential": ((3.0,), 3.0, 3.0),
    "laplace": ((1.0, 2.0), 1.0, 8**0.5),
    "gumbel": ((1.0, 2.0), 1.0 + 2 * 0.57721566, 2 * np.pi / 6**0.5),
    "gamma": ((4.0, 2.0), 8.0, 4.0),
    "beta": ((2.0, 2.0), 0.5, 0.05**0.5),
    "integers": ((0, 12), 5.5, (143 / 12) ** 0.5),
    "bernoulli": ((0.25,), 0.25, 0.1875**0.5),
    "binomial": ((100, 0.5), 50.0, 5.0),
    "poisson": ((9.0,), 9.0, 3.0),
    "choice": ((12,), 5.5, (143 / 12) ** 0.5),
}
ALL = [*CASES, "multinomial", "categorical", "permutation"]
SHARED = [name for name in ALL if hasattr(np.random.Generator, name)]


def parameters_of(function):
    return [p for p in inspect.signature(function).parameters.values() if p.name != "self"]


@pytest.mark.parametrize("name", SHARED)
def test_shared_arguments_stand_where_numpy_has_them(name):
    theirs = [p.name for p in parameters_of(getattr(np.random.Generator, name))]
    ours = [p.name for p in parameters_of(getattr(Generator, name)) if p.kind is not p.KEYWORD_ONLY]
    assert ours == theirs[: len(ours)]


@pytest.mark.parametrize("name", ALL)
def test_the_functions_take_what_the_methods_take(name):
    assert parameters_of(getattr(nd.random, name)) == parameters_of(getattr(Generator, name))


@pytest.mark.parametrize("name", CASES)
def test_positional_arguments_mean_parameters_and_then_the_size(name):
    arguments, mean, deviation = CASES[name]
    rng = Generator(5)
    draw = getattr(rng, name)
    for size, shape in ((None, ()), (7, (7,)), ((2, 3), (2, 3)), ([2, 3], (2, 3)), ((), ()), (0, (0,))):
        assert draw(*arguments, size).shape == shape
    x = np.asarray(draw(*arguments, 100_000)).astype("float64")
    assert x.shape == (100_000,)
    assert abs(x.mean() - mean) < 6 * deviation / 100_000**0.5
    assert abs(x.std() / deviation - 1) < 0.03


@pytest.mark.parametrize("name", sorted(set(ALL) - {"permutation"}))
def test_size_has_another_name_and_one_value(name):
    arguments, *_ = CASES.get(name, ((5, [0.5, 0.5]) if name == "multinomial" else ([0.0, 1.0],),))
    by_size = getattr(Generator(3), name)(*arguments, size=(4, 2))
    assert by_size.shape[:2] == (4, 2)
    if name == "gamma":  # whose `shape` is a parameter, as in NumPy
        return
    assert getattr(Generator(3), name)(*arguments, shape=(4, 2)).tolist() == by_size.tolist()
    with pytest.raises(TypeError, match="two names of one argument"):
        getattr(Generator(3), name)(*arguments, size=2, shape=2)


@pytest.mark.parametrize("name", ["normal", "uniform"])
@pytest.mark.parametrize("arguments", [((3, 2),), ((3, 2), 1.0), ((3,), 0.0, 1.0), ((),)])
def test_a_shape_where_it_once_was_is_refused(name, arguments):
    with pytest.raises(TypeError, match=r"given the tuple .*size=\("):
        getattr(Generator(1), name)(*arguments)


@pytest.mark.parametrize("name", ["normal", "laplace", "gumbel", "uniform"])
def test_a_float_is_no_size(name):
    with pytest.raises(TypeError, match="size must be an int or a sequence of ints, given 1.5"):
        getattr(Generator(1), name)(0.0, 1.0, 1.5)


def test_the_endpoint_of_integers():
    assert set(Generator(1).integers(3, 5, 100, endpoint=True).tolist()) == {3, 4, 5}
    assert set(Generator(1).integers(1, size=100, endpoint=True).tolist()) == {0, 1}
    assert Generator(1).integers(0, 255, 9, "uint8", True).dtype == nd.uint8


def test_misspelt_arguments_are_told_in_the_name_of_the_generator():
    for draw in (nd.random.Generator(1).normal, nd.random.normal):
        with pytest.raises(TypeError, match=r"^normal\(\) got an unexpected keyword argument 'mean'"):
            draw(mean=3.0)


def test_choice_takes_shuffle():
    for shuffle in (True, False):
        assert sorted(nd.random.Generator(1).choice(4, 4, False, None, 0, shuffle).tolist()) == [0, 1, 2, 3]
