"""Elementwise loops over a plan, tiles shared among threads."""

from nd4py._core.threads.interrupts cimport raise_if_stopped
from nd4py._core.layout.plan cimport Plan
from nd4py._core.threads.threads cimport acquire_threads_for, release_threads
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py.cpu.parallel.tasks cimport share_evenly
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
    if plan.size * 8 <= CHUNK:
        run_share(&work, 0)
        return 0
    hold.add_all(holds, plan.data, plan.n_operands)
    with nogil:
        work.n_threads = acquire_threads_for(work.tiling.n_tiles, plan.size * tiling_cost(plan, call, &work.tiling))
        share_evenly(run_share, &work, work.n_threads, work.n_threads)
        release_threads(work.n_threads)
    return raise_if_stopped()


cdef void run_share(void* map, Py_ssize_t worker) noexcept nogil:
    """One thread's tiles."""
    cdef const Map* work = <const Map*>map
    cdef Py_ssize_t n_tiles = work.tiling.n_tiles, n_threads = work.n_threads
    run_tiles(work.plan, work.call, &work.tiling, n_tiles * worker // n_threads, n_tiles * (worker + 1) // n_threads)
