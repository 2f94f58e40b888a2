"""Recording: what operations give to their loops while a graph is captured.

Design: a driver that is about to run its loops describes the call: the function that runs them, the structs it works
on, and where in these the addresses of arrays stand.  The structs are copied into one block, in which a graph only has
to change addresses.  Every array made meanwhile has memory of its own here, used once, so that an address says which
array is meant.  A driver that describes nothing leaves its result without a record, and whoever reads that is told so.
Rejected: to record operations by name and look their loops up again, which is what a graph is to save; hooks around
every driver, which one could forget.
"""

import sys

from cpython.object cimport PyObject
from cpython.ref cimport Py_XDECREF
from libc.string cimport memcpy
from nd4py._core.array.array cimport NDArray
from nd4py._core.array.array_base cimport owner_of
from nd4py._mem.diagnostics.call_site cimport call_site_of, calling_code
from nd4py._core.upcalls cimport upcalls
from nd4py._mem.free_threads cimport Section, enter
from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py._mem.workspace.held_memory cimport wait_until_free
from nd4py._mem.workspace.scopes cimport get_captor, n_captures

from ..._mem.diagnostics.memory_wants import out_of_memory
from ..devices import public_name
from .capture_error import CaptureError

cdef enum:
    ALIGNMENT = 64                       # of parts of a block, as of all memory
    MARGIN = 64                          # bytes behind an array: an address at its end is not the next one's

cdef Py_ssize_t loop_choices = 0
cdef size_t BAD_INDEX = <size_t>-1

REMEDY = "compute it outside of the graph and pass the result as an input"


cdef void loops_chosen() noexcept:
    """Other loops compute from now on: graphs of those of before are captured again."""
    global loop_choices
    loop_choices += 1


cdef bint is_recording() noexcept:
    """Whether this thread captures a graph.  Ask `n_captures` first, which costs nothing."""
    return get_captor() != NULL


def is_capturing() -> bool:
    """Whether this thread captures a graph, for code that would look at values otherwise."""
    return n_captures != 0 and is_recording()


cdef Recorder recorder():
    return <Recorder>get_captor()


cdef Launch new_launch(str driver, Run run):
    """A launch that calls `run` on what will be added to its block."""
    cdef Launch launch = Launch.__new__(Launch)
    launch.driver, launch.run, launch.origin = driver, run, origin_of(driver)
    launch.block = bytearray()
    launch.parts, launch.operands, launch.addresses, launch.sources = [], [], [], []
    launch.read, launch.written = set(), set()
    return launch


def origin_of(str otherwise: str) -> str:
    """The public function that the user's program called, and the line it stands in."""
    cdef int instruction = 0
    cdef PyObject* code = calling_code(&instruction)
    site = call_site_of(code, instruction)
    Py_XDECREF(code)
    name, frame = otherwise, sys._getframe()
    while frame is not None and frame.f_globals.get("__name__", "").startswith("nd4py."):
        module = frame.f_globals["__name__"]
        if module.startswith("nd4py.api."):
            name = public_name(module, frame.f_code.co_name)
        frame = frame.f_back
    return name + site


cdef class Buffer:
    """Memory of one array that is made during a capture."""

    def __dealloc__(self):
        if self.data != NULL:
            pool_release(self.data, self.n_bytes + MARGIN)


