"""The oneDNN helper: convolutions by an optional library.

It is that of the wheel onednn-cpu-gomp, used where it is installed and faster.

Design: the library shares our OpenMP runtime, is opened at run time as BLAS is, and works on as many threads as the
gate allows in memory of our pool.  What it cannot do, and shapes on which it was measured to be slower, stay with the
built-in path.  It cuts sums by the number of threads: results are close to the built-in ones, but their last bits may
depend on the thread count.  ND4PY_HELPERS=0 or helpers(False) switches it off.
"""

import os
from pathlib import Path
from threading import Lock

from nd4py._core.graphs.launch_recording cimport Launch, is_recording, loops_chosen, n_captures, new_launch
from nd4py._core.threads.threads cimport acquire_threads, raise_if_stopped, release_threads
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py.cpu.conv.conv_loops cimport WindowShape
from nd4py.cpu.conv.window_sizes cimport multiplications
from nd4py.cpu.parallel.tasks cimport share_evenly

cdef extern from "system_libraries.h" nogil:
    void* open_system_library(const char* path)

cdef extern from "onednn_convolution.h" namespace "nd_onednn" nogil:
    cdef struct Version:
        int major, minor, patch
    ctypedef void* (*Allocate)(size_t n_bytes) noexcept nogil
    ctypedef void (*Release)(void* block, size_t n_bytes) noexcept nogil
    void* engine
    cdef enum:
        CPU_ENGINE
    bint find_functions(void* library)
    int create_engine "nd_onednn::call.engine_create"(void** engine, int kind, size_t index)
    int keep_primitives "nd_onednn::call.set_primitive_cache_capacity"(int n)
    const Version* version "nd_onednn::call.version"()
    bint convolve(const WindowShape& shape, int direction, bint has_bias, int n_threads, char** operands,
                  Allocate allocate, Release release)

cdef enum:
    SERIAL_WORK = 4000000                # multiplications that pay for a thread, which may have to be woken
    # Where the helper was faster (asv_bench/compare_helpers.py):
    WHOLE = 16                           # channels and filters of a group: in multiples of this, gradients, and
    MANY_CHANNELS = 128                  # from here on the forward pass of images, if they have all together
    MANY_PIXELS = 1024                   # so many: it packs weights at each call, where graphs keep those of our loops
    MANY_FILTERS = 256                   # channels and filters from here on: gradients of kernels of 1 x 1,
    FEW_PIXELS = 1024                    # if the image was no larger than this
    SMALL_KERNEL = 9                     # elements up to which gradients of depthwise ones, if the image was small

# oneDNN's first version with this interface.
cdef tuple OLDEST = (3, 1)
FILE_NAMES = ("libdnnl.so.3", "libdnnl.so")

cdef bint is_wanted = os.environ.get("ND4PY_HELPERS", "1") != "0"
cdef bint is_used_everywhere = False
cdef bint is_searched = False
cdef bint is_loaded = False
cdef long long n_convolutions = 0
cdef object description = "not installed"
loading = Lock()


def helpers(wanted: bool) -> bool:
    """Whether helpers may be used from now on, in all threads; returns whether they were allowed before."""
    global is_wanted
    if not isinstance(wanted, bool):
        raise TypeError(f"helpers: needs True or False, given {wanted!r}")
    before = bool(is_wanted)
    is_wanted = wanted
    if wanted != before:
        loops_chosen()
    return before


def use_everywhere(wanted: bool) -> None:
    """Whether to use the helper on all shapes it can do, not only where it is the faster one: to compare the two."""
    global is_used_everywhere
    is_used_everywhere = wanted
    loops_chosen()


def times_used() -> int:
    """How many convolutions, and gradients of them, the helper has computed in this process."""
    return n_convolutions


def active_helpers() -> str:
    """What is in use, in words."""
    if not is_wanted:
        return "switched off"
    load_helper()
    return description


def library_paths() -> list[str]:
    """Where the library may be: ND4PY_ONEDNN, or the wheel's folder in this environment."""
    asked = os.environ.get("ND4PY_ONEDNN", "")
    if asked:
        return [asked]
    import sysconfig

    roots = {Path(sysconfig.get_path("data"), "lib"), Path(sysconfig.get_path("platlib")).parents[1]}
    return [str(path) for root in sorted(roots) for path in (root / name for name in FILE_NAMES) if path.exists()]


