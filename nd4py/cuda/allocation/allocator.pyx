"""Caching allocator of device memory and pinned host memory.  Blocks are taken from the driver once and kept for reuse.

Design: taking memory from the driver costs microseconds and freeing it waits for the device, so freed blocks are kept,
within limits that hold exactly: a block is kept if it is not longer than `cacheable_length` and what is kept stays
within `max_cache`, else it goes back at once.  Sizes are multiples of 512 bytes in the classes of the host's pool
(`_mem/pool_classes`).

A block belongs to the stream that it was taken for.  Given back, it may be taken for that stream at once, although the
device may still be at work on it: the next work comes after.  Other streams that worked on it (`note_use`) record an
event then, and the block is parked until these are reached.  Pinned blocks belong to no stream, so every use counts;
so do uses of memory that other libraries lend, which goes back to them in the same way.  A stream of another library
that was handed a block may have been destroyed when the block comes back, so nothing is recorded on it: such blocks
wait until the whole device is waited for.  Nothing here waits for a device but a request that would fail otherwise,
and one where many blocks wait for streams of others.

What a graph works on stays as long as the graph: nothing is freed, parked or asked of the driver while one is captured.

The interpreter's lock guards all of this; what calls the driver leaves everything in order before it does.
Rejected: CuPy's pool, which has no limit on what it keeps; splitting and joining blocks, which pays for big blocks of
many sizes but costs the hit that must be a few nanoseconds.
"""

from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.string cimport memset
from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py._mem.pool.pool_classes cimport MOST_BYTES, size_class
from nd4py.cuda.launch.current_stream cimport bind_anew, graph_lane, is_capturing
from nd4py.cuda.allocation.stream_uses cimport is_passed, is_unknown, make_unknown, note_end, record_uses

from collections.abc import Callable

from ..._mem.sizes import human
from ..driver.driver import DeviceError, DeviceOutOfMemory
from ..driver.driver_choice import at_change, at_fork, driver

cdef enum:
    STEP_BYTES = 512                     # bytes; what CUDA aligns to, twice
    SHARE_AHEAD = 10                     # of `max_cache`, the part of it that is filled ahead of requests
    MANY_UNKNOWN = 16                    # blocks waiting for streams of others, at which their device is waited for

cdef size_t NO_STREAM = <size_t>-1       # whom pinned blocks belong to
cdef dict caches = {}                    # Cache of each device, and of PINNED
cdef object first_limits = None          # of a new cache: a function of the device
cdef bint is_forked = False              # a child has its parent's blocks, which it can neither use nor give back


cdef Cache cache_of(int device):
    """The cache of a device, or of pinned host memory."""
    cdef object found = caches.get(device)
    if found is None:
        limits = {} if first_limits is None else first_limits(device)
        found = caches.get(device)       # the driver was asked, and another thread was faster
    if found is None:
        found = Cache(device)
        Py_INCREF(found)                 # blocks name it by its address, and may be the last to go
        caches[device] = found
        put_limits(device, **limits)
    return <Cache>found


