"""Run an elementwise loop over a plan: the tiles shared out among threads."""

from cython.parallel cimport prange
from nd4py._core.plan cimport Plan
from nd4py._core.threads cimport acquire_threads_for, current_core, leave_core, release_threads
from nd4py.cpu.tiles cimport MapCall, Tiling, choose_tiling, run_tiles, tiling_cost

cdef void run_map(Plan* plan, const MapCall* call) noexcept:
    """Visit every element of the plan.  The GIL is given up for more than one chunk's eighth of work."""
    cdef Tiling tiling
    cdef int n_threads, home, i
    choose_tiling(plan, call, &tiling)
    if plan.size * 8 <= CHUNK:
        run_tiles(plan, call, &tiling, 0, tiling.n_tiles)
        return
    with nogil:
        n_threads = acquire_threads_for(tiling.n_tiles, plan.size * tiling_cost(plan, call, &tiling))
        if n_threads == 1:
            run_tiles(plan, call, &tiling, 0, tiling.n_tiles)
        else:
            home = current_core()
            for i in prange(n_threads, num_threads=n_threads, schedule="static"):
                leave_core(home)
                run_tiles(plan, call, &tiling, tiling.n_tiles * i // n_threads, tiling.n_tiles * (i + 1) // n_threads)
        release_threads(n_threads)
