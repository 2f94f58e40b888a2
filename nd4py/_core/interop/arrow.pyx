"""Apache Arrow's C data interface: arrays of one axis given to Arrow's libraries, and taken from them, without copies.

Design: only what both sides lay out alike is shared, numbers without nulls.  Arrow packs bools as bits, which costs a
copy.  https://arrow.apache.org/docs/format/CDataInterface.html
"""

from cpython.bytes cimport PyBytes_AS_STRING
from cpython.object cimport PyObject
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid, PyCapsule_New
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.stdint cimport int64_t, uint8_t
from nd4py._core.array.array cimport NDArray
from nd4py._core.array.array_base cimport prepare_write, share
from nd4py._core.array.exits cimport leave_tape
from nd4py._core.interop.buffers cimport array_over, end_export
from nd4py._core.interop.foreign_memory cimport UNKNOWN, Claim
from nd4py._core.upcalls cimport upcalls
from nd4py._mem.free_threads cimport count
from nd4py._mem.pool.pool cimport pool_allocate, pool_release

from ..._mem.diagnostics.memory_wants import out_of_memory
from ..._spec.dtypes import DTYPES, NUMBER
from ..dtype import ALL_DTYPES

cdef extern from * nogil:
    """
    #include <stdint.h>
    // The structures of Arrow's C data interface.
    typedef struct ArrowSchema { const char* format; const char* name; const char* metadata; int64_t flags;
      int64_t n_children; struct ArrowSchema** children; struct ArrowSchema* dictionary;
      void (*release)(struct ArrowSchema*); void* private_data; } ArrowSchema;
    typedef struct ArrowArray { int64_t length; int64_t null_count; int64_t offset; int64_t n_buffers;
      int64_t n_children; const void** buffers; struct ArrowArray** children; struct ArrowArray* dictionary;
      void (*release)(struct ArrowArray*); void* private_data; } ArrowArray;
    """
    ctypedef struct ArrowSchema:
        const char* format
        const char* name
        int64_t flags, n_children
        ArrowSchema* dictionary
        void (*release)(ArrowSchema*) noexcept
    ctypedef struct ArrowArray:
        int64_t length, null_count, offset, n_buffers, n_children
        const void** buffers
        ArrowArray* dictionary
        void (*release)(ArrowArray*) noexcept
        void* private_data

cdef extern from *:
    bint Py_IsInitialized() nogil

# Arrow's letters of the dtypes; bits are a case of their own.
cdef dict LETTERS = {
    NUMBER[name]: letter for name, letter in {
        "int8": b"c", "uint8": b"C", "int16": b"s", "uint16": b"S", "int32": b"i", "uint32": b"I",
        "int64": b"l", "uint64": b"L", "float16": b"e", "float32": b"f", "float64": b"g", "bool": b"b",
    }.items()
}
cdef dict NUMBERS = {letter: number for number, letter in LETTERS.items()}
cdef bytes BITS = b"b"
cdef bytes NO_NAME = b""

cdef enum:
    N_BUFFERS = 2                        # of numbers: which are not null, and the numbers
    NULLABLE = 2                         # ArrowSchema.flags

cdef struct Export:                      # what an exported array points to, until it is released
    const void* buffers[N_BUFFERS]
    PyObject* owner


# Giving.


def to_arrow(x, requested_schema=None) -> tuple[Any, Any]:
    """The capsules of a schema and an array that share the memory of `x`; bools and elements with gaps are copied.

    requested_schema: the capsule of another type, which the elements are converted to; what is no number is not heeded.
    Raises TypeError for a dtype that Arrow lacks and for arrays on devices, ValueError for other than one axis, and for
    numbers that the wanted type cannot hold.
    """
    if not isinstance(x, NDArray):
        raise TypeError(f"__arrow_c_array__: the array is on {x.device}; move it first, x.to_device('cpu')")
    if requested_schema is None:
        return exported(x)
    if not PyCapsule_IsValid(requested_schema, "arrow_schema"):
        raise TypeError(f"__arrow_c_array__: requested_schema must be a capsule, given {requested_schema!r}")
    wanted = number_of(<ArrowSchema*>PyCapsule_GetPointer(requested_schema, "arrow_schema"))
    return exported(x if wanted is None else converted(x, ALL_DTYPES[wanted]))