cdef class Cache:
    """The blocks of one device, or of the host's pinned memory."""

    def __cinit__(self, int device):
        self.device_number = device
        self.lanes = {}
        self.max_cache = self.cacheable_length = MOST_BYTES

    cdef Block* take(self, size_t n_bytes, size_t stream) except NULL:
        """A block of at least `n_bytes` for work on `stream`.  Raises DeviceOutOfMemory."""
        cdef Lane* lane = self.lane
        cdef size_t rounded = 0
        cdef Block* block
        cdef int number
        if lane == NULL or lane.stream != stream:
            lane = self.lane_of(stream)
        if n_bytes > MOST_BYTES:
            raise self.out_of_memory(n_bytes, None)
        number = size_class((max(n_bytes, <size_t>1) + STEP_BYTES - 1) & ~<size_t>(STEP_BYTES - 1), &rounded)
        block = lane.shelves[number]
        if block == NULL:
            return self.take_elsewhere(lane, number, rounded, n_bytes)
        lane.shelves[number] = block.next
        self.cached -= rounded
        self.n_hits += 1
        return self.hand_out(block, n_bytes)

    cdef Block* hand_out(self, Block* block, size_t n_bytes) noexcept:
        block.requested = n_bytes
        self.requested += n_bytes
        self.n_live += 1
        self.live += block.n_bytes
        self.peak = max(self.peak, self.live)
        return block

    cdef Block* take_elsewhere(self, Lane* lane, int number, size_t rounded, size_t n_bytes) except NULL:
        """A block that was parked, or one from the driver."""
        cdef Block* block
        if self.parked != NULL and graph_lane() == NULL:     # a step takes as much when it runs first as when captured
            self.unpark(self.n_unknown >= MANY_UNKNOWN)
            block = lane.shelves[number]
            if block != NULL:
                lane.shelves[number] = block.next
                self.cached -= rounded
                self.n_hits += 1
                return self.hand_out(block, n_bytes)
        self.n_misses += 1
        block = self.from_driver(lane, number, rounded, n_bytes)
        self.hand_out(block, n_bytes)
        if self.n_ahead:
            self.take_ahead(lane, number, rounded)
        return block

    cdef Block* from_driver(self, Lane* lane, int number, size_t rounded, size_t n_bytes) except NULL:
        """A fresh block; where there is no room, what is kept goes back first, and the driver is asked once more."""
        cdef Block* block
        address = None
        if self.is_over(rounded):
            self.trim(0, True)
            if self.is_over(rounded):
                raise self.out_of_memory(n_bytes, None)
        try:
            address = self.ask_driver(rounded)
        except DeviceOutOfMemory:
            self.trim(0, True)
        if address is None:
            try:
                address = self.ask_driver(rounded)
            except DeviceOutOfMemory as error:
                raise self.out_of_memory(n_bytes, error) from error
        block = <Block*>pool_allocate(sizeof(Block))
        if block == NULL:
            self.tell_driver(address)
            raise MemoryError(f"cannot allocate {sizeof(Block)} bytes of host memory for a block of device memory")
        memset(block, 0, sizeof(Block))
        block.address, block.n_bytes, block.number = address, rounded, number
        block.lane = lane
        block.cache = <void*>self
        return block

    cdef bint is_over(self, size_t n_bytes) noexcept:
        return self.max_bytes != 0 and self.live + self.cached + self.waiting + n_bytes > self.max_bytes

    cdef object ask_driver(self, size_t n_bytes):
        if is_capturing():
            raise DeviceError(
                f"a graph is being captured, and {n_bytes} bytes more are needed than its step took when it ran first; "
                "the step must do the same every time"
            )
        self.n_driver_calls += 1
        if self.device_number == PINNED:
            return driver().host_alloc(n_bytes)
        bind_anew(self.device_number)
        return driver().malloc(n_bytes)

    cdef object tell_driver(self, size_t address):
        """Free memory; a driver that refuses is no reason to fail, and is counted."""
        if is_forked:
            return
        try:
            if self.device_number == PINNED:
                driver().host_free(address)
            else:
                bind_anew(self.device_number)
                driver().free(address)
        except Exception:                # a lost device raises at every call, and modules are gone at exit
            self.n_failed += 1

    cdef int take_ahead(self, Lane* lane, int number, size_t rounded) except -1:
        """Blocks of a size that was just asked for, in one go, while little is kept."""
        cdef Block* block
        for _ in range(self.n_ahead):
            if (self.cached + rounded > self.max_cache // SHARE_AHEAD or rounded > self.cacheable_length
                    or self.is_over(rounded)):
                return 0
            try:
                block = self.from_driver(lane, number, rounded, rounded)
            except DeviceOutOfMemory:
                return 0
            self.keep(block)
        return 0

    cdef void keep(self, Block* block) noexcept:
        """Put a block that no stream uses back on its shelf, or give it to the driver."""
        cdef Lane* lane = block.lane
        while lane.heir != NULL:
            lane = lane.heir
        if block.owner != NULL:
            lend_back(block)
            return
        if block.n_bytes > self.cacheable_length or self.cached + block.n_bytes > self.max_cache:
            if lane.is_held or is_capturing():
                self.retain(block, lane if lane.is_held else <Lane*>graph_lane())
                return
            self.n_evicted += 1
            self.drop(block)
            return
        block.lane = lane
        block.next = lane.shelves[block.number]
        lane.shelves[block.number] = block
        self.cached += block.n_bytes

    cdef void retain(self, Block* block, Lane* lane) noexcept:
        """Keep a block for the life of the graph that `lane` belongs to; no request gets it."""
        block.next = lane.retained
        lane.retained = block
        self.waiting += block.n_bytes

    cdef void drop(self, Block* block) noexcept:
        cdef size_t address = block.address
        pool_release(block, sizeof(Block))
        self.tell_driver(address)

    cdef Lane* lane_of(self, size_t stream) except NULL:
        """The lane of a stream, made if there is none, and remembered as the one used last."""
        cdef Lane* lane
        cdef size_t address
        found = self.lanes.get(stream)
        if found is None:
            lane = <Lane*>pool_allocate(sizeof(Lane))
            if lane == NULL:
                raise MemoryError(f"cannot allocate {sizeof(Lane)} bytes of host memory for the blocks of a stream")
            memset(lane, 0, sizeof(Lane))
            lane.stream, lane.device_number = stream, self.device_number
            self.lanes[stream] = <size_t>lane
        else:
            address = found
            lane = <Lane*>address
        self.lane = lane
        return lane

    # Blocks that other streams worked on.

    cdef int park(self, Block* block) except -1:
        """Set a block aside until every stream that worked on it has passed the event recorded on it now."""
        record_uses(block)
        self.set_aside(block)
        return 0

    cdef void set_aside(self, Block* block) noexcept:
        """Put a block with uses among the parked ones."""
        self.n_unknown += is_unknown(block)
        self.waiting += block.n_bytes
        block.next = NULL
        if self.parked == NULL:
            self.parked = block
        else:
            self.last_parked.next = block
        self.last_parked = block

    cdef int unpark(self, bint waits) except -1:
        """Keep the parked blocks whose events are reached; `waits` for all of them."""
        cdef Block* block = self.parked
        cdef Block* following
        cdef bint was_unknown
        self.parked = self.last_parked = NULL
        while block != NULL:
            following = block.next
            self.waiting -= block.n_bytes
            was_unknown = is_unknown(block)
            if is_passed(block, waits):
                self.n_unknown -= was_unknown
                self.keep(block)
            else:
                self.n_unknown -= was_unknown
                self.set_aside(block)
            block = following
        return 0

    # Giving back to the driver.

    cdef int trim(self, size_t keep, bint waits) except -1:
        """Give free blocks back to the driver, the largest first, until at most `keep` bytes are kept."""
        cdef Lane* lane
        cdef Block* block
        cdef int number
        cdef size_t address
        self.n_trims += 1
        self.unpark(waits)
        for number in range(N_CLASSES - 1, -1, -1):
            for found in list(self.lanes.values()):
                address = found
                lane = <Lane*>address
                while lane.shelves[number] != NULL and self.cached > keep and not lane.is_held:
                    block = lane.shelves[number]
                    lane.shelves[number] = block.next
                    self.cached -= block.n_bytes
                    self.drop(block)
        return 0

    cdef object out_of_memory(self, size_t n_bytes, object error):
        where = "pinned host memory" if self.device_number == PINNED else f"device cuda:{self.device_number}"
        limit = f"the limit is {self.max_bytes}" if self.max_bytes else "no limit is set"
        cause = f" (the driver says: {error})" if error else ""
        return DeviceOutOfMemory(
            f"cannot allocate {n_bytes} bytes of {where}: {self.live} bytes ({human(self.live)}) are in use, "
            f"{self.cached} cached, {self.waiting} waiting for other streams, {limit}{cause}; free arrays or work in "
            "smaller pieces"
        )


