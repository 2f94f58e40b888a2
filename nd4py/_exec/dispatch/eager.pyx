"""Eager execution of a map row: its outputs, its plan, and its record on the tape."""

from nd4py._core.array.array cimport NDArray
from nd4py._core.array.array_base cimport mark_written
from nd4py._core.layout.plan cimport MAX_OPERANDS, Plan, add_operand, add_scalar, finish_plan, start_plan
from nd4py._core.observing.observers cimport ELEMENTWISE, MOVE, Operation, begun, n_observers
from nd4py._core.lazy.deferred cimport is_tracked
from nd4py._core.upcalls cimport upcalls
from nd4py._exec.copying cimport check_writable, convert, new_result, overlaps, shares, write
from nd4py._exec.dispatch.row_table cimport compute, costs, result_numbers, rows
from nd4py._exec.dispatch.promotion cimport adopt, is_deferred, store_operand
from nd4py.cpu.isa.isa cimport MapLoop, loops
from nd4py.cpu.elementwise.map cimport CHUNK, MapCall, run_map

from ..._core.array.released import type_name
from ..._spec.dtypes import NUMBER
from ..._spec.ops import ALL
from .output_checks import check_fits

cdef int BOOL = NUMBER["bool"]


cdef object run_row(int op, tuple operands, const double* params, object out, int number, int ndim,
                    const Py_ssize_t* shape):
    """Run a map row now: plan, run."""
    cdef Plan plan
    cdef MapCall call
    cdef double scalars[MAX_OPERANDS][2]
    cdef list outputs = prepare_outputs(op, operands, result_numbers[op][number], ndim, shape, out)
    cdef tuple inputs = operands
    cdef Operation operation = None
    cdef int k, loop_number = number if loops.rows[op][number] != NULL else compute[number]
    if out is not None:
        check_untracked(op, operands)
        if share_memory(outputs) or loop_number != number and are_others(outputs, result_numbers[op][number]):
            # Results of halves that are computed as floats are rounded to halves first, as they are without `out`.
            return written_in_turn(outputs, run_row(op, operands, params, None, number, ndim, shape))
        inputs = without_overlap(operands, outputs)
    if n_observers:
        operation = begun(ELEMENTWISE if rows[op].condition < 0 else MOVE, ALL[op].name)
    call.loop = <MapLoop>loops.rows[op][loop_number]
    call.program = NULL
    call.params, call.n_params = params, rows[op].n_params if params != NULL else 0
    call.nanoseconds = costs[op][loop_number]
    call.n_in = rows[op].n_in
    start_plan(&plan, ndim, shape)
    for k in range(call.n_in):
        if k == rows[op].condition:
            add_input(&plan, &call, inputs[k], BOOL, BOOL, scalars[k])
        else:
            add_input(&plan, &call, inputs[k], number, loop_number, scalars[k])
    for k in range(rows[op].n_out):
        describe(&call, call.n_in + k, (<NDArray>outputs[k]).number, result_numbers[op][loop_number])
        add_operand(&plan, outputs[k])
    finish_plan(&plan, CHUNK)
    if out is not None:
        for array in outputs:
            mark_written(array)          # before: it may be interrupted
    run_map(&plan, &call)
    if operation is not None:
        operation.finish(inputs, tuple(outputs))
    return recorded(op, operands, params, outputs)


cdef list prepare_outputs(int op, tuple operands, int number, int ndim, const Py_ssize_t* shape, object out):
    """New arrays for the results, or the checked ones of `out`."""
    cdef int k
    if out is None:
        return [new_result(operands, number, ndim, shape) for _ in range(rows[op].n_out)]
    outputs = list(out) if isinstance(out, (tuple, list)) else [out]
    if len(outputs) != rows[op].n_out:
        raise ValueError(f"{ALL[op].name}: out needs {rows[op].n_out} arrays, given {len(outputs)}")
    for array in outputs:
        check_output(ALL[op].name, array, number, tuple([shape[k] for k in range(ndim)]))
    return outputs


cdef int check_output(str name, object out, int number, tuple shape) except -1:
    """Raises unless `out` can take results of dtype `number` and this shape."""
    if is_deferred(out):
        adopt(out)
    if type(out) is not NDArray:
        raise TypeError(f"{name}: out must be an nd4py array, given {type_name(out)}")
    cdef NDArray array = <NDArray>out
    if array.number != number or array.shape != shape:
        check_fits(name, array, shape, number)
    if array.node is not None:
        raise ValueError(f"{name}: an array being differentiated cannot be written in place; use x = x + 1, not x += 1")
    return check_writable(name, array)


cdef int check_untracked(int op, tuple operands) except -1:
    """Raises where a result that the tape would have to note is written into an array that is there already."""
    for item in operands:
        if is_tracked(item):
            raise ValueError(f"{ALL[op].name}: out= cannot be used while its operands are being differentiated")
    return 0


cdef bint is_apart_and_alike(NDArray a, object other) noexcept:
    """Whether `other` is an array of the layout and dtype of `a` that may be read while `a` is written."""
    if type(other) is not NDArray:
        return False
    cdef NDArray b = <NDArray>other
    if b.info is not a.info or b.number != a.number or b.node is not None:
        return False
    return a.data == b.data or not overlaps(b, a)


cdef bint share_memory(list outputs) noexcept:
    """Whether any two outputs may have a byte in common."""
    cdef int i, k
    for i in range(1, len(outputs)):
        for k in range(i):
            if shares(<NDArray>outputs[i], <NDArray>outputs[k]):
                return True
    return False


cdef bint are_others(list outputs, int number) noexcept:
    """Whether an output has another dtype than the results."""
    for out in outputs:
        if (<NDArray>out).number != number:
            return True
    return False


cdef object written_in_turn(list outputs, object results):
    """The outputs, with one result after the other written to them."""
    if len(outputs) == 1:
        write(<NDArray>outputs[0], results)
        return outputs[0]
    for out, result in zip(outputs, results):
        write(<NDArray>out, result)
    return tuple(outputs)


cdef tuple without_overlap(tuple operands, list outputs):
    """Operands that share memory with an output, other than element for element, are copied first."""
    return tuple([
        convert(item, (<NDArray>item).number)
        if type(item) is NDArray and any([overlaps(item, out) for out in outputs]) else item
        for item in operands
    ])


cdef int add_input(Plan* plan, MapCall* call, object item, int number, int loop_number, double* scalar) except -1:
    """An array, or a scalar, which becomes an element of the dtype that the operands promote to."""
    cdef int k = plan.n_operands
    if type(item) is NDArray:
        describe(call, k, (<NDArray>item).number, loop_number)
        return add_operand(plan, <NDArray>item)
    describe(call, k, number, loop_number)
    store_operand(item, number, <char*>scalar)
    add_scalar(plan, scalar)
    return 0


cdef void describe(MapCall* call, int k, int number, int loop_number) noexcept:
    call.number[k] = number
    call.loop_number[k] = loop_number


cdef object recorded(int op, tuple operands, const double* params, list outputs):
    """The result of a row, or a tuple of them, on the tape where an operand is."""
    cdef int k
    for item in operands:
        if is_tracked(item):
            values = tuple([params[k] for k in range(rows[op].n_params)])
            return upcalls.record_row(op, operands, values, outputs)
    return outputs[0] if rows[op].n_out == 1 else tuple(outputs)
