"""RandomState: a generator with the names that NumPy had before `Generator`."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import DTypeLike, Sizes
from ..._core.array.array import NDArray
from ..._spec.dtypes import DEFAULT_INT
from ..arguments import tells_its_name
from .distribution_parameters import Parameter
from .generator import Generator

__all__ = ["RandomState"]


class RandomState(Generator):
    """A `Generator` with NumPy's older names beside: `rand`, `randn`, `randint`, `random_sample` and their like.

    seed: as for `Generator`; the numbers are not those of NumPy's Mersenne Twister.
    Raises TypeError and ValueError for other seeds.

    >>> nd.random.RandomState(3).randint(0, 10, size=4).shape
    (4,)
    """

    def rand(self, *sizes: int) -> NDArray:
        """Uniform numbers in [0, 1), of as many axes as there are sizes.  Raises TypeError for other sizes.

        Returns an array.

        >>> nd.random.RandomState(3).rand(2, 3)
        array([[0.11682557, 0.76523065, 0.55153318],
               [0.60772128, 0.78534968, 0.36090053]], dtype=float64)
        """
        return self.random(sizes)

    def randn(self, *sizes: int) -> NDArray:
        """Normal numbers, of as many axes as there are sizes.  Raises TypeError for other sizes.

        Returns an array.

        >>> nd.random.RandomState(3).randn(2, 3)
        array([[ 0.19800392, -2.06275085, -0.85043804],
               [-0.6832728 , -0.44613754,  0.53311698]], dtype=float64)
        """
        return self.standard_normal(sizes)

    @tells_its_name
    def randint(
        self, low: Parameter, high: Parameter | None = None, size: Sizes | None = None, dtype: DTypeLike = DEFAULT_INT
    ) -> NDArray:
        """Whole numbers in [low, high), or in [0, low): `integers` under its older name.

        Returns and raises as it does.

        >>> x = nd.random.randint(0, 3, size=100)
        >>> nd.unique_values(nd.concat([x, nd.arange(3)]))
        array([0, 1, 2], dtype=int64)
        """
        return self.integers(low, high, size, dtype)

    @tells_its_name
    def random_integers(self, low: int, high: int | None = None, size: Sizes | None = None) -> NDArray:
        """Whole numbers in [low, high], or in [1, low].  Returns and raises as `integers` does.

        >>> x = nd.random.random_integers(1, 6, size=100)
        >>> nd.all((x >= 1) & (x <= 6))
        array(True, dtype=bool)
        """
        low, high = (1, low) if high is None else (low, high)
        return self.integers(low, high, size, endpoint=True)

    def random_sample(self, size: Sizes | None = None) -> NDArray:
        """Uniform numbers in [0, 1): `random` under its older name.  Raises as it does.

        Returns an array of shape `size`.

        >>> nd.random.RandomState(3).random_sample(3)
        array([0.11682557, 0.76523065, 0.55153318], dtype=float64)
        """
        return self.random(size)

    def seed(self, value: Any = None) -> None:
        """Restart from a seed, by default one from the operating system.  Raises as the class does.

        value: a whole number, or None for a seed from the system.

        >>> nd.random.seed(3)
        >>> x = nd.random.random(3)
        >>> nd.random.seed(3)
        >>> nd.array_equal(x, nd.random.random(3))
        array(True, dtype=bool)
        """
        self.state = {"seed": Generator(value).state["seed"], "offset": 0}

    def get_state(self) -> dict[str, int]:
        """The state, for `set_state`.  Raises nothing.

        >>> state = nd.random.get_state()
        >>> x = nd.random.random(3)
        >>> nd.random.set_state(state)
        >>> nd.array_equal(x, nd.random.random(3))
        array(True, dtype=bool)
        """
        return self.state

    def set_state(self, state: dict[str, int]) -> None:
        """Continue from a state.  Raises ValueError and TypeError for anything but a state.

        >>> state = nd.random.get_state()
        >>> x = nd.random.random(3)
        >>> nd.random.set_state(state)  # back to where it was
        >>> nd.array_equal(x, nd.random.random(3))
        array(True, dtype=bool)
        """
        self.state = state

    ranf = sample = random_sample
