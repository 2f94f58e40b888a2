"""Arena layout with reuse: new arrays get the memory of those that are gone.

Design: in the first scope an array gets the smallest gap that holds it.  What was taken and given back is then laid out
anew with everything known, largest arrays first, which comes close to the most that is alive at a time (LeNet's
training step: 15.7 MiB, where the gaps of the first scope make it 20.3), and later scopes follow that plan as long as
they ask for the same sizes in the same order.  A scope that does not, such as the last and smaller batch of an epoch,
goes on with gaps; after two of them in a row the next one is learned.  Scopes of very many arrays always go on with
gaps, for laying out takes time that grows with the square of their number.
"""

from nd4py._mem.arena.free_ranges cimport Ranges

from .memory_plan import lay_out

cdef enum:
    STRAYED_TOO_OFTEN = 2
    MOST_EVENTS = 4000                   # that a plan is made from: 2000 arrays take half a second

cdef size_t EVERYWHERE = <size_t>-1


cdef class ArenaReuse:

    def __init__(self):
        self.free = Ranges()

    cdef int begin(self) except -1:
        """A scope starts, with nothing taken."""
        self.free.clear()
        self.highest = self.position = 0
        self.follows = self.plan is not None and self.n_strayed < STRAYED_TOO_OFTEN
        self.events = None if self.follows else []
        self.top = self.planned_size if self.follows else 0
        if self.top:
            self.free.give(0, self.top, EVERYWHERE)
        return 0

    cdef size_t take(self, size_t size) except? 1:
        """The start of a gap of `size` bytes for an array."""
        cdef size_t start = self.find(size)
        if self.record is not None:
            self.record.append((start, size))
        return start

    cdef bint take_scratch(self, size_t size, size_t* start) except -1:
        """As `take`, for a kernel's memory.  Whether there is a gap: a plan is not left for its sake.

        Its size may follow the number of threads, which others in the process have a say in.
        """
        if self.record is not None:
            self.record.append((0, -<Py_ssize_t>size))
        if not self.follows or self.position >= len(self.plan):
            start[0] = self.find(size)
            return True
        planned, offset = self.plan[self.position]
        self.position += 1
        start[0] = offset
        if planned < size or not self.free.take_at(offset, size):
            return False
        self.highest = max(self.highest, start[0] + size)
        return True

    cdef size_t find(self, size_t size) except? 1:
        cdef size_t start = 0
        if not (self.follows and self.has_planned(size, &start)) and not self.free.take(size, &start):
            start = self.top
            self.top += size
        self.highest = max(self.highest, start + size)
        note(self.events, start, size)
        return start

    cdef bint has_planned(self, size_t size, size_t* start) except -1:
        """Whether the plan goes on with an array of that size, and its gap is free."""
        if self.position < len(self.plan):
            planned, offset = self.plan[self.position]
            if planned == size and self.free.take_at(offset, size):
                start[0] = offset
                self.position += 1
                return True
        self.follows = False
        self.n_strayed += 1
        return False

    cdef int give(self, size_t start, size_t size) except -1:
        """Take an array's memory back."""
        self.give_scratch(start, size)
        if self.record is not None:
            self.record.append((start, 0))
        return 0

    cdef int give_scratch(self, size_t start, size_t size) except -1:
        """Take a kernel's memory back."""
        if self.events is None:
            self.free.give(start, start + size, EVERYWHERE)
        else:
            self.top = self.free.give(start, start + size, self.top)
            note(self.events, start, 0)
        return 0

    cdef bint end(self) except -1:
        """The scope is over.  Returns whether there is a new plan."""
        if self.follows:
            self.n_strayed = 0
        if self.events is None:
            return False
        is_small = len(self.events) <= MOST_EVENTS
        self.plan, self.planned_size = lay_out(self.events) if is_small else (None, 0)
        self.n_strayed = 0
        self.events = None
        return is_small


cdef int note(list events, size_t start, size_t size) except -1:
    """Remember what a plan is to be made from, while that is wanted and as long as it is not too much."""
    if events is not None and len(events) <= MOST_EVENTS:
        events.append((start, size))
    return 0
