"""The random generator: a seed, and a position in its stream."""

import secrets
from typing import Any

from ..._core.whole_numbers import count, items
from ..._spec.dtypes import NUMBER
from ...cpu.random.random import Stream, philox_block
from .distribution_parameters import check_whole, check_word
from .multivariate import Multivariate

__all__ = ["Generator", "default_rng"]

HALF = 2**32
# The last words of counters that seeds are made with: those of draws number the few parts of an attempt.
OF_SEQUENCES, OF_CHILDREN = 0x5EED0001, 0x5EED0002


class Generator(Multivariate):
    """Draws random arrays from a Philox 4x32-10 stream.

    seed: a whole number in [0, 2**64), a sequence of those, or None for one from the operating system.
    The same seed gives the same numbers on any number of threads and on every processor.  Python threads may share a
    generator, but which thread gets which numbers then depends on timing: give each its own, with its own seed.
    Raises TypeError and ValueError for other seeds.

    >>> rng = nd.random.Generator(seed=3)
    >>> rng.integers(0, 10, size=4)
    array([8, 1, 6, 7], dtype=int64)
    """

    def __init__(self, seed: Any = None) -> None:
        self._stream = Stream(secrets.randbits(64) if seed is None else seed_of(seed))
        self._children = Stream(seed_of_children(self._stream.state[0]))

    def __repr__(self) -> str:
        seed, offset = self._stream.state
        return f"Generator(seed={seed}, offset={offset})"

    def spawn(self, n_children: int) -> list["Generator"]:
        """New generators whose numbers have nothing to do with each other's and this one's, such as one for a thread.

        They depend on the seed and on how many there were before; a state that is assigned begins anew with them.
        Raises ValueError for a negative number, TypeError for one that is not whole.
        Returns a list.

        >>> first, second = nd.random.Generator(7).spawn(2)
        >>> float(first.random()) == float(second.random())
        False
        """
        n = count("spawn: n_children", check_whole("spawn: n_children", n_children))
        seeds = self._children.integers((n,), NUMBER["uint64"], 0, 0)
        return [type(self)(seed) for seed in seeds.tolist()]

    @property
    def state(self) -> dict[str, int]:
        """The state of the generator, a dict of whole numbers; assign it to continue from there."""
        seed, offset = self._stream.state
        return {"seed": seed, "offset": offset}

    @state.setter
    def state(self, state: dict[str, int]) -> None:
        if not isinstance(state, dict) or set(state) != {"seed", "offset"}:
            raise ValueError(f"random state: expected a dict with 'seed' and 'offset', given {state!r}")
        seed, offset = check_word("seed", state["seed"]), check_word("offset", state["offset"])
        self._stream.restart(seed, offset)
        self._children.restart(seed_of_children(seed))


def seed_of(given: Any) -> int:
    """The seed that a whole number is, or that a sequence of them stands for.  Raises TypeError and ValueError."""
    if isinstance(given, str | bytes) or not hasattr(given, "__iter__") or getattr(given, "shape", None) == ():
        return check_word("seed", given)
    numbers = given.tolist() if hasattr(given, "tolist") else given
    seed = 0
    for position, number in enumerate(items("random seed", numbers)):
        seed = mixed(seed, check_word("seed", number), position, OF_SEQUENCES)
    return seed


def mixed(seed: int, number: int, position: int, purpose: int) -> int:
    """A seed made of another one and of two numbers, by one block of Philox."""
    words = philox_block((number % HALF, number // HALF, position % HALF, purpose), (seed % HALF, seed // HALF))
    return words[0] * HALF + words[1]


def seed_of_children(seed: int) -> int:
    """The seed of the stream that the seeds of a generator's children come from."""
    return mixed(seed, 0, 0, OF_CHILDREN)


def default_rng(seed: Any = None) -> Generator:
    """A new generator, as `Generator(seed)` makes it; a generator that is given is returned.

    Raises ValueError for a seed outside [0, 2**64), TypeError for a number that is not whole.

    >>> rng = nd.random.default_rng(seed=3)
    >>> nd.array_equal(rng.random(5), nd.random.default_rng(seed=3).random(5))
    array(True, dtype=bool)
    """
    return seed if isinstance(seed, Generator) else Generator(seed)