cdef class Launch:
    """One call of a driver's loops."""

    cdef int add(self, const void* data, size_t n_bytes) except -1:
        """Copy a struct that the loops work on into the block."""
        cdef size_t offset = (<size_t>len(self.block) + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
        self.block.extend(bytes(offset - <size_t>len(self.block)))
        self.block.extend((<const char*>data)[:n_bytes])
        self.parts.append((<size_t>data, n_bytes, offset))
        return 0

    cdef Py_ssize_t offset_of(self, size_t address) except -2:
        """Where in the block the copy of what lies at an address is; -1 where it was not added."""
        for start, n_bytes, offset in self.parts:
            if start <= address < start + n_bytes:
                return offset + address - start
        return -1

    cdef int link(self, const void* pointer) except -1:
        """A pointer in what was added, to something else that was added, or NULL."""
        cdef size_t target = (<const size_t*>pointer)[0]
        if target:
            self.addresses.append((self.offset_of(<size_t>pointer), BLOCK, 0, self.offset_of(target)))
        return 0

    cdef int value(self, const void* pointer, size_t n_bytes) except -1:
        """A pointer in what was added, to so many bytes that stay as they are, or NULL."""
        cdef const void* target = (<const void* const*>pointer)[0]
        if target != NULL and self.offset_of(<size_t>target) < 0:
            self.add(target, n_bytes)
        return self.link(pointer)

    cdef int operand(self, const void* pointer, bint is_written) except -1:
        """A pointer in what was added, to the memory of an array that is read or written, or NULL; or to a scalar."""
        cdef size_t target = (<const size_t*>pointer)[0]
        cdef Recorder now = recorder()
        if target == 0:
            return 0
        if not is_written and now.buffer_at(target) < 0 and now.constant_at(target) < 0:
            return self.value(pointer, 2 * sizeof(double))
        self.operands.append((self.offset_of(<size_t>pointer), target, is_written))
        return 0

    cdef int keep(self, const void* pointer, size_t n_bytes, Run prepare) except -1:
        """A pointer in what was added, now NULL, to memory that `prepare` fills, once for many calls where what that
        reads (`made_of`) comes from outside of the graph; else it stays NULL."""
        self.prepare, self.kept_bytes, self.kept_field = prepare, n_bytes, self.offset_of(<size_t>pointer)
        return 0

    cdef int made_of(self, const void* pointer) except -1:
        """An operand that what is kept is made of."""
        self.sources.append(self.offset_of(<size_t>pointer))
        return 0

    cdef list constants_kept(self):
        """The numbers of the constants that what is kept is made of; none where an array of the graph is among them."""
        cdef dict targets = {field: (kind, number) for field, kind, number, _ in self.addresses}
        if self.prepare == NULL or any([targets[field][0] != CONSTANT for field in self.sources]):
            return []
        return [targets[field][1] for field in self.sources]

    cdef int submit(self) except -1:
        """The launch is described: a graph will run it next."""
        return recorder().accept(self)


cdef class Recorder(Workspace):
    """What one capture has recorded, and the memory of the arrays that were made during it."""

    def __init__(self):
        Workspace.__init__(self, "capture")
        self.buffers, self.launches, self.constants = [], [], []

    cdef char* allocate(self, size_t n_bytes, Attachment* attachment, void** outside) except NULL:
        cdef Buffer buffer = Buffer.__new__(Buffer)
        buffer.data = <char*>pool_allocate(n_bytes + MARGIN)
        if buffer.data == NULL:
            raise out_of_memory(n_bytes, "an array of a graph that is being captured")
        buffer.n_bytes, buffer.input, buffer.origin = n_bytes, -1, origin_of("an operation")
        self.buffers.append(buffer)
        return buffer.data

    cdef int leave_block(self) except -1:
        cdef Buffer buffer
        for buffer in self.buffers:
            wait_until_free(buffer.data, buffer.data + buffer.n_bytes)
        return 0

    cdef int refuse(self, str text) except -1:
        """Raises CaptureError, which the capture ends with even where the program catches it."""
        error = CaptureError(f"nd4py.capture: {text}")
        if self.error is None:
            self.error = error
        raise error

    cdef Py_ssize_t buffer_at(self, size_t address) noexcept:
        """The number of the array made during the capture that an address lies in, or -1."""
        cdef Buffer buffer
        cdef Py_ssize_t i
        for i in range(len(self.buffers) - 1, -1, -1):
            buffer = <Buffer>self.buffers[i]
            if <size_t>buffer.data <= address <= <size_t>buffer.data + buffer.n_bytes:
                return i
        return -1

    cdef Py_ssize_t constant_at(self, size_t address) noexcept:
        """The number of the constant that an address lies in, or at the end of, or -1."""
        cdef Py_ssize_t i, found = -1
        for i in range(len(self.constants)):
            if <size_t>self.constants[i][1] <= address < <size_t>self.constants[i][2]:
                return i
            if address == <size_t>self.constants[i][2]:
                found = i
        return found

    cdef int note_constant(self, NDArray x) except -1:
        """An array from outside is about to be read."""
        cdef char* low
        cdef char* high
        extent_of(x, &low, &high)
        for known, start, end in self.constants:
            if known is x or (<size_t>start <= <size_t>low and <size_t>high <= <size_t>end):
                return 0
        self.constants.append((x, <size_t>low, <size_t>high))
        return 0

    cdef int accept(self, Launch launch) except -1:
        """Find out which arrays a launch reads and writes, and put it behind the others."""
        cdef Buffer buffer
        cdef Py_ssize_t number
        for field, address, is_written in launch.operands:
            number = self.buffer_at(address)
            if number >= 0:
                buffer = <Buffer>self.buffers[number]
                launch.addresses.append((field, BUFFER, number, address - <size_t>buffer.data))
                (launch.written if is_written else launch.read).add(number)
                continue
            number = self.constant_at(address)
            if number < 0 or is_written:
                self.refuse(f"{launch.origin} writes to an array from outside; return the new value instead")
            launch.addresses.append((field, CONSTANT, number, address - <size_t>self.constants[number][1]))
        for number in launch.read:
            self.check_known(<Buffer>self.buffers[number], number in launch.written)
        for number in launch.written:
            buffer = <Buffer>self.buffers[number]
            buffer.is_written, buffer.n_promised = True, max(buffer.n_promised - 1, 0)
        constants = {number for _, kind, number, _ in launch.addresses if kind == CONSTANT}
        launch.traffic = sum([(<Buffer>self.buffers[number]).n_bytes for number in launch.read | launch.written])
        launch.traffic += sum([self.constants[number][2] - self.constants[number][1] for number in constants])
        launch.operands = launch.parts = None
        self.launches.append(launch)
        return 0

    def check_known(self, Buffer buffer: Buffer, bint is_rewritten=False) -> None:
        """Raises CaptureError unless all that was written to an array was recorded."""
        if not buffer.is_written or buffer.n_promised > is_rewritten:
            self.refuse(f"{buffer.origin} cannot be captured yet; {REMEDY}")

    def check_all_known(self) -> None:
        """Raises CaptureError for an array that was written in place by an operation that was not recorded."""
        cdef Buffer buffer
        for buffer in self.buffers:
            if buffer.n_promised:
                self.check_known(buffer)

    def add_input(self, NDArray array: NDArray, int number) -> None:
        """An array made just now holds an input."""
        cdef Buffer buffer = <Buffer>self.buffers[self.buffer_at(<size_t>owner_data(array))]
        buffer.is_written, buffer.input = True, number


cdef char* owner_data(NDArray x) noexcept:
    return (<NDArray>owner_of(x)).data


cdef void extent_of(NDArray x, char** low, char** high) noexcept:
    """The first byte of an array, and the one behind its last."""
    cdef int i
    low[0] = high[0] = x.data
    if x.info.size == 0:
        return
    for i in range(x.info.ndim):
        if x.info.strides[i] < 0:
            low[0] += (x.info.shape[i] - 1) * x.info.strides[i]
        else:
            high[0] += (x.info.shape[i] - 1) * x.info.strides[i]
    high[0] += x.info.itemsize


cdef bint is_of_capture(NDArray x) noexcept:
    """Whether an array was made during the capture of some thread."""
    cdef Section section
    enter(&section)
    return x.attachment != NULL and isinstance(<object>x.attachment.workspace, Recorder)


# Called by arrays and drivers where `n_captures` is not 0.


cdef int note_operand(NDArray x) except -1:
    """A driver is about to read an array, or to write it."""
    cdef Recorder now
    if x.data == NULL:
        return 0
    if is_of_capture(x):
        if x.attachment != NULL and x.attachment.workspace != get_captor():
            raise CaptureError(
                "an array of a graph that another thread captures cannot be used here; a function that is captured "
                f"computes in one thread:{origin_of('')}"
            )
    elif is_recording():
        now = recorder()
        now.note_constant(x)
    return 0


# The elements of an array that are the same in each call.
cdef struct Values:
    const char* source
    char* target
    size_t n_bytes


cdef size_t write_values(void* block) noexcept nogil:
    cdef Values* values = <Values*>block
    memcpy(values.target, values.source, values.n_bytes)
    return 0


cdef int record_values(NDArray x) except -1:
    """The elements of a contiguous array made during the capture of this thread are the same in each call."""
    cdef Values values = Values(x.data, x.data, x.info.size * x.info.itemsize)
    cdef Launch launch = new_launch("values", write_values)
    launch.add(&values, sizeof(Values))
    launch.value(&values.source, values.n_bytes)
    launch.operand(&values.target, True)
    return launch.submit()


cdef int note_look(PyObject* array) except -1:
    """Somebody is about to see the values of an array, or its address."""
    if is_recording() and is_of_capture(<NDArray>array):
        recorder().refuse(
            f"{origin_of('the program')} looks at values, which differ from call to call; use nd4py.where, or look "
            "outside of the graph"
        )
    return 0


cdef int note_write(PyObject* array) except -1:
    """Somebody asks whether an array may be written in place."""
    cdef NDArray x = <NDArray>array
    cdef Buffer buffer
    if not is_recording():
        return 0
    cdef Recorder now = recorder()
    if not is_of_capture(x):
        return now.refuse(f"{origin_of('the program')} writes to an array from outside; return the new value instead")
    buffer = <Buffer>now.buffers[now.buffer_at(<size_t>owner_data(x))]
    if buffer.input >= 0:
        return now.refuse(f"{origin_of('the program')} writes to an input; write to a copy, x.copy()")
    return 0


cdef void note_written(PyObject* array) noexcept:
    """An array is about to be written in place: a launch that is recorded must follow."""
    cdef NDArray x = <NDArray>array
    cdef Buffer buffer
    if is_recording() and is_of_capture(x):
        now = recorder()
        buffer = <Buffer>now.buffers[now.buffer_at(<size_t>owner_data(x))]
        buffer.n_promised += 1
        buffer.origin = origin_of("a write in place")


upcalls.note_look, upcalls.note_write, upcalls.note_written = note_look, note_write, note_written
