"""RandomState: a generator with the names that NumPy had before `Generator`."""

from typing import Any

from ..._core.annotations import DTypeLike, Sizes
from ..._core.array.array import NDArray
from ..._spec.dtypes import DEFAULT_INT
from .generator import Generator

__all__ = ["RandomState"]


class RandomState(Generator):
    """A `Generator` with NumPy's older names beside: `rand`, `randn`, `randint`, `random_sample` and their like.

    seed: as for `Generator`; the numbers are not those of NumPy's Mersenne Twister.
    Raises TypeError and ValueError for other seeds.
    """

    def rand(self, *sizes: int) -> NDArray:
        """Uniform numbers in [0, 1), of as many axes as there are sizes.  Raises TypeError for other sizes.

        Returns an array.
        """
        return self.random(sizes)

    def randn(self, *sizes: int) -> NDArray:
        """Normal numbers, of as many axes as there are sizes.  Raises TypeError for other sizes.

        Returns an array.
        """
        return self.standard_normal(sizes)

    def randint(
        self, low: int, high: int | None = None, size: Sizes | None = None, dtype: DTypeLike = DEFAULT_INT
    ) -> NDArray:
        """Whole numbers in [low, high), or in [0, low): `integers` under its older name.

        Returns and raises as it does.
        """
        return self.integers(low, high, size, dtype)

    def random_integers(self, low: int, high: int | None = None, size: Sizes | None = None) -> NDArray:
        """Whole numbers in [low, high], or in [1, low].  Returns and raises as `integers` does."""
        low, high = (1, low) if high is None else (low, high)
        return self.integers(low, high, size, endpoint=True)

    def random_sample(self, size: Sizes | None = None) -> NDArray:
        """Uniform numbers in [0, 1): `random` under its older name.  Raises as it does.

        Returns an array of shape `size`.
        """
        return self.random(size)

    def seed(self, value: Any = None) -> None:
        """Restart from a seed, by default one from the operating system.  Raises as the class does."""
        self.state = {"seed": Generator(value).state["seed"], "offset": 0}

    def get_state(self) -> dict[str, int]:
        """The state, for `set_state`.  Raises nothing."""
        return self.state

    def set_state(self, state: dict[str, int]) -> None:
        """Continue from a state.  Raises ValueError and TypeError for anything but a state."""
        self.state = state

    ranf = sample = random_sample
