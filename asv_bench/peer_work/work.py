"""What a row of work is."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from peer_libraries import CannotError


@dataclass(frozen=True)
class Work:
    """One row, written once for all libraries.

    `text` is what a user writes: an expression of `xp` (the library) and of the arrays that `inputs(size)` makes, or a
    statement that changes the first of them.
    """

    family: str  # the table it stands in
    name: str
    text: str
    inputs: Callable  # size -> {name: NumPy array}; floating ones become `dtype`
    sizes: tuple
    dtype: str = "float32"
    spell: dict = field(default_factory=dict)  # {library: its text where it differs, None where it lacks the function}
    setup: dict = field(default_factory=dict)  # {library: statements that run once, before}
    outputs: tuple = ()  # arrays among the inputs that are written and not read
    flops: Callable | None = None  # size -> operations, where arithmetic is the limit
    tolerance: float | None = None  # of the results, as a fraction of the greatest; by dtype if None
    has_limit: bool = True  # its bytes or operations say how fast it could be
    is_core: bool = False  # stands in the quick run too
    floor: float | None = None  # what nd4py / NumPy may be, for rows that have a floor of their own

    def calls(self, library, size):
        """`once()`, `batch(n)` and the {name: array} they read, in `library`.  Raises CannotError."""
        text = self.spell.get(library.name, self.text)
        if text is None:
            raise CannotError("no such function")
        if self.dtype in library.no_dtypes:
            raise CannotError(f"no {self.dtype}")
        arrays = {
            name: library.from_numpy(array, self.dtype if array.dtype.kind == "f" else array.dtype.name)
            for name, array in self.inputs(size).items()
        }
        return *library.calls(text, self.setup.get(library.name, ""), arrays), arrays

    def label(self, size):
        """The size in words."""
        return " x ".join(f"{n:,}" for n in np.atleast_1d(size))
