"""Places for arrays whose sizes and lifetimes are known."""

from bisect import insort

__all__ = ["lay_out"]


def lay_out(events):
    """Places for what was taken and given back in this order, close to the least memory that can hold it.

    events: (key, size) takes `size` bytes, (key, 0) gives back what was taken last under that key
    Returns ([(size, start)] in the order of taking, the bytes needed).  The largest come first, each into the smallest
    gap between those it meets that holds it: best fit by decreasing size, as compilers lay out buffers.
    """
    sizes, begins, ends = _lifetimes(events)
    starts = [0] * len(sizes)
    placed = []  # (start, end, first moment, last moment), by start
    for i in sorted(range(len(sizes)), key=lambda i: (-sizes[i], i)):
        starts[i] = _best_gap([row for row in placed if row[2] < ends[i] and begins[i] < row[3]], sizes[i])
        insort(placed, (starts[i], starts[i] + sizes[i], begins[i], ends[i]))
    return list(zip(sizes, starts, strict=True)), max((row[1] for row in placed), default=0)


def _lifetimes(events):
    """The size of each array, and the moments when it is taken and given back."""
    sizes, begins, ends, alive = [], [], [], {}
    for moment, (key, size) in enumerate(events):
        if size:
            alive[key] = len(sizes)
            sizes.append(size)
            begins.append(moment)
            ends.append(len(events))
        else:
            ends[alive.pop(key)] = moment
    return sizes, begins, ends


def _best_gap(taken, size):
    """The start of the smallest gap between `taken`, sorted by start, that holds `size`."""
    best, best_room, end = None, None, 0
    for start, stop, *_ in taken:
        room = start - end
        if room >= size and (best is None or room < best_room):
            best, best_room = end, room
        end = max(end, stop)
    return end if best is None else best
