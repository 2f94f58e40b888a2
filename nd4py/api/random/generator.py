"""The random generator: a seed, and a position in its stream."""

import secrets

from ...cpu.random.random import Stream
from .distribution_parameters import check_word
from .sampling import Sampling

__all__ = ["Generator", "default_rng"]


class Generator(Sampling):
    """Draws random arrays from a Philox 4x32-10 stream.

    seed: a whole number in [0, 2**64), or None for one from the operating system.
    The same seed gives the same numbers on any number of threads and on every processor.  Python threads may share a
    generator, but which thread gets which numbers then depends on timing: give each its own, with its own seed.
    Raises TypeError and ValueError for other seeds.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._stream = Stream(check_word("seed", secrets.randbits(64) if seed is None else seed))

    def __repr__(self) -> str:
        seed, offset = self._stream.state
        return f"Generator(seed={seed}, offset={offset})"

    @property
    def state(self) -> dict[str, int]:
        """The state of the generator, a dict of whole numbers; assign it to continue from there."""
        seed, offset = self._stream.state
        return {"seed": seed, "offset": offset}

    @state.setter
    def state(self, state: dict[str, int]) -> None:
        if not isinstance(state, dict) or set(state) != {"seed", "offset"}:
            raise ValueError(f"random state: expected a dict with 'seed' and 'offset', given {state!r}")
        self._stream.restart(check_word("seed", state["seed"]), check_word("offset", state["offset"]))


def default_rng(seed: int | Generator | None = None) -> Generator:
    """A new generator, as `Generator(seed)` makes it; a generator that is given is returned.

    Raises ValueError for a seed outside [0, 2**64), TypeError for a number that is not whole.
    """
    return seed if isinstance(seed, Generator) else Generator(seed)
