"""Memory of CUDA graphs.  What their steps were given, and copy from the host, stays theirs as long as they live.

Design: a graph names addresses, so nothing it met may be another's.  Its stream is held: free blocks of it are not
trimmed, and what would be freed or parked while its step is captured is retained.  What the step copies from the host
lies in pinned blocks that the first run takes and the captured one fills again: a constant keeps its value, and the
driver is asked for nothing while it captures.
"""

from nd4py.cuda.allocation.allocator cimport PINNED, Block, Cache, Lane, cache_of, give
from nd4py.cuda.launch.current_stream cimport is_capturing, set_graph_lane

from .allocator import devices_with_memory
from ..driver.driver import DeviceError

cdef size_t NO_STREAM = <size_t>-1       # whom pinned blocks belong to


def hold_stream(int device, size_t stream) -> None:
    """Keep the blocks of a stream, free ones too, until the stream is retired: a graph works on them."""
    cache_of(device).lane_of(stream).is_held = True


def release_step(int device, size_t stream) -> None:
    """The graph of a held stream ended, after all its work: what it kept goes back."""
    cdef Lane* lane = cache_of(device).lane_of(stream)
    cdef Cache cache
    cdef Block* block
    lane.is_held = False                 # or they would be retained again
    while lane.retained != NULL:
        block = lane.retained
        lane.retained = block.next
        cache = <Cache>block.cache
        cache.waiting -= block.n_bytes
        cache.n_live += 1                # as `give` finds it
        cache.live += block.n_bytes
        cache.requested += block.requested
        give(block)
    while lane.uploads != NULL:
        block = lane.uploads
        lane.uploads = block.next
        give(block)
    lane.last_upload = lane.next_upload = NULL


def begin_step(int device, size_t stream) -> None:
    """This thread runs the step of a graph on a held stream, to warm up or to be captured."""
    cdef Lane* lane = cache_of(device).lane_of(stream)
    lane.next_upload = lane.uploads
    set_graph_lane(lane)


def end_step() -> None:
    """The step of a graph is done."""
    set_graph_lane(NULL)


def collect() -> None:
    """Wait for the streams that worked on parked blocks, and keep these for reuse."""
    for device in devices_with_memory():
        cache_of(device).unpark(True)


cdef Block* upload_block(void* lane_address, size_t n_bytes) except NULL:
    """A pinned block that a graph's step copies from, and that is the graph's alone.

    The step takes them when it runs first, and finds them again, in order, when it is captured.  Raises DeviceError
    where it wants others then.
    """
    cdef Lane* lane = <Lane*>lane_address
    cdef Block* block
    if not is_capturing():
        block = cache_of(PINNED).take(n_bytes, NO_STREAM)
        block.next = NULL
        if lane.uploads == NULL:
            lane.uploads = block
        else:
            lane.last_upload.next = block
        lane.last_upload = block
        return block
    block = lane.next_upload
    if block == NULL or block.requested != n_bytes:
        raise DeviceError(
            f"a graph is being captured, and {n_bytes} bytes are copied from the host that were not when its step ran "
            "first; the step must do the same every time"
        )
    lane.next_upload = block.next
    return block