cdef int load_helper() except -1:
    """Open the library once, if there is one."""
    global is_searched
    if is_searched:
        return 0
    with loading:
        if not is_searched:
            for path in library_paths():
                if open_library(path):
                    break
            is_searched = True
    return 0


cdef bint open_library(str path) except -1:
    """Whether the library at `path` can be used; says why not in `description`."""
    global is_loaded, description
    cdef bytes file_name = path.encode()
    cdef void* library = open_system_library(file_name)
    if library == NULL or not find_functions(library):
        description = f"{path} is no oneDNN 3"
        return False
    found = (version().major, version().minor)
    if found < OLDEST or found[0] > OLDEST[0]:
        description = f"{path} is oneDNN {found[0]}.{found[1]}, wanted is 3"
        return False
    if create_engine(&engine, CPU_ENGINE, 0) != 0:
        description = f"{path} has no processor to run on"
        return False
    keep_primitives(0)                   # our operations are the cache
    is_loaded = True
    description = f"oneDNN {found[0]}.{found[1]}.{version().patch}: {path}"
    return True


cdef bint is_faster(const WindowShape* s, int direction) noexcept nogil:
    """Whether the helper was measured to be faster on such shapes."""
    cdef Py_ssize_t kernel = s.kernel_d * s.kernel_h * s.kernel_w
    cdef bint is_volume = s.n_axes > 2
    if s.channels == 1 and s.filters == 1 and s.groups > 1:
        return not is_volume and direction != FORWARD and kernel <= SMALL_KERNEL and s.out_h * s.out_w <= FEW_PIXELS
    if s.channels % WHOLE or s.filters % WHOLE:
        return False
    if kernel > 1:
        return direction != FORWARD or is_volume or (s.channels >= MANY_CHANNELS and
                                                     s.images * s.out_h * s.out_w >= MANY_PIXELS)
    return (direction != FORWARD and s.filters >= MANY_FILTERS and s.channels >= MANY_FILTERS and
            s.out_d * s.out_h * s.out_w <= FEW_PIXELS)


cdef struct Convolution:
    WindowShape shape
    int direction
    bint has_bias
    char** operands


cdef bint helper_convolves(const WindowShape* shape, int direction, char** operands, bint has_bias,
                           bint is_tiled) except -1:
    """Run one direction of a single-precision convolution; false where the built-in path has to.

    is_tiled: whether that path makes do with fewer multiplications, and is faster.
    """
    global n_convolutions
    cdef Convolution work
    cdef bint done
    cdef Hold hold
    if not is_wanted or not (is_used_everywhere or (not is_tiled and is_faster(shape, direction))):
        return False
    load_helper()
    if not is_loaded:
        return False
    work.shape, work.direction, work.has_bias, work.operands = shape[0], direction, has_bias, operands
    hold.add_all(holds, operands, 4 if has_bias else 3)
    with nogil:
        done = convolve_on_threads(&work)
    raise_if_stopped()
    if done and n_captures and is_recording():
        record(&work)
    n_convolutions += done
    return done


cdef bint convolve_on_threads(const Convolution* work) noexcept nogil:
    """Whether the helper did the work."""
    cdef int n_threads = acquire_threads(1 + multiplications(&work.shape) // SERIAL_WORK)
    # Threads that would be woken on the caller's core leave it: the library does not see to that.
    share_evenly(do_nothing, NULL, n_threads, n_threads)
    cdef bint done = convolve(work.shape, work.direction, work.has_bias, n_threads, work.operands, pool_allocate,
                              pool_release)
    release_threads(n_threads)
    return done


cdef size_t run_recorded(void* block) noexcept nogil:
    """The same for a graph; the library fails where it has no memory."""
    cdef const Convolution* work = <const Convolution*>block
    return 0 if convolve_on_threads(work) else sizeof(Convolution)


cdef int record(const Convolution* work) except -1:
    """Describe the call for the graph that is captured."""
    cdef Launch launch = new_launch("convolution", run_recorded)
    cdef int k
    launch.add(work, sizeof(Convolution))
    launch.value(&work.operands, (4 if work.has_bias else 3) * sizeof(void*))
    for k in range(4 if work.has_bias else 3):
        launch.operand(&work.operands[k], k == 2 or (k == 3 and work.direction == WEIGHT_GRADIENT))
    return launch.submit()


cdef void do_nothing(void* work, Py_ssize_t worker) noexcept nogil:
    pass
