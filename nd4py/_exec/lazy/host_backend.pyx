"""The lazy engine's backend for the host: which operations it defers, those with large results, and their memory.

The rules that follow are those of all memory (`nd4py._core.lazy.deferring`).
"""

from cpython.object cimport PyObject, PyTypeObject
from nd4py._core.array.array cimport ArrayBase, NDArray, owner_of, take_over
from nd4py._core.interop.exported cimport Exported, is_fixed
from nd4py._core.lazy.lazy_backend cimport Backend
from nd4py._core.lazy.chain cimport FREE_THREADS, MAX_LEAVES, MAX_OUTPUTS, MAX_PARAMS, MAX_SCALARS, Chain, Home
from nd4py._core.lazy.deferred cimport become_deferred, deferred_type, fields, is_deferred, materialized
from nd4py._core.lazy.deferring cimport (
    Row, defer as defer_row, defer_conversion as defer_other_dtype, defer_in_place as defer_row_in_place,
)
from nd4py._core.layout.shape cimport ShapeInfo
from nd4py._exec.lazy cimport outputs
from nd4py._exec.lazy.run_chain cimport launch
from nd4py._exec.dispatch.promotion cimport store_operand
from nd4py._exec.dispatch.row_table cimport NOT_FUSED, compute, fused_rows, result_numbers, rows
from nd4py._mem.pool.pool_system cimport limits
from nd4py._mem.workspace.workspace cimport Workspace, get_current, would_hold
from nd4py.cpu.isa.isa cimport loops
from nd4py.cpu.isa.last_cache cimport LAST_CACHE_BYTES

cdef extern from "element_sizes.gen.h" nogil:
    const Py_ssize_t itemsizes[]

cdef enum:
    NO_LIMIT = 1 << 20                   # of words: a program holds what a chain does


cdef class HostBackend(Backend):
    """Chains of NDArrays."""

    cdef Home home_on(self, int device) noexcept:
        cdef Home home
        cdef PyObject* workspace = get_current()
        home.device, home.holder, home.generation = device, <size_t>workspace, 0
        if workspace != NULL:
            home.generation = (<Workspace>workspace).generation_id
        return home

    cdef size_t limit_bytes(self, int device) except? 0:
        if limits.maxbytes and limits.maxphysicalbytes:
            return min(limits.maxbytes, limits.maxphysicalbytes)
        return limits.maxbytes or limits.maxphysicalbytes

    cdef bint is_private(self, ArrayBase x) except -1:
        cdef NDArray owner = <NDArray>owner_of(x)
        if owner.n_shares:
            return False
        if owner.block != NULL or owner.attachment != NULL:
            return True
        return type(owner.base) is Exported and is_fixed(<Exported>owner.base)

    cdef bint is_unseen(self, ArrayBase x) noexcept:
        if FREE_THREADS:                 # another thread may be about to read it
            return False
        return ((<NDArray>x).block != NULL and x.attachment == NULL and would_hold(NULL) and not x.is_view
                and x.info.is_contiguous and (<NDArray>x).n_views == 0 and x.n_exports == 0 and x.n_shares == 0
                and x.n_readers == 0 and x.node is None and not x.readonly)

    cdef bint are_same(self, ArrayBase x, ArrayBase y) noexcept:
        return (<NDArray>x).data == (<NDArray>y).data

    cdef int store(self, object item, int number, char* element) except -1:
        return store_operand(item, number, element)

    cdef ArrayBase new_deferred(self, int number, ShapeInfo info, int device):
        cdef NDArray array = NDArray.__new__(NDArray)
        array.info = info
        array.number = number
        become_deferred(array)
        return array

    cdef ArrayBase lent_memory(self, ArrayBase x):
        cdef NDArray leaf = with_memory_of(<NDArray>x)
        become_deferred(<NDArray>x)
        return leaf

    cdef object run(self, Chain chain, int first):
        return launch(chain, first)

    cdef object told(self, Chain chain, int output, object error):
        return outputs.told(chain, output, error)


cdef NDArray with_memory_of(NDArray owner):
    """A new array that has the memory of another, which is left without."""
    cdef NDArray array = NDArray.__new__(NDArray)
    array.info, array.number = owner.info, owner.number
    take_over(array, owner)
    return array


cdef Backend new_backend():
    cdef Backend backend = HostBackend.__new__(HostBackend)
    backend.kind, backend.deferred_kind = <PyTypeObject*>NDArray, deferred_type
    backend.room.leaves, backend.room.outputs = MAX_LEAVES, MAX_OUTPUTS
    backend.room.scalars, backend.room.params, backend.room.words = MAX_SCALARS, MAX_PARAMS, NO_LIMIT
    backend.waits_for_home = backend.keeps_order = True
    return backend


cdef Backend host = new_backend()

# Less than this passes through the second cache in the time that deferring takes (asv chains.TimeShortest).
cdef Py_ssize_t fewest_bytes = 150_000 if smallest > 0 else 0


cdef object materialize_all(tuple operands):
    """The operands with their values."""
    for item in operands:
        if is_deferred(item):
            materialized(item)
    return operands


cdef bint is_any_deferred(tuple operands) noexcept:
    for item in operands:
        if is_deferred(item):
            return True
    return False


cdef Row row_of(int op, int number, const double* params, int n_params) noexcept:
    """A row of the table on operands of a dtype."""
    cdef Row row
    row.op, row.n_in, row.n_out, row.condition = op, rows[op].n_in, rows[op].n_out, rows[op].condition
    row.number = number
    row.loop_number = number if loops.rows[op][number] != NULL else compute[number]
    row.made, row.wanted = result_numbers[op][row.loop_number], result_numbers[op][number]
    row.params, row.n_params = params, n_params
    row.is_streamed = False
    return row


cdef object defer(int op, tuple operands, const double* params, int n_params, int number, int ndim,
                  const Py_ssize_t* shape):
    """The deferred results of a row, or None where it must run now, its operands having their values."""
    cdef Row row = row_of(op, number, params, n_params)
    row.is_streamed = is_streamed(&row, ndim, shape)
    return defer_row(host, &row, operands, ndim, shape, HOST)


cdef bint is_streamed(const Row* row, int ndim, const Py_ssize_t* shape) noexcept:
    """Whether a row is so large, and so cheap, that a program of it alone is faster than its loop: it writes its result
    past the caches from the registers."""
    cdef Py_ssize_t n_bytes = (row.n_in + row.n_out) * itemsizes[row.loop_number]
    cdef int i
    for i in range(ndim):
        n_bytes *= shape[i]
    return (n_bytes > LAST_CACHE_BYTES and row.made == row.loop_number
            and fused_rows[row.op][row.loop_number] != NOT_FUSED)


cdef object defer_in_place(int op, tuple operands, object target, int number, int ndim, const Py_ssize_t* shape):
    """`target`, deferred, where there are no other references to it; or None where the row must run now."""
    cdef Row row = row_of(op, number, NULL, 0)
    return defer_row_in_place(host, &row, operands, target, ndim, shape, HOST)


cdef object defer_conversion(object x, int number):
    """`x` as another dtype, deferred; or None where it must be converted now."""
    cdef NDArray array = fields(x)
    if not is_combining():
        return None
    if array.info.size < smallest or array.info.size * itemsizes[number] < fewest_bytes and not is_deferred(x):
        return None
    return defer_other_dtype(host, x, number, HOST)
