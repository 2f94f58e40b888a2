"""The device and the streams of the calling thread.

Design: a thread is attached to one device, in turns, the first time it needs one, and stays there: its arrays, its
stream and its kernels are then on one device.  All of this is in thread-local C variables, because every launch asks.
The driver is told the device only when it changes (`bind`); code that changes the current device without nd4py, through
CuPy say, calls `attach` afterwards.  Where a wrong device would be a wrong result and not an error, memory above all,
the driver is told every time (`bind_anew`).
"""

from operator import index

from ..driver.driver import DeviceError
from ..driver.driver_choice import at_change, at_fork, driver

cdef extern from *:
    """
    enum { ND_MAX_DEVICES = 64 };
    typedef struct {
      int generation;
      int device;                      /* attached to, or -1 */
      int bound;                       /* what the driver was told, or -1 */
      int is_capturing;                /* a graph: the driver may not be asked for memory, nor waited for */
      void* graph;                     /* the Lane of the graph whose step runs, captured or not, or NULL */
      size_t streams[ND_MAX_DEVICES];
    } ThreadState;
    static __thread ThreadState state_of_thread;
    static ThreadState* thread_state(void) { return &state_of_thread; }
    """
    ctypedef struct ThreadState:
        int generation
        int device
        int bound
        int is_capturing
        void* graph
        size_t streams[64]
    ThreadState* thread_state()

cdef int generation = 1                  # of the driver: what threads know of another one is forgotten
cdef Py_ssize_t n_attached = 0
cdef list usable = []                    # devices that threads are attached to in turns; made when first needed
cdef set banned = set()
cdef bint are_several_allowed = True


cdef ThreadState* state() noexcept:
    """What this thread knows about the driver in use."""
    cdef ThreadState* own = thread_state()
    cdef int i
    if own.generation != generation:
        own.generation = generation
        own.device = own.bound = -1
        own.is_capturing = False
        own.graph = NULL
        for i in range(MAX_DEVICES):
            own.streams[i] = 0
    return own


cdef int current_device() except -1:
    """The device this thread is attached to, which happens now if it did not yet.  Raises CudaUnavailable."""
    global n_attached
    cdef ThreadState* own = state()
    if own.device < 0:
        devices = usable_devices()
        own.device = devices[n_attached % len(devices)]
        n_attached += 1
    return own.device


cdef int bind(int device) except -1:
    """Make `device` the driver's current one for this thread."""
    cdef ThreadState* own = state()
    if own.bound != device:
        driver().set_device(device)
        own.bound = device
    return 0


cdef int bind_anew(int device) except -1:
    """`bind`, whatever the driver was told before: another library may have told it something else since."""
    driver().set_device(device)
    state().bound = device
    return 0


cdef int order_streams(int device, size_t first, int other, size_t then) except -1:
    """Let later work of stream `then` of device `other` wait for what stream `first` of `device` was given so far.

    The default stream of a device has no name but 0, so each end is named with its device instead.
    """
    bind_anew(device)
    event = driver().event_create()
    try:
        driver().event_record(event, first)
        bind(other)
        driver().event_wait(event, then)
    finally:
        bind(device)
        driver().event_destroy(event)
    return 0


cdef size_t current_stream(int device) noexcept:
    """The stream this thread's work on `device` is given to."""
    return state().streams[device]


cdef bint is_capturing() noexcept:
    """Whether this thread is capturing a graph."""
    return state().is_capturing


cdef void* graph_lane() noexcept:
    """The Lane of the graph whose step this thread runs, to warm up or captured; else NULL."""
    return state().graph


cdef void set_graph_lane(void* lane) noexcept:
    state().graph = lane


def this_thread() -> int:
    """A number that no other living thread has."""
    return <size_t>thread_state()


def runs_graph_step() -> bool:
    """Whether this thread runs the step of a graph, to warm up or captured: work that no graph can hold is left out."""
    return state().graph != NULL


def set_capturing(bint begins) -> None:
    """This thread begins to capture a graph, or ends it."""
    state().is_capturing = begins


