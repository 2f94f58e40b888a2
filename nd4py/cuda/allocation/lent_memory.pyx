"""Memory that other libraries lend.  It goes back to them when all streams that used it here have passed.

Design: a block of foreign memory is one of a cache that hands none out, on a shelf that belongs to no stream, so every
stream that works on it is noted, and waited for as with blocks of ours.
"""

from cpython.ref cimport Py_INCREF
from libc.string cimport memset
from nd4py._mem.pool.pool cimport pool_allocate
from nd4py.cuda.allocation.allocator cimport Block, Cache, Lane
from nd4py.cuda.launch.current_stream cimport is_capturing

from ..driver.driver_choice import at_change

cdef enum:
    FOREIGN = -2                         # the device of such a cache, which is none

cdef Lane no_lane                        # no stream's: every use counts
no_lane.stream, no_lane.device_number = <size_t>-1, FOREIGN
cdef Cache foreign = None                # made when something is lent first


cdef Block* foreign_block(size_t address, size_t n_bytes, object owner) except NULL:
    """Memory that `owner` lends, which is let go of when `give` is called and all streams that used it have passed."""
    global foreign
    if foreign is None:
        foreign = Cache(FOREIGN)
    cdef Block* block = <Block*>pool_allocate(sizeof(Block))
    if block == NULL:
        raise MemoryError(f"cannot allocate {sizeof(Block)} bytes of host memory for a block of foreign memory")
    memset(block, 0, sizeof(Block))
    block.address, block.n_bytes = address, n_bytes
    block.lane = &no_lane
    block.cache = <void*>foreign
    Py_INCREF(owner)
    block.owner = <void*>owner
    return foreign.hand_out(block, n_bytes)


def release_foreign() -> None:
    """Give back what was lent, as far as all streams that used it have passed."""
    if foreign is not None and foreign.parked != NULL and not is_capturing():
        foreign.unpark(False)


def forget_driver() -> None:
    """Another driver has other streams: all of these have passed."""
    if foreign is not None:
        foreign.unpark(True)


at_change.append(forget_driver)
