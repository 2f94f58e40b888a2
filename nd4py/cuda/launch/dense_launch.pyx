"""Fast launches for dense operands of one layout, dtype and device, without Python in between.

The struct that the kernel takes is filled here and handed to the driver's C function, so that a small operation costs
little more than the launch itself.  Every other case goes the general way, `nd4py._exec.device.device_operations` and
`backend`.
"""

from libc.string cimport memcpy, memset
from nd4py._core.array.array_base cimport mark_written, prepare_write
from nd4py._core.lazy.deferring cimport is_combining, smallest
from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py.cuda.array.device_array cimport DeviceArray, array_upcalls, new_device_array, use_on
from nd4py.cuda.launch.launch_configuration cimport limits
from nd4py.cuda.launch.current_stream cimport MAX_DEVICES, bind, current_stream
from nd4py.cuda.allocation.ownership cimport new_of_shape, overlaps, shares

from ..._spec.ops import ALL
from ..driver.driver_choice import at_change, at_fork, driver
from ..compile.loaded_modules import loaded_modules
from ..compile.row_kernels import UnsupportedOnDevice, kernels_of_row

cdef extern from "launch_arguments.cuh" nogil:
    struct DenseArguments:
        char* operands[8]
        double params[16]
        long long n
        long long constant

cdef enum:
    N_ROWS = 1024
    N_DTYPES = 16
    THREADS = 256                        # of a block of map.cu
    PACKET_BYTES = 16                    # bytes
    MAX_PARAMS = 16                      # words of a launch for scalars: of the row, and two for each operand

cdef enum State:
    UNKNOWN = 0
    READY = 1
    ELSEWHERE = 2                        # no kernel, or one of another shape: the general way says what to do

cdef struct Entry:                       # the dense kernels of a row for a dtype on a device
    State state
    int number                           # of the dtype of the operands
    int result                           # number of the dtype of the result
    int width                            # elements of a packet
    int condition                        # the operand that is a bool, or -1
    bint is_plain                        # no condition, no scalar parameters, one result
    void* packets
    void* dense

cdef Entry* tables[MAX_DEVICES]
cdef LaunchKernel native = NULL
cdef bint is_native_known = False


cdef LaunchKernel native_launch() except? NULL:
    """The driver's C function, or NULL where it has none and work goes through its method."""
    global native, is_native_known
    cdef size_t address
    if not is_native_known:
        address = driver().launch_address()
        native = <LaunchKernel>address
        is_native_known = True
    return native


cdef Entry* entry_of(int op, int number, int device) except NULL:
    """The kernels of a row for a dtype, loaded if they were not."""
    cdef Entry* entry
    cdef size_t n_bytes = N_ROWS * N_DTYPES * sizeof(Entry)
    if tables[device] == NULL:
        tables[device] = <Entry*>pool_allocate(n_bytes)
        if tables[device] == NULL:
            raise MemoryError(f"cannot allocate {n_bytes} bytes for the kernels of a device")
        memset(tables[device], 0, n_bytes)
    entry = &tables[device][op * N_DTYPES + number]
    if entry.state == UNKNOWN:
        load(entry, op, number, device)
    return entry


cdef int load(Entry* entry, int op, int number, int device) except -1:
    """Fill an entry.  Raises DeviceError when the kernels do not compile."""
    row = ALL[op]
    entry.state = ELSEWHERE
    native_launch()
    if native == NULL or row.family != "map":
        return 0
    try:
        kernels = kernels_of_row(row, number)
    except UnsupportedOnDevice:
        return 0
    entry.number, entry.result = number, kernels.result_number
    entry.width = kernels.width
    entry.condition = row.args.index("condition") if "condition" in row.args else -1
    entry.is_plain = not row.params and len(row.outputs) == 1 and entry.condition < 0
    entry.state = READY
    return 0


cdef void* load_variant(int op, Entry* entry, int device, bint is_packed) except NULL:
    """One of the two dense kernels, compiled when it is first needed.  Raises DeviceError when it does not compile."""
    cdef size_t address
    variant = "packets" if is_packed else "dense"
    kernels = kernels_of_row(ALL[op], entry.number)
    address = loaded_modules.function(device, kernels.of(variant), variant)
    if is_packed:
        entry.packets = <void*>address
    else:
        entry.dense = <void*>address
    return <void*>address


