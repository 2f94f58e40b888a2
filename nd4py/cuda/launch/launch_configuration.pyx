"""Launch configuration: limits that users may set, as in ND4J's CUDA environment."""

import os

from ..._mem.errors import belongs_to_process
from .current_stream import whole_number
from .geometry import MAX_BLOCKS

cdef str COMBINE_AFTER = "ND4PY_CUDA_COMBINE_AFTER"

cdef enum:
    WARP = 32
    MAX_THREADS = 1024                   # that a block may have


cdef class Configuration:
    """`nd4py.cuda.config`: read at every launch, for all threads."""

    def __cinit__(self):
        self.n_blocks = MAX_BLOCKS
        self.n_threads = MAX_THREADS
        text = os.environ.get(COMBINE_AFTER, "").strip()
        if text and not text.isdigit():
            raise ValueError(f"{COMBINE_AFTER}: a whole number from 0, given {text!r}")
        self.n_by_steps = int(text) if text else 2

    def __reduce_ex__(self, protocol):
        raise belongs_to_process("nd4py.cuda.config", "set its attributes in the other process")

    @property
    def maximum_grid_size(self) -> int:
        """The most blocks of a launch, 1 to 2**31 - 1.

        Kernels walk their range in steps of the grid, so any limit gives the same results, bit for bit.  ND4J's default
        of 4096 would leave large devices idle; here it is the hardware's.
        """
        return self.n_blocks

    @maximum_grid_size.setter
    def maximum_grid_size(self, value):
        number = whole_number(value)
        if number is None:
            raise TypeError(f"maximum_grid_size: a whole number of blocks, given {value!r}")
        if not 1 <= number <= MAX_BLOCKS:
            raise ValueError(f"maximum_grid_size: 1 to {MAX_BLOCKS}, given {value}")
        self.n_blocks = number

    @property
    def maximum_block_size(self) -> int:
        """The most threads of a block, 32 to 1024, for kernels whose threads work each on their own.

        These walk their range in steps of all threads, so any limit gives the same results, bit for bit.  Kernels whose
        threads share what they find, such as reductions and products, keep the block they are built for: how their
        sums are cut must not depend on a setting.  No kernel is launched with more threads than it is built for.
        """
        return self.n_threads

    @maximum_block_size.setter
    def maximum_block_size(self, value):
        number = whole_number(value)
        if number is None:
            raise TypeError(f"maximum_block_size: a whole number of threads, given {value!r}")
        if not WARP <= number <= MAX_THREADS:
            raise ValueError(f"maximum_block_size: {WARP} to {MAX_THREADS}, given {value}")
        self.n_threads = number

    @property
    def combine_after(self) -> int:
        """How often a chain of operations runs step by step before one kernel is compiled for it, 0 or more.

        Steps, dtypes and what is written make a chain; sizes and layouts do not count.  A kernel takes 0.1 to 0.2 s to
        compile the first time on a machine, so a chain that is met once or twice is not worth it, and one of a loop
        is.  Results are the same, bit for bit.
        """
        return self.n_by_steps

    @combine_after.setter
    def combine_after(self, value):
        number = whole_number(value)
        if number is None:
            raise TypeError(f"combine_after: a whole number of runs, given {value!r}")
        if number < 0:
            raise ValueError(f"combine_after: 0 or more, given {value}")
        self.n_by_steps = number


cdef Configuration limits = Configuration.__new__(Configuration)
config: Configuration = limits