cdef object number_of(const ArrowSchema* schema):
    """The number of the dtype of a schema's elements, or None where there is none."""
    is_plain = schema.format != NULL and schema.dictionary == NULL and not schema.n_children
    return NUMBERS.get(<bytes>schema.format) if is_plain else None


cdef NDArray converted(NDArray x, object dtype):
    """`x` as another dtype.  Floats are rounded to floats; raises ValueError where other numbers would change."""
    if x.dtype == dtype or x.number not in LETTERS:
        return x
    y = x.astype(dtype).block()           # deferred arrays are of another class
    is_rounded = x.dtype.kind == "f" and dtype.kind == "f"
    if not is_rounded and not bool(upcalls.functions["array_equal"](y.astype(x.dtype), x)):
        raise ValueError(f"__arrow_c_array__: {dtype} cannot hold all of these {x.dtype} numbers; convert them first")
    return y


cdef tuple exported(NDArray x):
    """(schema, array) as capsules."""
    leave_tape(x.node)
    letter = LETTERS.get(x.number)
    if letter is None:
        raise TypeError(f"__arrow_c_array__: Arrow has no {x.dtype}; convert it, by x.astype('float32') or x.real")
    if x.info.ndim != 1:
        raise ValueError(f"__arrow_c_array__: Arrow's arrays have one axis, given shape {x.shape}; use x.reshape(-1)")
    cdef int64_t n = x.info.size
    if letter == BITS:
        x = upcalls.functions["packbits"](x, bitorder="little").block()
    elif not x.info.is_contiguous:
        x = x.copy().block()
    prepare_write(x)                     # raises before anything is counted
    schema = new_schema(letter)
    cdef ArrowArray* array = <ArrowArray*>pool_allocate(sizeof(ArrowArray))
    cdef Export* export = <Export*>pool_allocate(sizeof(Export))
    if array == NULL or export == NULL:
        if array != NULL:
            pool_release(array, sizeof(ArrowArray))
        if export != NULL:
            pool_release(export, sizeof(Export))
        raise out_of_memory(sizeof(ArrowArray), "an Arrow array")
    export.buffers[0], export.buffers[1], export.owner = NULL, x.data, <PyObject*>x
    array[0] = ArrowArray(n, 0, 0, N_BUFFERS, 0, &export.buffers[0], NULL, release_array, export)
    Py_INCREF(x)
    share(x)
    count(&x.n_exports, 1)
    return schema, PyCapsule_New(array, "arrow_array", delete_array)


cdef object new_schema(bytes letter):
    """The capsule of a schema; its texts belong to this module, which stays."""
    cdef ArrowSchema* schema = <ArrowSchema*>pool_allocate(sizeof(ArrowSchema))
    if schema == NULL:
        raise out_of_memory(sizeof(ArrowSchema), "an Arrow schema")
    clear_schema(schema)
    schema.format, schema.name = PyBytes_AS_STRING(letter), PyBytes_AS_STRING(NO_NAME)
    schema.flags, schema.release = NULLABLE, release_schema
    return PyCapsule_New(schema, "arrow_schema", delete_schema)


cdef extern from *:
    """
    #include <string.h>
    static void nd_clear_schema(ArrowSchema* schema) { memset(schema, 0, sizeof(*schema)); }
    """
    void clear_schema "nd_clear_schema"(ArrowSchema* schema)


cdef void release_schema(ArrowSchema* schema) noexcept nogil:
    schema.release = NULL


cdef void release_array(ArrowArray* array) noexcept nogil:
    """Called by the consumer, from any thread, and perhaps after the interpreter has ended: then all memory goes."""
    array.release = NULL
    if Py_IsInitialized():
        let_go(<Export*>array.private_data)


cdef void let_go(Export* export) noexcept with gil:
    cdef PyObject* owner = export.owner
    pool_release(export, sizeof(Export))
    end_export(owner)
    Py_DECREF(<object>owner)


cdef void delete_schema(object capsule) noexcept:
    cdef ArrowSchema* schema = <ArrowSchema*>PyCapsule_GetPointer(capsule, "arrow_schema")
    if schema.release != NULL:
        schema.release(schema)
    pool_release(schema, sizeof(ArrowSchema))


