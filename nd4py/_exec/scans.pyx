"""Scans such as cumulative sums: their axis and dtypes, then the driver; and their gradient."""

from nd4py._core.array.array cimport NDArray, new_array
from nd4py._core.graphs.launch_recording cimport is_recording, n_captures, record_values
from nd4py._core.observing.observers cimport SCAN, Operation, begun, n_observers
from nd4py._core.layout.shape cimport MAX_NDIM, normalize_axis
from nd4py._exec.copying cimport convert
from nd4py._exec.device.device_operations cimport is_elsewhere, upcalls
from nd4py._exec.dispatch.row_table cimport compute, result_numbers
from nd4py._exec.dispatch.promotion cimport PAIR, adopt, is_subclassed, raise_no_loop, ranks
from nd4py.cpu.isa.isa cimport ScanLoops, loops
from nd4py.cpu.scan.scan cimport run_pull, run_scan

from .._core.lazy_modules import LazyModule
from .._spec.ops import ALL
from .device.device_functions import scan_elsewhere
from .autodiff.nodes import constant, with_node
from .autodiff.tape import Node, is_floating

scan_slopes = LazyModule("nd4py._exec.autodiff.scan_slopes", globals())


def scan(int op, x, axis: int | None, dtype: DTypeLike | None, bint include_initial) -> NDArray:
    """The running results of a row along `axis`, which may be None for an array of one axis.

    dtype: None, or what `x` is converted to first and the result has.
    Raises TypeError for a dtype without a loop, ValueError for a wrong or missing axis.
    """
    if type(x) is not NDArray:
        if is_elsewhere(x):
            return scan_elsewhere(op, x, axis, dtype, include_initial, scan)
        if is_subclassed(x):
            return upcalls.of_subclass(scan, op, x, axis, dtype, include_initial)
    cdef NDArray source = x if type(x) is NDArray else upcalls.asarray(x)
    cdef int target, along
    if dtype is not None:
        source = adopt(source.astype(dtype, copy=False))
    if source.info.ndim == 0:
        source = source.reshape(1)
    if axis is None and source.info.ndim > 1:
        raise ValueError(f"{ALL[op].name}: an array of shape {source.shape} needs an axis to run along; pass axis=")
    along = normalize_axis(0 if axis is None else axis, source.info.ndim)
    if loops.rows[op][compute[source.number]] == NULL:
        raise_no_loop(op, source.number)
    target = source.number if dtype is not None else result_numbers[op][source.number]
    cdef NDArray y = run(op, source, along, target, include_initial)
    if source.node is None or not is_floating(y):
        return y
    return tracked(op, source, along, y, include_initial)


cdef NDArray run(int op, NDArray source, int axis, int target, bint include_initial):
    """The scan of `source`, as dtype `target`."""
    cdef int number = compute[source.number]
    cdef const ScanLoops* scan_loops = <const ScanLoops*>loops.rows[op][number]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef NDArray y, first
    cdef int i
    cdef Operation operation = begun(SCAN, ALL[op].name) if n_observers else None
    for i in range(source.info.ndim):
        shape[i] = source.info.shape[i] + (include_initial and i == axis)
    if number != source.number:
        source = convert(source, number)
    y = new_array(result_numbers[op][number], source.info.ndim, shape)
    if include_initial:
        first = new_array(y.number, 0, NULL)
        scan_loops.initial(first.data)
        if n_captures and is_recording():
            record_values(first)
        y[(*(slice(None),) * axis, 0)] = first
        run_scan(scan_loops, source, axis, y[(*(slice(None),) * axis, slice(1, None))])
    else:
        run_scan(scan_loops, source, axis, y)
    if operation is not None:
        operation.finish((source,), (y,))
    return y if y.number == target else convert(y, target)


cdef NDArray tracked(int op, NDArray source, int axis, NDArray y, bint include_initial):
    """The result with its node on the tape."""
    x = constant(source)
    later = (*(slice(None),) * axis, slice(1, None)) if include_initial else ...
    results = constant(y)[later]

    def pull(g):
        return [gradient(op, g[later], x, results, axis)]

    def again(g, node):
        return [scan_slopes.gradient_on_the_tape(op, g[later], with_node(x, node.parents[0]), axis, scan)]

    return with_node(y, Node([source.node], pull, [x, y], again))


def gradient(int op, NDArray g, NDArray x, NDArray y, int axis) -> NDArray:
    """What reaches `x` from the gradient `g` of the results `y`."""
    cdef int number = compute[x.number]
    cdef NDArray result
    if ranks[number] == PAIR:
        return scan_slopes.gradient_on_the_tape(op, g, x, axis, scan)
    if ALL[op].vjp == ("g", "g"):         # a running sum from the end
        backwards = (*(slice(None),) * axis, slice(None, None, -1))
        return run(op, g[backwards], axis, x.number, False)[backwards]
    order = [*range(axis), *range(axis + 1, x.info.ndim), axis]
    lines = [convert(item.permute_dims(order), number) for item in (g, x, y)]
    result = new_array(number, x.info.ndim, (<NDArray>lines[0]).info.shape)
    run_pull(<const ScanLoops*>loops.rows[op][number], lines[0], lines[1], lines[2], result)
    result = result.permute_dims(sorted(range(x.info.ndim), key=order.__getitem__))
    return result if number == x.number else convert(result, x.number)