cdef void lend_back(Block* block) noexcept:
    """Let go of the object that lent foreign memory, which no stream uses any more."""
    cdef PyObject* owner = <PyObject*>block.owner
    pool_release(block, sizeof(Block))
    Py_DECREF(<object>owner)


cdef void give(Block* block) noexcept:
    """Take a block back, from whatever thread lets go of it."""
    cdef Cache cache = <Cache>block.cache
    cdef bint is_lent = block.owner != NULL
    cache.n_live -= 1
    cache.live -= block.n_bytes
    cache.requested -= block.requested
    if block.uses == NULL or is_forked:
        cache.keep(block)
        return
    if is_capturing() and graph_lane() != NULL:
        cache.retain(block, <Lane*>graph_lane())
        return
    try:
        cache.park(block)
    except Exception:                    # an event failed: the block waits until its device is waited for
        cache.n_failed += 1
        make_unknown(block)
        cache.set_aside(block)
    if is_lent:                          # others count on it
        try:
            cache.unpark(False)
        except Exception:
            cache.n_failed += 1


def retire_stream(int device, size_t stream) -> None:
    """The stream ended, after all its work: its blocks are the default stream's now."""
    cdef Cache cache = cache_of(device)
    cdef Lane* lane
    cdef Lane* heir
    cdef Block* block
    cdef size_t address
    note_end(device, stream)
    found = cache.lanes.pop(stream, None)
    if found is None:
        return
    address = found
    lane = <Lane*>address
    heir = cache.lane_of(0)
    lane.heir = heir
    lane.is_held = False
    lane.stream = NO_STREAM              # the driver may use its number again
    for number in range(N_CLASSES):
        while lane.shelves[number] != NULL:
            block = lane.shelves[number]
            lane.shelves[number] = block.next
            block.next = heir.shelves[number]
            block.lane = heir
            heir.shelves[number] = block


