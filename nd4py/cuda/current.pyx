"""The device and the streams of the calling thread.

Design: a thread is attached to one device, in turns, the first time it needs one, and stays there: its arrays, its
stream and its kernels are then in one place.  All of this is in thread-local C variables, because every launch asks.
The driver is told the device only when it changes (`bind`); whoever changes the current device behind our back, through
CuPy say, calls `attach` afterwards.
"""


from .drivers import at_change, driver

cdef extern from *:
    """
    enum { ND_MAX_DEVICES = 64 };
    typedef struct {
      int generation;
      int device;                      /* attached to, or -1 */
      int bound;                       /* what the driver was told, or -1 */
      int is_capturing;                /* a graph: the driver may not be asked for memory */
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


cdef int order_streams(int device, size_t first, size_t then) except -1:
    """Let later work of stream `then`, of any device, wait for what stream `first` of `device` was given so far."""
    bind(device)
    event = driver().event_create()
    try:
        driver().event_record(event, first)
        driver().event_wait(event, then)
    finally:
        driver().event_destroy(event)
    return 0


cdef size_t current_stream(int device) noexcept:
    """The stream this thread's work on `device` is given to."""
    return state().streams[device]


cdef bint is_capturing() noexcept:
    """Whether this thread is capturing a graph."""
    return state().is_capturing


def set_capturing(bint begins):
    """This thread begins to capture a graph, or ends it."""
    state().is_capturing = begins


def usable_devices():
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


def check_device_number(number):
    """`number` as the number of a device that exists and is not banned.  Raises ValueError, CudaUnavailable."""
    n_devices = min(driver().device_count(), MAX_DEVICES)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < n_devices:
        raise ValueError(f"no CUDA device {number!r}; there are {n_devices}, numbered from 0")
    if number in banned:
        raise ValueError(f"CUDA device {number} is banned; allow it with nd4py.cuda.ban_device({number}, False)")
    return number


def attach(device=None):
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


def attached_device():
    """The device of the calling thread, which is attached to one now if it was not.  Raises CudaUnavailable."""
    return current_device()


def bound_device(int device):
    """Make a device the driver's current one for this thread; for what talks to the driver from Python."""
    bind(device)


def stream_of(int device):
    """The handle of the stream that this thread's work on a device is given to."""
    return current_stream(device)


def set_stream(int device, size_t stream):
    """Give this thread's work on `device` to another stream; returns the handle of the one before."""
    cdef ThreadState* own = state()
    before = own.streams[device]
    own.streams[device] = stream
    return before


def allow_multi_gpu(allowed):
    """Whether threads are attached to all devices in turns, or all to the first; returns what held before.

    Threads that are attached already stay where they are.  Raises TypeError for anything but True and False.
    """
    global are_several_allowed, usable
    if not isinstance(allowed, bool):
        raise TypeError(f"allow_multi_gpu: True or False, given {allowed!r}")
    before = are_several_allowed
    are_several_allowed, usable = allowed, []
    return before


def ban_device(number, is_banned=True):
    """Keep threads off a device, or allow it again: neither is it chosen, nor may it be named.

    Arrays that are there stay.  Raises ValueError for a device that does not exist.
    """
    global usable
    n_devices = driver().device_count()
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < n_devices:
        raise ValueError(f"no CUDA device {number!r}; there are {n_devices}, numbered from 0")
    if is_banned:
        banned.add(number)
    else:
        banned.discard(number)
    usable = []


def banned_devices():
    """The numbers of the devices that are banned."""
    return tuple(sorted(banned))


def forget_driver():
    """Another driver has other devices."""
    global generation, usable, n_attached
    generation += 1
    usable, n_attached = [], 0
    banned.clear()


at_change.append(forget_driver)
