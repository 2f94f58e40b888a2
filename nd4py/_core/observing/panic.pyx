"""The search for NaN and infinity: which operation made the first one, at which line of the program.

Design: an observer looks at what each operation has written.  A pass that does several deferred operations is looked at
in its own place (`_exec/lazy/checked_links`), where they are run one by one: what one of them makes may be gone from
the results.  Copies, joins, selections and fills make no values, and are passed over.  A graph runs its function.
Rejected: the processor's own flags, which loops raise for elements behind the ends of vectors too, and which
tell neither the element nor whether a NaN was there before.
"""

from libc.stddef cimport ptrdiff_t
from libc.stdint cimport uint16_t, uint32_t, uint64_t
from nd4py._core.array.array cimport NDArray
from nd4py._core.array.array_base cimport ArrayBase
from nd4py._core.graphs.launch_recording cimport is_recording
from nd4py._core.layout.overlap cimport share_bytes
from nd4py._mem.free_threads cimport Section, enter
from nd4py._core.observing.observers cimport (
    CHAIN, CONVERSION, DRIVER, GRAPH, MOVE, Observer, Operation, begin_observing, end_observing,
)

from contextvars import ContextVar

from ..._spec.dtypes import DTYPES, NUMBER
from .panic_error import PanicError

cdef extern from "bad_values.h" namespace "nd_bad" nogil:
    int NANS, INFINITIES
    cdef struct Elements:
        const char* data
        int ndim
        const Py_ssize_t* shape
        const Py_ssize_t* strides
        int n_parts
    ptrdiff_t find[Bits](const Elements* x, Bits infinity, int kinds, uint64_t* bits)

cdef int panic_kinds = 0
cdef dict KINDS = {None: 0, "nan": NANS, "inf": INFINITIES, "any": NANS | INFINITIES}
cdef object search = None                # the observer, while there is one
cdef object PLACE = ContextVar("place", default=None)    # the part of a network that a thread is in

# Of the numbers of each dtype: the bits of infinity, their bytes, and how many an element has; 0 for others.
cdef uint64_t infinities[32]
cdef int part_bytes[32]
cdef int n_parts[32]
INFINITE = {"float16": 0x7C00, "bfloat16": 0x7F80, "float32": 0x7F800000, "float64": 0x7FF0000000000000}
for number, row in enumerate(DTYPES):
    infinities[number] = INFINITE.get(row.real, 0)
    part_bytes[number] = DTYPES[NUMBER[row.real]].itemsize
    n_parts[number] = row.itemsize // DTYPES[NUMBER[row.real]].itemsize


cdef bint is_searching() noexcept:
    """Whether this thread's operations are searched: not while a graph is captured, whose values are no results."""
    return panic_kinds != 0 and not is_recording()


def set_kinds(mode: str | None) -> str | None:
    """Search for another kind of values from now on.  Returns the one before."""
    cdef Section section
    enter(&section)
    global panic_kinds, search
    before = [known for known, kinds in KINDS.items() if kinds == panic_kinds][0]
    if search is None and mode is not None:
        search = Search()
        begin_observing(search)
    elif search is not None and mode is None:
        end_observing(search)
        search = None
    panic_kinds = KINDS[mode]
    return before


def is_on() -> bool:
    """Whether results are searched for NaN or infinity."""
    return panic_kinds != 0


def place() -> str | None:
    """The part of a network that this thread is in, as errors name it; None outside, and where nothing is searched."""
    return PLACE.get() if panic_kinds else None


def set_place(str place: str | None) -> str | None:
    """Say which part of a network this thread is in.  Returns the one before."""
    before = PLACE.get()
    PLACE.set(place)
    return before


cdef class Search(Observer):
    """Raises PanicError for the operation that has made NaN or infinity."""

    cdef int accept(self, Operation operation, tuple read, tuple written) except -1:
        if operation.sort in (MOVE, CHAIN, GRAPH) or not is_searching():
            return 0
        if operation.sort == DRIVER and has_failed(written):
            return 0
        error = error_of(operation.name, operation.line, read, written, operation.sort == CONVERSION)
        if error is not None:
            raise error
        return 0