cdef object binary_on_device(int op, object left, object right):
    """The result of a row on two dense arrays of one layout, dtype and device; None for anything else."""
    cdef DeviceArray a, b, y
    cdef Entry* entry
    if type(left) is not DeviceArray or type(right) is not DeviceArray:
        return None
    a, b = <DeviceArray>left, <DeviceArray>right
    if a.info is not b.info or a.number != b.number or a.device_number != b.device_number or b.node is not None:
        return None
    if not can_be_dense(a):
        return None
    entry = entry_of(op, a.number, a.device_number)
    if entry.state != READY or not entry.is_plain:
        return None
    if is_for_now(a) and not b.is_deferred:
        y = result_like(entry, a)
        run_dense(op, entry, a, b, y)
        return y
    return array_upcalls.defer(op, a, b, a.number, entry.result) if is_combining() else None


cdef object unary_on_device(int op, object x):
    """The same on one array."""
    cdef DeviceArray a, y
    cdef Entry* entry
    if type(x) is not DeviceArray or not can_be_dense(<DeviceArray>x):
        return None
    a = <DeviceArray>x
    entry = entry_of(op, a.number, a.device_number)
    if entry.state != READY or not entry.is_plain:
        return None
    if is_for_now(a):
        y = result_like(entry, a)
        run_dense(op, entry, a, None, y)
        return y
    return array_upcalls.defer(op, a, None, a.number, entry.result) if is_combining() else None


cdef object inplace_on_device(int op, object left, object right):
    """The operators that write over their left operand: at once on dense operands of one layout, dtype and device."""
    cdef DeviceArray a, b
    cdef Entry* entry
    if type(left) is DeviceArray and type(right) is DeviceArray:
        a, b = <DeviceArray>left, <DeviceArray>right
        if (
            a.info is b.info and a.number == b.number and a.device_number == b.device_number and can_be_dense(a)
            and b.node is None and not a.readonly and is_for_now(a) and not b.is_deferred
            and not overlaps(b, a)
        ):
            entry = entry_of(op, a.number, a.device_number)
            if entry.state == READY and entry.is_plain and entry.result == a.number:
                prepare_write(a)
                run_dense(op, entry, a, b, a)
                mark_written(a)
                return left
    return None


cdef inline bint can_be_dense(DeviceArray x) noexcept:
    return x.info.is_contiguous and x.info.size > 0 and x.node is None


cdef inline bint is_for_now(DeviceArray x) noexcept:
    """Whether an operation on dense `x` is launched at once: deferring a small one would cost more than its launch
    does."""
    return not x.is_deferred and (x.info.size < smallest or not is_combining())


cdef inline DeviceArray result_like(Entry* entry, DeviceArray a):
    """An uninitialised array of the shape of contiguous `a`."""
    if entry.result != a.number:
        return new_of_shape(entry.result, a)
    return new_device_array(entry.result, a.info, a.device_number)


cdef int run_dense(int op, Entry* entry, DeviceArray a, DeviceArray b, DeviceArray y) except -1:
    """Launch a kernel over contiguous operands; `b` may be None.  Raises the driver's errors."""
    cdef DenseArguments arguments
    cdef size_t stream = current_stream(a.device_number)
    cdef size_t address_bits = a.data_address | y.data_address
    arguments.operands[0] = <char*>a.data_address
    arguments.operands[1] = <char*>y.data_address
    if b is not None:
        address_bits |= b.data_address
        arguments.operands[1] = <char*>b.data_address
        arguments.operands[2] = <char*>y.data_address
    arguments.n = a.info.size
    arguments.constant = 0
    launch_dense(op, entry, &arguments, address_bits, a.device_number, stream)
    use_on(a, stream)
    use_on(y, stream)
    if b is not None:
        use_on(b, stream)
    return 0


