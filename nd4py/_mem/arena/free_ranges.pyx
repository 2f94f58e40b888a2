"""Free ranges of an arena, sorted by address.  An arena takes them back below its top while its scope is open.

Design: two sorted arrays.  A training step has a handful of gaps at any time, so looking at all of them for the
smallest that fits costs less than a tree would.
"""

from libc.string cimport memcpy, memmove
from nd4py._mem.pool.pool cimport pool_allocate, pool_release

from ..diagnostics.memory_wants import out_of_memory


cdef class Ranges:

    def __dealloc__(self):
        if self.starts != NULL:
            pool_release(self.starts, 2 * self.room * sizeof(size_t))

    cdef void clear(self) noexcept:
        self.n = 0

    cdef bint take(self, size_t size, size_t* start) noexcept:
        """Cut `size` bytes from the smallest range that has them; whether there is one."""
        cdef Py_ssize_t i, best = -1
        cdef size_t length, best_length = 0
        for i in range(self.n):
            length = self.ends[i] - self.starts[i]
            if length >= size and (best < 0 or length < best_length):
                best, best_length = i, length
        if best < 0:
            return False
        start[0] = self.starts[best]
        self.starts[best] += size
        if self.starts[best] == self.ends[best]:
            self.drop(best)
        return True

    cdef bint take_at(self, size_t start, size_t size) except -1:
        """Cut these bytes out of the range that has them; whether there is one."""
        cdef Py_ssize_t i
        cdef size_t end
        for i in range(self.n):
            if self.starts[i] <= start and start + size <= self.ends[i]:
                break
        else:
            return False
        end = self.ends[i]
        self.ends[i] = start
        if self.starts[i] == start:
            self.drop(i)
        if start + size < end:
            self.give(start + size, end, <size_t>-1)
        return True

    cdef size_t overlap(self, size_t start, size_t end) noexcept:
        """How many bytes between `start` and `end` are in ranges."""
        cdef size_t n_bytes = 0
        for i in range(self.n):
            if self.starts[i] < end and start < self.ends[i]:
                n_bytes += min(self.ends[i], end) - max(self.starts[i], start)
        return n_bytes

    cdef int cut(self, size_t start, size_t end) except -1:
        """Take everything between `start` and `end` out of the ranges."""
        cdef Py_ssize_t i = 0
        cdef size_t last
        while i < self.n and self.starts[i] < end:
            last = self.ends[i]
            if last <= start:
                i += 1
            elif self.starts[i] < start:
                self.ends[i] = start
                if last > end:
                    self.give(end, last, <size_t>-1)
                i += 1
            elif last > end:
                self.starts[i] = end
            else:
                self.drop(i)
        return 0

    cdef void drop_behind(self, size_t end) noexcept:
        """Forget everything from `end` on."""
        while self.n and self.starts[self.n - 1] >= end:
            self.n -= 1
        if self.n:
            self.ends[self.n - 1] = min(self.ends[self.n - 1], end)

    cdef size_t give(self, size_t start, size_t end, size_t top) except? 0:
        """Add a range, joined with its neighbours; returns the new top, lower if the range was the last before it."""
        cdef Py_ssize_t i = self.n
        while i > 0 and self.starts[i - 1] > start:
            i -= 1
        if i > 0 and self.ends[i - 1] == start:
            i -= 1
            start = self.starts[i]
            self.drop(i)
        if i < self.n and self.starts[i] == end:
            end = self.ends[i]
            self.drop(i)
        if end == top:
            return start
        if self.n == self.room:
            self.grow()
        memmove(self.starts + i + 1, self.starts + i, (self.n - i) * sizeof(size_t))
        memmove(self.ends + i + 1, self.ends + i, (self.n - i) * sizeof(size_t))
        self.starts[i], self.ends[i] = start, end
        self.n += 1
        return top

    cdef void drop(self, Py_ssize_t i) noexcept:
        self.n -= 1
        memmove(self.starts + i, self.starts + i + 1, (self.n - i) * sizeof(size_t))
        memmove(self.ends + i, self.ends + i + 1, (self.n - i) * sizeof(size_t))

    cdef int grow(self) except -1:
        cdef Py_ssize_t room = max(64, 2 * self.room)
        cdef size_t n_bytes = 2 * room * sizeof(size_t)
        cdef size_t* starts = <size_t*>pool_allocate(n_bytes)
        if starts == NULL:
            raise out_of_memory(n_bytes, "the list of free ranges of a workspace")
        if self.starts != NULL:
            memcpy(starts, self.starts, self.n * sizeof(size_t))
            memcpy(starts + room, self.ends, self.n * sizeof(size_t))
            pool_release(self.starts, 2 * self.room * sizeof(size_t))
        self.starts, self.ends, self.room = starts, starts + room, room
        return 0
