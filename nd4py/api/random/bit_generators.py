"""Sources of random bits as NumPy has them, and seeds that others are made of.

Design: there is one stream, Philox 4x32-10, under the names of all of NumPy's.  Programs choose one by name and hand it
to `Generator`; the numbers differ from NumPy's in any case.
"""

from __future__ import annotations

import secrets
from typing import Any

from ..._core.array.array import NDArray
from ..._spec.dtypes import NUMBER
from ...cpu.random.random import Stream
from ..arguments import count, items, named
from .distribution_parameters import check_whole
from .seeds import mixed, seed_of

__all__ = ["MT19937", "PCG64", "PCG64DXSM", "SFC64", "BitGenerator", "Philox", "SeedSequence"]

OF_SPAWNED = 0x5EED0003  # the last word of counters that seeds of `spawn` are made with
MOST = 10**6  # children of one call


class SeedSequence:
    """A seed that others are made of, which have nothing to do with each other.

    entropy: a whole number of 0 or more, a sequence of those, or None for one from the operating system.
    spawn_key: the numbers of the sequences on the way to this one; n_children_spawned: how many it has made already;
    pool_size: accepted.
    Raises TypeError and ValueError as `Generator` does for seeds.

    >>> first, second = nd.random.SeedSequence(7).spawn(2)
    >>> nd.random.default_rng(first).random() == nd.random.default_rng(second).random()
    array(False, dtype=bool)
    """

    def __init__(
        self, entropy: Any = None, *, spawn_key: Any = (), pool_size: int = 4, n_children_spawned: int = 0
    ) -> None:
        self.entropy = secrets.randbits(128) if entropy is None else entropy
        key = items("SeedSequence: spawn_key", spawn_key)
        self.spawn_key = tuple(check_whole("SeedSequence: a number of spawn_key", number) for number in key)
        self.pool_size = pool_size
        self.n_children_spawned = count("SeedSequence: n_children_spawned", n_children_spawned)
        self.seed = seed_of(self.entropy)
        for position, number in enumerate(self.spawn_key):
            self.seed = mixed(self.seed, number, position, OF_SPAWNED)

    def __repr__(self) -> str:
        key = f", spawn_key={self.spawn_key}" if self.spawn_key else ""
        return f"SeedSequence(entropy={self.entropy}{key})"

    def spawn(self, n_children: int) -> list[SeedSequence]:
        """New sequences, others at each call.  Raises ValueError for a negative number or one above 10**6.

        Returns a list.

        >>> [child.spawn_key for child in nd.random.SeedSequence(7).spawn(2)]
        [(0,), (1,)]
        """
        n = count("spawn: n_children", check_whole("spawn: n_children", n_children))
        if n > MOST:
            raise ValueError(f"spawn: n_children must be at most {MOST}, given {n}")
        first = self.n_children_spawned
        self.n_children_spawned += n
        return [SeedSequence(self.entropy, spawn_key=(*self.spawn_key, first + i)) for i in range(n)]

    def generate_state(self, n_words: int, dtype: Any = "uint32") -> NDArray:
        """`n_words` numbers of uint32 or uint64, the same at each call.  Raises ValueError for other dtypes.

        Returns an array.

        >>> nd.random.SeedSequence(7).generate_state(4).dtype
        nd4py.uint32
        """
        kind = named("generate_state: dtype", getattr(dtype, "__name__", None) or str(dtype), ("uint32", "uint64"))
        n = count("generate_state: n_words", check_whole("generate_state: n_words", n_words))
        words: NDArray = Stream(self.seed).integers((n,), NUMBER[kind], 0, 0)
        return words


class BitGenerator:
    """A source of random bits for `Generator`: Philox, under the names that NumPy's have.

    seed: as for `Generator`, or a `SeedSequence`.  Raises TypeError and ValueError for other seeds.

    >>> rng = nd.random.Generator(nd.random.PCG64(3))
    >>> rng.integers(0, 10, size=4)
    array([8, 1, 6, 7], dtype=int64)
    """

    def __init__(self, seed: Any = None) -> None:
        self.seed_seq = seed if isinstance(seed, SeedSequence) else SeedSequence(seed)
        self.stream = Stream(self.seed_seq.seed)

    @property
    def state(self) -> dict[str, int]:
        """Where it stands, a dict of whole numbers, which can be assigned."""
        seed, offset = self.stream.state
        return {"seed": seed, "offset": offset}

    @state.setter
    def state(self, state: dict[str, int]) -> None:
        if not isinstance(state, dict) or set(state) != {"seed", "offset"}:
            raise ValueError(f"random state: expected a dict with 'seed' and 'offset', given {state!r}")
        self.stream.restart(state["seed"], state["offset"])

    def spawn(self, n_children: int) -> list[BitGenerator]:
        """New sources, others at each call.  Raises ValueError for a negative number or one above 10**6.

        Returns a list.

        >>> len(nd.random.PCG64(3).spawn(2))
        2
        """
        return [type(self)(child) for child in self.seed_seq.spawn(n_children)]


class PCG64(BitGenerator):
    """`BitGenerator` under NumPy's first name.  seed: as for that.  Raises as it does.

    >>> nd.random.Generator(nd.random.PCG64(3)).random().shape
    ()
    """


class PCG64DXSM(BitGenerator):
    """`BitGenerator` under another name.  seed: as for that.  Raises as it does.

    >>> nd.random.Generator(nd.random.PCG64DXSM(3)).random().shape
    ()
    """


class MT19937(BitGenerator):
    """`BitGenerator` under the Mersenne Twister's name.  seed: as for that.  Raises as it does.

    >>> nd.random.Generator(nd.random.MT19937(3)).random().shape
    ()
    """


class Philox(BitGenerator):
    """`BitGenerator` under its own name.  seed: as for that.  Raises as it does.

    >>> nd.random.Generator(nd.random.Philox(3)).random().shape
    ()
    """


class SFC64(BitGenerator):
    """`BitGenerator` under another name.  seed: as for that.  Raises as it does.

    >>> nd.random.Generator(nd.random.SFC64(3)).random().shape
    ()
    """