cpdef int check_not_capturing(str what) except -1:
    """Raises DeviceError where this thread captures a graph, which cannot do `what`."""
    if state().is_capturing:
        raise DeviceError(
            f"a graph is being captured, and {what}, which a graph cannot record; do it outside of the step, which "
            "must do the same every time"
        )
    return 0


def usable_devices() -> tuple[int, ...]:
    """The devices that threads are attached to in turns.  Raises CudaUnavailable without one."""
    global usable
    if not usable:
        n_devices = min(driver().device_count(), MAX_DEVICES)
        allowed = [number for number in range(n_devices) if number not in banned]
        if not allowed:
            raise RuntimeError(
                f"all {n_devices} devices are banned; allow one again with nd4py.cuda.ban_device(0, False)"
            )
        usable = allowed if are_several_allowed else allowed[:1]
    return tuple(usable)


def check_device_number(number: object) -> int:
    """`number` as the number of a device that exists and is not banned.  Raises ValueError, CudaUnavailable."""
    n_devices = min(driver().device_count(), MAX_DEVICES)
    device = whole_number(number)
    if device is None or not 0 <= device < n_devices:
        raise ValueError(f"no CUDA device {number!r}; there are {n_devices}, numbered from 0")
    if device in banned:
        raise ValueError(f"CUDA device {device} is banned; allow it with nd4py.cuda.ban_device({device}, False)")
    return device


def whole_number(value: object) -> int | None:
    """`value` as an int, NumPy's whole numbers too; None for truth values and everything else."""
    if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):
        return None
    try:
        return index(value)
    except TypeError:
        return None


def attach(device: int | None = None) -> int:
    """Attach the calling thread to a device, or to the one whose turn it is; returns its number.

    Tells the driver the device again, which is needed where another library changed it in this thread.
    Raises ValueError for a device that does not exist or is banned.
    """
    cdef ThreadState* own = state()
    number = None if device is None else check_device_number(device)
    own.device = own.bound = -1
    if number is not None:
        own.device = number
    bind(current_device())
    return own.device


def attached_device() -> int:
    """The device of the calling thread, which is attached to one now if it was not.  Raises CudaUnavailable."""
    return current_device()


def bound_device(int device) -> None:
    """Make a device the driver's current one for this thread; for what talks to the driver from Python."""
    bind_anew(device)


def stream_of(int device) -> int:
    """The handle of the stream that this thread's work on a device is given to."""
    return current_stream(device)


def set_stream(int device, size_t stream) -> int:
    """Give this thread's work on `device` to another stream; returns the handle of the one before."""
    cdef ThreadState* own = state()
    before = own.streams[device]
    own.streams[device] = stream
    return before


def allow_multi_gpu(allowed: bool) -> bool:
    """Whether threads are attached to all devices in turns, or all to the first; returns what held before.

    Threads that are attached already stay where they are.  Raises TypeError for anything but True and False.
    """
    global are_several_allowed, usable
    if not isinstance(allowed, bool):
        raise TypeError(f"allow_multi_gpu: True or False, given {allowed!r}")
    before = are_several_allowed
    are_several_allowed, usable = allowed, []
    return before


def ban_device(number: int, is_banned: bool = True) -> None:
    """Keep threads off a device, or allow it again: neither is it chosen, nor may it be named.

    Arrays that are there stay.  Raises ValueError for a device that does not exist.
    """
    global usable
    n_devices = driver().device_count()
    device = whole_number(number)
    if device is None or not 0 <= device < n_devices:
        raise ValueError(f"no CUDA device {number!r}; there are {n_devices}, numbered from 0")
    if is_banned:
        banned.add(device)
    else:
        banned.discard(device)
    usable = []


def banned_devices() -> tuple[int, ...]:
    """The numbers of the devices that are banned.  Raises nothing."""
    return tuple(sorted(banned))


def forget_driver() -> None:
    """Another driver has other devices."""
    global generation, usable, n_attached
    generation += 1
    usable, n_attached = [], 0
    banned.clear()


at_change.append(forget_driver)
at_fork.append(forget_driver)
