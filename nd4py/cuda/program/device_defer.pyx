"""Deferral of operations on devices.

Design: a launch costs the same whatever the size, so size is no criterion here but for what `launch` does at once,
small operators on dense operands.  All else that a chain can hold is deferred: its result has shape, dtype and device,
and no memory, until its address is read.  The rules are those of all memory (`nd4py._core.lazy`).
"""

from nd4py._core.lazy cimport deferring, deferred_program, lazy_backend
from nd4py._core.lazy.chain cimport DONE, MAX_DEVICES, MAX_VALUES_OF_LINK, Chain, kept_bytes, lock, unlock
from nd4py._core.lazy.deferring cimport Row, is_combining
from nd4py._core.layout.shape cimport MAX_NDIM
from nd4py.cuda.array.device_array cimport DeviceArray, array_upcalls
from nd4py.cuda.program.device_assembly cimport Assembly, assemble
from nd4py.cuda.program.device_backend cimport devices
from nd4py.cuda.allocation.ownership cimport without_node

from ..._spec.ops import ALL
from .chain_runs import run_reduced
from ..compile.row_kernels import kernels_of_row

cdef enum:
    LARGEST_RANK = 8                     # ND_MAX_RANK of the kernels
    MAX_PARAMS = 16                      # what rows take of a kernel's arguments


# Deferring.


cdef bint can_wait(tuple shape) except -1:
    """Whether an operation may be deferred: this thread combines, and a kernel can walk its shape."""
    return is_combining() and len(shape) <= LARGEST_RANK and 0 not in shape


cdef int sizes_of(tuple shape, Py_ssize_t* sizes) except -1:
    """The sizes of a shape; how many there are."""
    cdef int i, ndim = len(shape)
    for i in range(ndim):
        sizes[i] = shape[i]
    return ndim


cdef Row row_of(int op, int number, int n_in, int n_out, int condition, int result) noexcept:
    """A row of the table without parameters, computed in the dtype of its operands."""
    cdef Row row
    row.op, row.n_in, row.n_out, row.condition = op, n_in, n_out, condition
    row.number = row.loop_number = number
    row.made = row.wanted = result
    row.params = NULL
    row.n_params = 0
    row.is_streamed = False
    return row


def defer(
    int op,
    int number,
    tuple operands: tuple[DeviceArray | bytes, ...],
    tuple params: tuple[float, ...],
    tuple shape: tuple[int, ...],
    int device,
    int result,
    int condition,
    int n_out,
) -> list[DeviceArray] | None:
    """The deferred results of a map row, or None where it must run now.

    operands: arrays that broadcast to `shape`, or the bytes of one element
    number, result: dtypes that the row computes in, and of its results    condition: the operand that is a bool, or -1
    Raises UnsupportedOnDevice where the row has no kernel for the dtype.
    """
    cdef Py_ssize_t sizes[MAX_NDIM]
    cdef double numbers[MAX_PARAMS]
    cdef int k
    cdef Row row = row_of(op, number, len(operands), n_out, condition, result)
    if row.n_in > MAX_VALUES_OF_LINK or n_out > MAX_VALUES_OF_LINK or len(params) > MAX_PARAMS or not can_wait(shape):
        return None
    operands = tuple([without_node(<DeviceArray>x) if type(x) is DeviceArray else x for x in operands])
    kernels_of_row(ALL[op], number)
    for k in range(len(params)):
        numbers[k] = params[k]
    row.params, row.n_params = numbers, len(params)
    results = deferring.defer(devices, &row, operands, sizes_of(shape, sizes), sizes, device)
    return results if results is None else [results] if n_out == 1 else list(results)


def defer_in_place(
    int op,
    int number,
    tuple operands: tuple[DeviceArray | bytes, ...],
    tuple shape: tuple[int, ...],
    DeviceArray target,
    int result,
    int condition,
) -> bool:
    """Whether a row whose result `target` takes, its first operand, was deferred: `target` is deferred then, as before.

    The other arguments as in `defer`.  An array with memory is written now: others may look at it.
    """
    cdef Py_ssize_t sizes[MAX_NDIM]
    cdef Row row = row_of(op, number, len(operands), 1, condition, result)
    if not target.is_deferred or row.n_in > MAX_VALUES_OF_LINK or not can_wait(shape):
        return False
    kernels_of_row(ALL[op], number)
    taken = deferring.defer_in_place(
        devices, &row, operands, target, sizes_of(shape, sizes), sizes, target.device_number
    )
    return taken is not None


cdef object defer_plain(int op, DeviceArray a, DeviceArray b, int number, int result):
    """The deferred result of a row without scalars on arrays without nodes; None where it must run now."""
    cdef Row row = row_of(op, number, 1 if b is None else 2, 1, -1, result)
    if not can_wait(a.info.shape_tuple):
        return None
    return deferring.defer(devices, &row, (a,) if b is None else (a, b), a.info.ndim, a.info.shape, a.device_number)


def defer_conversion(DeviceArray x, int number) -> DeviceArray | None:
    """`x` as another dtype, deferred; or None where it must be converted now."""
    x = without_node(x)
    if x.number == number or not can_wait(x.info.shape_tuple):
        return None
    return deferring.defer_conversion(devices, x, number, x.device_number)


def reduce_deferred(DeviceArray x, int op, tuple axes: tuple[int, ...], int number) -> DeviceArray | None:
    """A reduction, of dtype `number`, of a deferred array in the launch that computes it; None where it is no such
    array, or has to be written first.

    The array itself is not written: it stays deferred, for its other references.
    """
    cdef Chain chain
    cdef Assembly work
    x = without_node(x)
    if not x.is_deferred or ALL[op].family != "reduce":
        return None
    chain = <Chain>x.chain
    error = lock(chain)
    if error is not None:
        raise error
    try:
        if chain.state == DONE or x.chain is not chain:
            return None
        work = assemble(chain, (chain.outputs[x.output].value,))
        y = run_reduced(work, op, axes, number)
    finally:
        unlock(chain)
    if y is not None:
        devices.counts.launched += 1
        devices.counts.combined += work.n_links + 1
        devices.counts.passes_saved += work.n_links
        devices.counts.bytes_saved += 2 * work.n_links * x.info.size * x.info.itemsize
    return y


# Looking.


def flush(every_thread: bool = False, raises: bool = False) -> None:
    """Launch the operations that this thread has deferred, or every thread; what cannot run stays deferred.

    raises: for graphs, which must hold all that was called
    """
    lazy_backend.flush(every_thread, raises, devices)


def combine_counts() -> tuple[int, int, int, int, int, int, int]:
    """(queued, launched, combined, passes saved, bytes saved, bytes that deferred operations keep) since the start."""
    cdef size_t deferred = 0
    cdef int i
    for i in range(MAX_DEVICES):
        deferred += kept_bytes[1 + i]
    return (devices.counts.queued, devices.counts.launched, devices.counts.combined, devices.counts.passes_saved,
            devices.counts.bytes_saved, deferred, devices.counts.read_at_call)


def deferred_counts(int device) -> tuple[int, int]:
    """(bytes that deferred operations will read on a device, deferred arrays that are still referenced)."""
    return kept_bytes[1 + device], lazy_backend.n_deferred(device)


def deferred_program(DeviceArray x) -> dict[str, Any] | None:
    """What will be launched when a value of `x` is read, as `nd4py._core.lazy.deferred_program` describes it; None when
    `x` has its values."""
    x = without_node(x)
    if not x.is_deferred:
        return None
    return deferred_program.described(<Chain>x.chain, {"tile": 0, "registers": 0, "device": x.device})


array_upcalls.defer = defer_plain
