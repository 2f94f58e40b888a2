"""Elementwise loops over a plan, tiles shared among threads."""

from nd4py._core.graphs.launch_recording cimport Launch, is_recording, n_captures, new_launch
from nd4py._core.threads.interrupts cimport raise_if_stopped
from nd4py._core.layout.plan cimport Plan
from nd4py._core.threads.threads cimport acquire_threads_for, release_threads
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py.cpu.parallel.tasks cimport share_evenly
from nd4py.cpu.program.recorded_calls cimport add_call, add_plan
from nd4py.cpu.parallel.tiles cimport MapCall, Tiling, choose_tiling, run_tiles, tiling_cost

cdef struct Map:
    const Plan* plan
    const MapCall* call
    Tiling tiling
    int n_threads


cdef int run_map(Plan* plan, const MapCall* call) except -1:
    """Visit every element of the plan.  The GIL is given up for more than one chunk's eighth of work."""
    cdef Map work
    cdef Hold hold
    choose_tiling(plan, call, &work.tiling)
    work.plan, work.call, work.n_threads = plan, call, 1
    if n_captures and is_recording():
        record(&work)
    if plan.size * 8 <= CHUNK:
        run_share(&work, 0)
        return 0
    hold.add_all(holds, plan.data, plan.n_operands)
    with nogil:
        share_tiles(&work)
    return raise_if_stopped()


cdef void share_tiles(Map* work) noexcept nogil:
    """All tiles, by as many threads as are worth while."""
    cdef double nanoseconds = work.plan.size * tiling_cost(work.plan, work.call, &work.tiling)
    work.n_threads = acquire_threads_for(work.tiling.n_tiles, nanoseconds)
    share_evenly(run_share, work, work.n_threads, work.n_threads)
    release_threads(work.n_threads)


cdef size_t run_recorded(void* block) noexcept nogil:
    cdef Map* work = <Map*>block
    if work.plan.size * 8 <= CHUNK:
        run_share(work, 0)
    else:
        share_tiles(work)
    return 0


cdef int record(const Map* work) except -1:
    """Describe the call for the graph that is captured."""
    cdef Launch launch = new_launch("elementwise", run_recorded)
    launch.add(work, sizeof(Map))
    add_call(launch, work.call)
    add_plan(launch, work.plan, work.call.n_in)
    launch.link(&work.call)
    launch.link(&work.plan)
    return launch.submit()


cdef void run_share(void* map, Py_ssize_t worker) noexcept nogil:
    """One thread's tiles."""
    cdef const Map* work = <const Map*>map
    cdef Py_ssize_t n_tiles = work.tiling.n_tiles, n_threads = work.n_threads
    run_tiles(work.plan, work.call, &work.tiling, n_tiles * worker // n_threads, n_tiles * (worker + 1) // n_threads)