# For memory.py, which names things.


def counters(int device) -> tuple[int, int, int, int, int, int, int, int, int, int, int, int]:
    """(live, requested, cached, parked, peak bytes; blocks, hits, misses, evicted, trims, driver calls, failures)."""
    cdef Cache cache = cache_of(device)
    return (cache.live, cache.requested, cache.cached, cache.waiting, cache.peak, cache.n_live, cache.n_hits,
            cache.n_misses, cache.n_evicted, cache.n_trims, cache.n_driver_calls, cache.n_failed)


def get_limits(int device) -> tuple[int, int, int, int]:
    """(max_bytes, max_cache, cacheable_length, blocks taken ahead)."""
    cdef Cache cache = cache_of(device)
    return cache.max_bytes, cache.max_cache, cache.cacheable_length, cache.n_ahead


def put_limits(
    int device,
    max_bytes: int | None = None,
    max_cache: int | None = None,
    cacheable_length: int | None = None,
    n_ahead: int | None = None,
) -> int:
    """Set what is not None; what is kept beyond it goes back.  Returns the bytes in use if more than `max_bytes`, else
    0."""
    cdef Cache cache = cache_of(device)
    if max_bytes and cache.live > max_bytes:
        return cache.live
    cache.max_bytes = cache.max_bytes if max_bytes is None else min(max_bytes, MOST_BYTES)
    cache.max_cache = cache.max_cache if max_cache is None else min(max_cache, MOST_BYTES)
    cache.cacheable_length = cache.cacheable_length if cacheable_length is None else min(cacheable_length, MOST_BYTES)
    cache.n_ahead = cache.n_ahead if n_ahead is None else n_ahead
    if cache.cached > cache.max_cache:
        cache.trim(cache.max_cache, False)
    if cache.max_bytes and cache.live + cache.cached + cache.waiting > cache.max_bytes:
        cache.trim(cache.max_bytes - cache.live, True)
    return 0


def set_first_limits(limits_of: Callable[[int], dict[str, int]]) -> None:
    """What gives the limits of a cache that was not used yet, by its device, as keywords of `put_limits`."""
    global first_limits
    first_limits = limits_of


def trim_cache(int device, size_t keep=0, bint waits=False) -> int:
    """Give free blocks back to the driver until at most `keep` bytes are kept; returns how many bytes went."""
    cdef Cache cache = cache_of(device)
    cdef size_t before = cache.cached + cache.waiting
    cache.trim(keep, waits)
    return before - cache.cached - cache.waiting


def reset_peak(int device) -> None:
    """Let the peak begin at what is in use now."""
    cdef Cache cache = cache_of(device)
    cache.peak = cache.live


def devices_with_memory() -> tuple[int, ...]:
    """The devices, and PINNED, that have a cache."""
    return tuple(sorted(caches))


def forget_driver() -> None:
    """Give everything back.  Raises RuntimeError while memory is in use."""
    global is_forked
    for device, cache in sorted(caches.items()):
        if (<Cache>cache).n_live:
            where = "pinned host memory" if device == PINNED else f"cuda:{device}"
            raise RuntimeError(f"use_driver: {(<Cache>cache).n_live} arrays on {where} are alive; delete them first")
    for cache in caches.values():
        (<Cache>cache).trim(0, True)
    caches.clear()
    is_forked = False


def leave_to_parent() -> None:
    """In a forked child: nothing goes back to the driver from here on, as all of it is the parent's."""
    global is_forked
    is_forked = True


at_change.append(forget_driver)
at_fork.append(leave_to_parent)
