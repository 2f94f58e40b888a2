"""Sorting of one long line by all threads: encode, pack, spread into buckets, sort the buckets.

Every step is a row of tasks over pieces or buckets, whose borders follow from the elements alone.
"""

from libc.stddef cimport ptrdiff_t
from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memcpy
from nd4py._core.array.array cimport NDArray, new_array
from nd4py._core.threads.threads cimport acquire_threads, goes_on, raise_if_stopped, release_threads
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py.cpu.isa.isa cimport loops
from nd4py.cpu.sort.sort_loops cimport SORT_BUCKETS, choose_narrowing, choose_packing
from nd4py.cpu.parallel.tasks cimport run_tasks

from ..._mem.diagnostics.memory_wants import out_of_memory
from ..._core.dtype import ALL_DTYPES
from ..._spec.dtypes import NUMBER

cdef int BYTE = NUMBER["uint8"]

cdef enum:
    SPREAD_ALONE_FROM_ITEMS = 8388608    # items from which on buckets pay on one thread (asv sorting.TimeSort)


cdef const SortLoops* sort_loops_of(NDArray x) except NULL:
    """The loops for the dtype of `x`.  Raises TypeError where its elements have no order."""
    cdef const SortLoops* found = loops.sort.dtypes[x.number]
    if found == NULL:
        raise TypeError(f"{ALL_DTYPES[x.number]} elements have no order; sort their real parts or absolute values")
    return found


