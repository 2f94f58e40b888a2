"""Seeds: whole numbers of any size, and sequences of them, as words of 64 bits."""

from __future__ import annotations

from typing import Any

from ..._core.whole_numbers import items
from ...cpu.random.random import philox_block
from .distribution_parameters import WORD, check_whole

__all__: list[str] = []

HALF = 2**32
# The last words of counters that seeds are made with: those of draws number the few parts of an attempt.
OF_SEQUENCES, OF_CHILDREN = 0x5EED0001, 0x5EED0002


def seed_of(given: Any) -> int:
    """The seed that a whole number is, or that a sequence of them stands for.  Raises TypeError and ValueError.

    A number of 2**64 or more stands for the sequence of its words.
    """
    if isinstance(given, str | bytes) or not hasattr(given, "__iter__") or getattr(given, "shape", None) == ():
        number = check_whole("random seed", given)
        if number < 0:
            raise ValueError(f"random seed must be 0 or more, given {number}")
        return number if number < WORD else seed_of(words_of(number))
    numbers = given.tolist() if hasattr(given, "tolist") else given
    seed = 0
    for position, number in enumerate(items("random seed", numbers)):
        word = seed_of(check_whole("random seed", number))
        seed = mixed(seed, word, position, OF_SEQUENCES)
    return seed


def words_of(number: int) -> list[int]:
    """A whole number as words of 64 bits, the lowest first."""
    words = []
    while number:
        number, word = divmod(number, WORD)
        words.append(word)
    return words


def mixed(seed: int, number: int, position: int, purpose: int) -> int:
    """A seed made of another one and of two numbers, by one block of Philox."""
    words = philox_block((number % HALF, number // HALF, position % HALF, purpose), (seed % HALF, seed // HALF))
    return words[0] * HALF + words[1]


def seed_of_children(seed: int) -> int:
    """The seed of the stream that the seeds of a generator's children come from."""
    return mixed(seed, 0, 0, OF_CHILDREN)
