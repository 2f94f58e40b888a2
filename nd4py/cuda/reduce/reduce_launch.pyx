"""Fast launches of reductions, without Python in between.

A launch is planned once for a layout, and filled with addresses then.  The plan is that of `reduce_geometry`; where the
driver has no C function, `device_reductions` launches it.
"""

from libc.string cimport memcpy
from nd4py._core.element_sizes cimport itemsizes
from nd4py._core.layout.shape cimport MAX_NDIM, ShapeInfo, intern_contiguous
from nd4py.cuda.array.device_array cimport DeviceArray, materialize, new_device_array, use_on
from nd4py.cuda.launch.launch_configuration cimport limits
from nd4py.cuda.launch.current_stream cimport bind, current_stream
from nd4py.cuda.launch.dense_launch cimport LaunchKernel, native_launch

from ..._spec.ops import ALL
from ..program.device_defer import reduce_deferred
from ..driver.driver_choice import at_change, driver
from ..compile.loaded_modules import loaded_modules
from .device_reductions import launch_reduction, plan_of_row
from ..allocation.device_scratch import Scratch

cdef extern from "launch_arguments.cuh" nogil:
    struct ReduceArguments:
        const char* x
        char* y
        char* accumulators

cdef enum:
    MAX_PREPARED = 1024

cdef dict prepared = {}                  # Prepared, by row, result, device, layout and axes


cdef class Prepared:
    """A planned reduction of arrays of one layout on one device."""

    cdef ShapeInfo info                  # of the result
    cdef object plan, kernels            # None where there is no result
    cdef ReduceArguments arguments       # without addresses
    cdef size_t scratch_bytes
    cdef size_t functions[2]
    cdef unsigned blocks[2]
    cdef unsigned threads[2][2]
    cdef int n_launches


cdef Prepared prepare(int op, DeviceArray x, tuple axes, int number):
    """Plan a reduction, and load its kernels.  Raises UnsupportedOnDevice."""
    cdef Prepared made = Prepared.__new__(Prepared)
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef bytes words
    cdef int ndim = 0, k
    for k in range(x.info.ndim):
        if k not in axes:
            shape[ndim] = x.info.shape[k]
            ndim += 1
    made.info = intern_contiguous(itemsizes[number], ndim, shape)
    planned = plan_of_row(ALL[op], x, axes)
    if planned is not None:
        made.plan, made.kernels = planned
        made.scratch_bytes = made.plan.scratch_bytes
        for launch in made.plan.launches(0, 0):
            words = launch.arguments[0]
            memcpy(&made.arguments, <char*>words, sizeof(ReduceArguments))
            k = made.n_launches
            made.functions[k] = loaded_modules.function(x.device_number, made.kernels, launch.variant)
            made.blocks[k] = launch.grid[0]
            made.threads[k][0], made.threads[k][1] = launch.block[0], launch.block[1]
            made.n_launches += 1
    if len(prepared) >= MAX_PREPARED:
        prepared.clear()
    return made


def reduce(int op, DeviceArray x, tuple axes: tuple[int, ...], int number, bint is_held=True) -> DeviceArray:
    """A reduction row, its result of dtype `number`, or the index of the best element.

    is_held: whether there are other references to a deferred `x`, so that it is written rather than computed twice
    """
    cdef Prepared found
    cdef DeviceArray y
    if not is_held:
        combined = reduce_deferred(x, op, axes, number)
        if combined is not None:
            return combined
    materialize(x)
    key = (op, number, x.number, x.device_number, x.info, axes)
    found = prepared.get(key)
    if found is None:
        found = prepared[key] = prepare(op, x, axes, number)
    y = new_device_array(number, found.info, x.device_number)
    if found.plan is not None:
        if native_launch() == NULL:
            launch_reduction(found.plan, found.kernels, x.data_address, y, [x])
        else:
            give(found, op, x, y)
    return y


cdef int give(Prepared found, int op, DeviceArray x, DeviceArray y) except -1:
    """Give the launches to this thread's stream.  Raises DeviceOutOfMemory, and the driver's errors."""
    cdef ReduceArguments arguments = found.arguments
    cdef void* parameter = &arguments
    cdef size_t stream = current_stream(x.device_number)
    cdef LaunchKernel native = native_launch()
    cdef unsigned n_blocks
    cdef size_t room = 0
    cdef int k, status
    scratch = None
    if found.scratch_bytes:
        scratch = Scratch(x.device_number, found.scratch_bytes)
        room = scratch.address
    arguments.x, arguments.y, arguments.accumulators = <char*>x.data_address, <char*>y.data_address, <char*>room
    bind(x.device_number)
    for k in range(found.n_launches):
        n_blocks = min(found.blocks[k], <unsigned>limits.n_blocks)
        status = native(<void*>found.functions[k], n_blocks, 1, 1, found.threads[k][0], found.threads[k][1], 1, 0,
                        <void*>stream, &parameter, NULL)
        if status:
            driver().raise_status(status, ALL[op].name)
    use_on(x, stream)
    use_on(y, stream)
    return 0


at_change.append(prepared.clear)
