"""The random generator: a seed, and a position in its stream."""

from __future__ import annotations

import secrets
from typing import Any

from ..._core.whole_numbers import count
from ..._spec.dtypes import NUMBER
from ...cpu.random.random import Stream
from ..arguments import methods_by_name
from .bit_generators import BitGenerator
from .distribution_parameters import check_whole, check_word
from .multivariate import Multivariate
from .seeds import seed_of_children

__all__ = ["Generator", "default_rng"]


@methods_by_name
class Generator(Multivariate):
    """Draws random arrays from a Philox 4x32-10 stream.

    seed: a whole number of 0 or more, a sequence of those, or None for one from the operating system; a
    `SeedSequence`; or a `BitGenerator`, whose stream it goes on with.
    The same seed gives the same numbers on any number of threads and on every processor.  Python threads may share a
    generator, but which thread gets which numbers then depends on timing: give each its own, with its own seed.
    Raises TypeError and ValueError for other seeds.

    >>> rng = nd.random.Generator(seed=3)
    >>> rng.integers(0, 10, size=4)
    array([8, 1, 6, 7], dtype=int64)
    """

    def __init__(self, seed: Any = None) -> None:
        seed = secrets.randbits(64) if seed is None else seed
        source = seed if isinstance(seed, BitGenerator) else BitGenerator(seed)
        self._stream, self._source = source.stream, source
        self._children = Stream(seed_of_children(self._stream.state[0]))

    def __repr__(self) -> str:
        seed, offset = self._stream.state
        return f"Generator(seed={seed}, offset={offset})"

    def spawn(self, n_children: int) -> list[Generator]:
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
    def bit_generator(self) -> BitGenerator:
        """The source of its bits, whose state is its own."""
        return self._source

    @property
    def state(self) -> dict[str, int]:
        """The state of the generator, a dict of whole numbers; assign it to continue from there."""
        return self._source.state

    @state.setter
    def state(self, state: dict[str, int]) -> None:
        if not isinstance(state, dict) or set(state) != {"seed", "offset"}:
            raise ValueError(f"random state: expected a dict with 'seed' and 'offset', given {state!r}")
        seed, offset = check_word("seed", state["seed"]), check_word("offset", state["offset"])
        self._stream.restart(seed, offset)
        self._children.restart(seed_of_children(seed))


def default_rng(seed: Any = None) -> Generator:
    """A new generator, as `Generator(seed)` makes it; a generator that is given is returned.

    Raises ValueError for a negative seed, TypeError for a number that is not whole.

    >>> rng = nd.random.default_rng(seed=3)
    >>> nd.array_equal(rng.random(5), nd.random.default_rng(seed=3).random(5))
    array(True, dtype=bool)
    """
    return seed if isinstance(seed, Generator) else Generator(seed)