cdef void delete_array(object capsule) noexcept:
    cdef ArrowArray* array = <ArrowArray*>PyCapsule_GetPointer(capsule, "arrow_array")
    if array.release != NULL:
        array.release(array)
    pool_release(array, sizeof(ArrowArray))


# Taking.


cdef class Taken:
    """Owns an Arrow array until the last array over its memory is gone."""

    cdef ArrowArray array

    def __dealloc__(self):
        if self.array.release != NULL:
            self.array.release(&self.array)


def from_arrow(exporter, copy: bool | None = None) -> NDArray | None:
    """The read-only array over what an object with `__arrow_c_array__` has, or None if its elements are no numbers.

    Raises ValueError for nulls, and for bools where `copy` is false, BufferError for what contradicts itself, TypeError
    for other capsules.
    """
    capsules = exporter.__arrow_c_array__()
    if not isinstance(capsules, tuple) or len(capsules) != 2:
        raise TypeError(f"__arrow_c_array__ must return two capsules, given {type(capsules).__name__}")
    for capsule, name in zip(capsules, (b"arrow_schema", b"arrow_array")):
        if not PyCapsule_IsValid(capsule, name):
            raise TypeError(f"__arrow_c_array__ must return a capsule named {name.decode()}, given {capsule!r}")
    cdef ArrowSchema* schema = <ArrowSchema*>PyCapsule_GetPointer(capsules[0], "arrow_schema")
    cdef ArrowArray* source = <ArrowArray*>PyCapsule_GetPointer(capsules[1], "arrow_array")
    if schema.release == NULL or source.release == NULL:
        raise BufferError("__arrow_c_array__: the array was released or consumed already")
    number = number_of(schema)
    if number is None:
        return None
    cdef Taken taken = Taken()
    taken.array = source[0]
    source.release = NULL                # moved: it is ours to release
    check(&taken.array)
    return over_bits(taken, copy) if number == NUMBER["bool"] else over_numbers(taken, number)


cdef int check(const ArrowArray* array) except -1:
    """Raises BufferError for numbers that no array has, ValueError for nulls."""
    if array.length < 0 or array.offset < 0 or array.n_buffers != N_BUFFERS or array.buffers == NULL:
        raise BufferError(
            f"__arrow_c_array__: no array has length {array.length}, offset {array.offset}, {array.n_buffers} buffers"
        )
    cdef const uint8_t* valid = <const uint8_t*>array.buffers[0]
    cdef int64_t i, n_nulls = array.null_count
    if n_nulls < 0:                      # not counted yet
        n_nulls = 0
        for i in range(array.offset, array.offset + array.length if valid != NULL else 0):
            n_nulls += not (valid[i >> 3] >> (i & 7)) & 1
    if n_nulls:
        raise ValueError(f"asarray: {n_nulls} elements are null, which nd4py has not; fill them first, x.fill_null(0)")
    return 0


cdef NDArray over_numbers(Taken taken, int number):
    """An array over numbers, which belong to `taken`."""
    cdef Py_ssize_t itemsize = DTYPES[number].itemsize
    cdef int64_t n = taken.array.length
    cdef size_t address = <size_t>taken.array.buffers[1]
    if n:
        address += taken.array.offset * itemsize
    cdef Claim claim = Claim(address, number, 1, &n, NULL, itemsize, UNKNOWN, UNKNOWN)
    return array_over(&claim, True, taken)


cdef NDArray over_bits(Taken taken, object copy):
    """A new array of bools; Arrow has eight of them in a byte."""
    if copy is False:
        raise ValueError("asarray: Arrow's bools are bits, which need a copy; pass copy=None")
    cdef int64_t offset = taken.array.offset, n = taken.array.length
    cdef int64_t n_bytes = (offset + n + 7) // 8 if n else 0
    cdef Claim claim = Claim(<size_t>taken.array.buffers[1], NUMBER["uint8"], 1, &n_bytes, NULL, 1, UNKNOWN, UNKNOWN)
    bits = upcalls.functions["unpackbits"](array_over(&claim, True, taken), bitorder="little")
    return (bits[offset:offset + n] if n else bits).astype("bool").block()
