"""How kernels are launched: the limit that people may set, as in ND4J's CUDA environment."""

from .launches import MAX_BLOCKS


cdef class Configuration:
    """`nd4py.cuda.config`: read at every launch, for all threads.

    Blocks have the number of threads that kernels are built for, so ND4J's limits on block sizes have nothing to limit.
    """

    def __cinit__(self):
        self.n_blocks = MAX_BLOCKS

    @property
    def maximum_grid_size(self):
        """The most blocks of a launch, 1 to 2**31 - 1.

        Kernels walk their range in steps of the grid, so any limit gives the same results, bit for bit.  ND4J's default
        of 4096 would leave large devices idle; here it is the hardware's.
        """
        return self.n_blocks

    @maximum_grid_size.setter
    def maximum_grid_size(self, value):
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"maximum_grid_size: a whole number of blocks, given {value!r}")
        if not 1 <= value <= MAX_BLOCKS:
            raise ValueError(f"maximum_grid_size: 1 to {MAX_BLOCKS}, given {value}")
        self.n_blocks = value


cdef Configuration limits = Configuration.__new__(Configuration)
config = limits
