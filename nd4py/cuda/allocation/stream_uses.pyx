"""Records of the streams that worked on a block, and whether they have passed.

Design: a stream of ours is asked through an event, recorded when the block comes back; one that was closed since had
done all its work.  A stream of another library's may be gone by then, and naming it would be undefined: its device is
waited for instead, when a caller waits.
"""

from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py.cuda.allocation.blocks cimport Block, Use
from nd4py.cuda.launch.current_stream cimport bind_anew

from ..driver.driver import DeviceLost
from ..driver.driver_choice import at_change, driver

cdef dict spare_events = {}              # events that are not waited for, by device
cdef dict ended = {}                     # of streams that were closed, by device and handle: how many had been by then
cdef long long n_ended = 0


cdef int note_use(Block* block, int device, size_t stream, bint is_foreign=False) except -1:
    """Remember that work given to `stream` of `device` needs the block, which may belong to another stream.

    is_foreign: whether the stream is another library's, which may destroy it before the block comes back
    """
    cdef Use* use = block.uses
    if block.lane.stream == stream and block.lane.device_number == device:
        return 0
    while use != NULL:
        if use.stream == stream and use.device_number == device and use.is_foreign == is_foreign:
            use.since = n_ended
            return 0
        use = use.next
    use = <Use*>pool_allocate(sizeof(Use))
    if use == NULL:
        raise MemoryError(f"cannot allocate {sizeof(Use)} bytes of host memory for the streams of a block")
    use.device_number, use.stream, use.is_foreign, use.since = device, stream, is_foreign, n_ended
    use.event = 0
    use.next = block.uses
    block.uses = use
    return 0


cdef int note_end(int device, size_t stream) except -1:
    """The stream ended, after all its work: what was noted of it before is done, and its handle may be another's."""
    global n_ended
    n_ended += 1
    ended[device, stream] = n_ended
    return 0


cdef int record_uses(Block* block) except -1:
    """Record an event on every stream of ours that worked on a block and goes on."""
    cdef Use* use = block.uses
    while use != NULL:
        if not use.is_foreign and ended.get((use.device_number, use.stream), -1) <= use.since:
            bind_anew(use.device_number)
            spare = spare_events.get(use.device_number)
            use.event = spare.pop() if spare else driver().event_create()
            driver().event_record(use.event, use.stream)
        use = use.next
    return 0


cdef bint is_passed(Block* block, bint waits) except -1:
    """Whether all streams that worked on a parked block have passed; then it has no uses any more."""
    cdef Use* use = block.uses
    while use != NULL:
        try:
            if use.is_foreign:
                if not waits:
                    return False
                bind_anew(use.device_number)
                driver().synchronize()
            elif use.event:
                bind_anew(use.device_number)
                if waits:
                    driver().event_synchronize(use.event)
                elif not driver().event_query(use.event):
                    return False
        except DeviceLost:               # nothing works on the block any more
            pass
        except Exception:                # of whatever kind: the state is unknown, so the block is not reused
            return False
        if use.event:
            spare_events.setdefault(use.device_number, []).append(use.event)
        block.uses = use.next
        pool_release(use, sizeof(Use))
        use = block.uses
    return True


cdef bint is_unknown(Block* block) noexcept:
    """Whether a stream of another library's worked on a block."""
    cdef Use* use = block.uses
    while use != NULL:
        if use.is_foreign:
            return True
        use = use.next
    return False


cdef void make_unknown(Block* block) noexcept:
    """Take all uses of a block for those of streams that nothing can be recorded on."""
    cdef Use* use = block.uses
    while use != NULL:
        use.is_foreign = True
        use = use.next


def forget_driver() -> None:
    """Another driver has other events."""
    for device, events in spare_events.items():
        bind_anew(device)
        for event in events:
            driver().event_destroy(event)
    spare_events.clear()
    ended.clear()


at_change.append(forget_driver)          # before the allocator's: it is called later