cdef int launch_dense(int op, Entry* entry, DenseArguments* arguments, size_t address_bits, int device,
                      size_t stream) except -1:
    """Give the launch to a stream.  `address_bits`: the addresses of operands that are walked, or'ed together."""
    cdef Py_ssize_t n_threads = arguments.n
    cdef unsigned n_blocks, n_of_block = THREADS if THREADS < limits.n_threads else limits.n_threads
    cdef void* function
    cdef void* parameter = arguments
    cdef int status
    cdef bint is_packed = address_bits % PACKET_BYTES == 0
    function = entry.packets if is_packed else entry.dense
    if function == NULL:
        function = load_variant(op, entry, device, is_packed)
    if is_packed:
        n_threads = (n_threads + entry.width - 1) // entry.width
    n_threads = (n_threads + n_of_block - 1) // n_of_block
    n_blocks = <unsigned>n_threads if n_threads < limits.n_blocks else limits.n_blocks
    bind(device)
    status = native(function, n_blocks, 1, 1, n_of_block, 1, 1, 0, <void*>stream, &parameter, NULL)
    if status:
        driver().raise_status(status, ALL[op].name)
    return 0


def run_dense_row(
    int op,
    int number,
    tuple operands: tuple[DeviceArray | bytes, ...],
    tuple params: tuple[float, ...],
    list outputs: list[DeviceArray],
) -> bool:
    """Run a map row where all arrays are dense, of one shape and of the dtypes the kernel takes.

    operands: arrays, or the bytes of one element of dtype `number`
    Returns whether that was so; otherwise nothing happened.
    """
    cdef DeviceArray first = <DeviceArray>outputs[0], x
    cdef Entry* entry
    cdef DenseArguments arguments
    cdef size_t address_bits = 0, stream
    cdef int k = 0
    if not can_be_dense(first) or len(operands) + len(outputs) > 8:
        return False
    if len(params) + 2 * len(operands) > MAX_PARAMS:
        return False
    entry = entry_of(op, number, first.device_number)
    if entry.state != READY or share_memory(outputs):
        return False
    arguments.constant = 0
    for item in operands:
        if type(item) is DeviceArray:
            x = <DeviceArray>item
            if x.number != (0 if k == entry.condition else number) or not is_alike(x, first):
                return False
            if is_disturbed(x, outputs):
                return False
            arguments.operands[k] = <char*>x.data_address
            address_bits |= x.data_address
        else:
            arguments.operands[k] = NULL
            arguments.constant |= 1 << k
            memcpy(&arguments.params[MAX_PARAMS - 2 * (k + 1)], <char*>item, len(<bytes>item))
        k += 1
    for item in outputs:
        x = <DeviceArray>item
        if x.number != entry.result or not is_alike(x, first):
            return False
        arguments.operands[k] = <char*>x.data_address
        address_bits |= x.data_address
        k += 1
    for k in range(len(params)):
        arguments.params[k] = params[k]
    arguments.n = first.info.size
    stream = current_stream(first.device_number)
    launch_dense(op, entry, &arguments, address_bits, first.device_number, stream)
    for item in (*operands, *outputs):
        if type(item) is DeviceArray:
            use_on(<DeviceArray>item, stream)
    return True


cdef bint is_alike(DeviceArray x, DeviceArray first) noexcept:
    """Whether `x` is dense and of the shape of `first`, on its device."""
    cdef int i
    if x.device_number != first.device_number or not x.info.is_contiguous or x.info.ndim != first.info.ndim:
        return False
    for i in range(x.info.ndim):
        if x.info.shape[i] != first.info.shape[i]:
            return False
    return True


cdef bint share_memory(list outputs) except -1:
    """Whether two of several outputs may have a byte in common."""
    cdef int i, k
    for i in range(1, len(outputs)):
        for k in range(i):
            if shares(<DeviceArray>outputs[i], <DeviceArray>outputs[k]):
                return True
    return False


cdef bint is_disturbed(DeviceArray x, list outputs) except -1:
    """Whether writing an output would change elements of `x` that are still to be read."""
    for item in outputs:
        if overlaps(x, <DeviceArray>item):
            return True
    return False


def forget_driver() -> None:
    """Another driver has other functions."""
    global native, is_native_known
    native = NULL
    is_native_known = False
    for device in range(MAX_DEVICES):
        if tables[device] != NULL:
            pool_release(tables[device], N_ROWS * N_DTYPES * sizeof(Entry))
            tables[device] = NULL


at_change.append(forget_driver)
at_fork.append(forget_driver)