cdef bint has_failed(tuple results) noexcept:
    """Whether a driver says that a matrix has no result, which its caller makes an error of its own of."""
    failure = results[len(results) - 1] if results else None
    return type(failure) is tuple and len(failure) > 0 and failure[0] >= 0


cdef Py_ssize_t first_bad(ArrayBase x, uint64_t* bits) noexcept:
    """The position of the first value that is searched for, in C order, or -1; and the bits of the number."""
    cdef Elements elements
    cdef int number = x.number
    if infinities[number] == 0:
        return -1
    elements.data, elements.ndim = (<NDArray>x).data, x.info.ndim
    elements.shape, elements.strides, elements.n_parts = x.info.shape, x.info.strides, n_parts[number]
    if part_bytes[number] == 2:
        return find[uint16_t](&elements, <uint16_t>infinities[number], panic_kinds, bits)
    if part_bytes[number] == 4:
        return find[uint32_t](&elements, <uint32_t>infinities[number], panic_kinds, bits)
    return find[uint64_t](&elements, infinities[number], panic_kinds, bits)


cdef object error_of(str name, str line, tuple read, tuple written, bint makes_all):
    """The error of an operation that has written NaN or infinity, or None.

    makes_all: whether what was in operands before is of no interest
    """
    cdef uint64_t bits = 0
    cdef Py_ssize_t position
    for x in written:
        if type(x) is not NDArray:
            continue
        position = first_bad(<NDArray>x, &bits)
        if position < 0:
            continue
        had = operand_with(read, written)
        if had is not None and makes_all:
            return None
        value, index = value_of((<NDArray>x).number, bits), index_of(position, x.shape)
        how = f"made {value}" if had is None else f"passed on {value}, which {had}: its result has it"
        error = PanicError(
            f"{name}{line} {how} at index {index} of {described(x)}; its operands: {', '.join(map(described, read))}"
        )
        error.operation, error.line, error.index, error.value = name, line[4:], index, value
        return error
    return None


cdef str operand_with(tuple read, tuple written):
    """Which of the operands had NaN or infinity before, in words, or None."""
    cdef uint64_t bits = 0
    cdef Py_ssize_t position
    cdef int number
    for number, x in enumerate(read):
        if type(x) is not NDArray:
            if is_bad_scalar(x):
                return f"operand {number} is"
        elif not is_overwritten(<NDArray>x, written):
            position = first_bad(<NDArray>x, &bits)
            if position >= 0:
                value = value_of((<NDArray>x).number, bits)
                return f"operand {number} had before ({value} at index {index_of(position, x.shape)})"
    return None


cdef bint is_overwritten(NDArray x, tuple written) noexcept:
    """Whether the values of an operand are not there any more."""
    for y in written:
        if type(y) is NDArray and share_bytes(<size_t>x.data, x.info, <size_t>(<NDArray>y).data, (<NDArray>y).info):
            return True
    return False


cdef bint is_bad_scalar(object x) noexcept:
    """Whether a number of Python is what is searched for."""
    if isinstance(x, complex):
        return is_bad_scalar(x.real) or is_bad_scalar(x.imag)
    if not isinstance(x, float):
        return False
    return (panic_kinds & NANS and x != x) or (panic_kinds & INFINITIES and x - x != x - x and x == x)


cdef double value_of(int number, uint64_t bits) noexcept:
    """What a number that is not finite is."""
    cdef uint64_t sign = <uint64_t>1 << (8 * part_bytes[number] - 1)
    cdef double infinity = float("inf")
    if (bits & ~sign) > infinities[number]:
        return infinity - infinity
    return -infinity if bits & sign else infinity


cdef tuple index_of(Py_ssize_t position, tuple shape):
    """The index of an element by its position in C order."""
    cdef list index = []
    for size in reversed(shape):
        index.append(position % size)
        position //= size
    return tuple(index[::-1])


cdef str described(object x):
    """An operand in words: dtype and shape of an array, a number as it is."""
    return f"{x.dtype}{x.shape}" if type(x) is NDArray else type(x).__name__ if hasattr(x, "shape") else repr(x)