cdef class Line:
    """n elements, at least one, of a contiguous array.  Raises TypeError for a dtype without order."""

    def __init__(self, NDArray x, Py_ssize_t first, Py_ssize_t n, bint descending):
        cdef Work* work = &self.work
        work.loops = sort_loops_of(x)
        self.memory = [x]
        work.itemsize = x.info.itemsize
        work.x = x.data + first * work.itemsize
        work.descending = descending
        work.line.n = n
        work.line.key_bytes = work.loops.key_bytes
        work.line.nan_key = ~work.loops.nan_key if descending else work.loops.nan_key
        work.n_pieces = (work.line.n + PIECE_ELEMENTS - 1) // PIECE_ELEMENTS

    cdef void* allocate(self, Py_ssize_t n_bytes) except NULL:
        """Memory that lives as long as this object.  Raises MemoryError."""
        cdef NDArray block = new_array(BYTE, 1, &n_bytes)
        self.memory.append(block)
        return block.data

    cdef int encode(self) except -1:
        """Make the keys, and learn their range and direction.  The items are the keys."""
        cdef Work* work = &self.work
        cdef SortLine* line = &work.line
        cdef Py_ssize_t i
        cdef Hold hold
        hold.add(holds, work.x)
        line.keys = work.x
        if work.descending or not work.loops.is_key:
            line.keys = <char*>self.allocate(line.n * line.key_bytes)
        work.ranges = <KeyRange*>self.allocate(work.n_pieces * sizeof(KeyRange))
        with nogil:
            run_tasks(encode_piece, work, work.n_pieces, line.n)
        raise_if_stopped()
        line.lowest, line.highest = work.ranges.lowest, work.ranges.highest
        line.varying, line.has_twins = 0, False
        for i in range(work.n_pieces):
            line.lowest = min(line.lowest, work.ranges[i].lowest)
            line.highest = max(line.highest, work.ranges[i].highest)
            line.varying |= work.ranges[i].varying | (work.ranges[i].lowest ^ work.ranges.lowest)
            line.has_twins = line.has_twins or work.ranges[i].has_twins
        line.items = <char*>line.keys
        line.item_bytes = line.key_bytes
        line.is_packed = False
        with nogil:
            work.direction = loops.sort.items[line.key_bytes // 8].direction(line.keys, line.n)
        return raise_if_stopped()

    cdef int pack(self, bint with_positions) except -1:
        """Make items of the keys and their positions; or, to move less, of the keys alone where they need few bits."""
        cdef Work* work = &self.work
        cdef Hold hold
        hold.add(holds, work.x)
        if with_positions:
            choose_packing(&work.line)
        elif work.direction or not choose_narrowing(&work.line):
            return 0
        work.line.items = <char*>self.allocate(work.line.n * work.line.item_bytes)
        work.item_loops = &loops.sort.items[work.line.item_bytes // 8]
        with nogil:
            run_tasks(pack_piece, work, work.n_pieces, work.line.n)
        return raise_if_stopped()

    cdef int sort(self, char* sorted, char* y) except -1:
        """Put the items in order, into `sorted` (NULL: memory of this object) unless they are in order where they lie.

        y: where the elements (packed: their positions) go too, or NULL.
        """
        cdef Work* work = &self.work
        cdef SortLine* line = &work.line
        cdef Py_ssize_t n_bytes = line.n * line.item_bytes
        cdef char* scratch
        cdef Hold hold
        hold.add(holds, work.x, sorted, y)
        work.y = y
        work.item_loops = &loops.sort.items[line.item_bytes // 8]
        line.sorted = line.items
        if work.direction != 1:
            line.sorted = sorted if sorted != NULL else <char*>self.allocate(n_bytes)
        if work.direction == -1:
            work.item_loops.reverse(line)
        if work.direction == 0:
            if is_spread(line.n):
                return self.spread()
            scratch = line.items
            if line.items == work.x:     # which is only read
                scratch = <char*>self.allocate(n_bytes)
            with nogil:
                if line.items == work.x:
                    memcpy(scratch, line.items, n_bytes)
                work.item_loops.sort(line, 0, line.n, scratch, line.sorted)
        if y != NULL:
            with nogil:
                run_tasks(finish_piece, work, work.n_pieces, line.n)
        return raise_if_stopped()

    cdef int spread(self) except -1:
        """Spread the items into buckets and sort those."""
        cdef Work* work = &self.work
        cdef Hold hold
        hold.add(holds, work.x, work.line.sorted, work.y)
        work.line.bucket = <uint8_t*>self.allocate(work.line.n)
        work.counts = <ptrdiff_t*>self.allocate(work.n_pieces * SORT_BUCKETS * sizeof(ptrdiff_t))
        work.is_out_of_memory = False
        with nogil:
            work.item_loops.choose_spread(&work.line)
            run_tasks(classify_piece, work, work.n_pieces, work.line.n)
            if goes_on():
                start_buckets(work)
            run_tasks(scatter_piece, work, work.n_pieces, work.line.n)
            run_tasks(sort_bucket, work, SORT_BUCKETS, work.line.n)
        raise_if_stopped()
        if work.is_out_of_memory:
            raise out_of_memory(work.line.n * work.line.item_bytes, f"{work.line.n} elements to be sorted in")
        return 0


cdef bint is_spread(Py_ssize_t n) noexcept nogil:
    """Whether buckets pay for n items: with several threads, or where the items have outgrown the cache."""
    if n < min(SPREAD_FROM_ITEMS, SPREAD_ALONE_FROM_ITEMS):
        return False
    cdef int n_threads = acquire_threads(2)
    release_threads(n_threads)
    return n >= (SPREAD_FROM_ITEMS if n_threads > 1 else SPREAD_ALONE_FROM_ITEMS)


cdef Py_ssize_t start_of(const Work* work, Py_ssize_t piece) noexcept nogil:
    """The first element of a piece; of the piece after the last, the end of the line."""
    return min(piece * PIECE_ELEMENTS, work.line.n)


cdef void encode_piece(void* given, Py_ssize_t piece) noexcept nogil:
    cdef Work* work = <Work*>given
    cdef Py_ssize_t first = start_of(work, piece), n = start_of(work, piece + 1) - first
    cdef char* keys = NULL
    if work.line.keys != work.x:
        keys = <char*>work.line.keys + first * work.line.key_bytes
    work.loops.encode(work.x + first * work.itemsize, n, work.descending, keys, &work.ranges[piece])


cdef void pack_piece(void* given, Py_ssize_t piece) noexcept nogil:
    cdef Work* work = <Work*>given
    work.item_loops.pack(&work.line, start_of(work, piece), start_of(work, piece + 1))


cdef void classify_piece(void* given, Py_ssize_t piece) noexcept nogil:
    cdef Work* work = <Work*>given
    work.item_loops.classify(&work.line, start_of(work, piece), start_of(work, piece + 1),
                             work.counts + piece * SORT_BUCKETS)


cdef void start_buckets(Work* work) noexcept nogil:
    """Turn the counts of every piece into where its first item of every bucket goes."""
    cdef Py_ssize_t bucket, piece, count, start = 0
    for bucket in range(SORT_BUCKETS):
        work.line.start[bucket] = start
        for piece in range(work.n_pieces):
            count = work.counts[piece * SORT_BUCKETS + bucket]
            work.counts[piece * SORT_BUCKETS + bucket] = start
            start += count
    work.line.start[<Py_ssize_t>SORT_BUCKETS] = start


cdef void scatter_piece(void* given, Py_ssize_t piece) noexcept nogil:
    cdef Work* work = <Work*>given
    work.item_loops.scatter(&work.line, start_of(work, piece), start_of(work, piece + 1),
                            work.counts + piece * SORT_BUCKETS)


cdef void sort_bucket(void* given, Py_ssize_t bucket) noexcept nogil:
    cdef Work* work = <Work*>given
    cdef Py_ssize_t first = work.line.start[bucket], end = work.line.start[bucket + 1]
    cdef size_t n_bytes = (end - first) * work.line.item_bytes
    cdef char* scratch = <char*>pool_allocate(n_bytes)     # still in the cache from the bucket before
    if scratch == NULL:
        work.is_out_of_memory = True
        return
    work.item_loops.sort(&work.line, first, end, work.line.sorted + first * work.line.item_bytes, scratch)
    pool_release(scratch, n_bytes)
    if work.y != NULL:
        finish(work, first, end)


cdef void finish_piece(void* given, Py_ssize_t piece) noexcept nogil:
    cdef Work* work = <Work*>given
    finish(work, start_of(work, piece), start_of(work, piece + 1))


cdef void finish(Work* work, Py_ssize_t first, Py_ssize_t end) noexcept nogil:
    """Write the elements of sorted keys, or the positions of sorted packed items."""
    cdef const char* items = work.line.sorted + first * work.line.item_bytes
    cdef char* y = work.y + first * work.itemsize
    if work.line.is_packed and work.line.index_bits:
        work.item_loops.unpack(&work.line, first, end, <int64_t*>work.y)
        return
    if work.line.is_packed:
        work.item_loops.widen(&work.line, items, end - first, y)
        items = y
    work.loops.decode(items, end - first, work.descending, y)
