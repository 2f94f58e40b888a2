"""From a call to a loop: the fast path for small arrays of one layout, and the general path for everything else."""

from nd4py._core.array cimport NDArray, new_array, new_from_info
from nd4py._core.hooks cimport hooks, methods
from nd4py._core.plan cimport MAX_OPERANDS, Plan, add_operand, add_scalar, finish_plan, start_plan
from nd4py._core.shape cimport MAX_NDIM
from nd4py._exec.copying cimport check_writable, convert, overlaps
from nd4py._exec.nodes cimport mark_written
from nd4py._exec.rows cimport common_number, compute, computed_number, costs, result_number, rows
from nd4py._exec.scalars cimport (
    adopt, check_scalar, is_scalar, scalar_number, store_plain_scalar, store_scalar, weak_number,
)
from nd4py.cpu.isa cimport MapLoop, loops
from nd4py.cpu.map cimport CHUNK, MapCall, run_map

from .._spec.dtypes import DTYPES, NUMBER
from .._spec.ops import ALL

cdef enum:
    MAX_PARAMS = 12

cdef double SHORT = 4000                 # nanoseconds of work for which neither threads nor the GIL are worth a thought

cdef int BOOL = NUMBER["bool"]
cdef Py_ssize_t itemsizes[16]
for number, dtype in enumerate(DTYPES):
    itemsizes[number] = dtype.itemsize


cdef inline bint is_short(int op, NDArray x) noexcept:
    return x.info.size * costs[op][x.number] <= SHORT


cdef object binary(int op, object left, object right):
    """The operators with two operands."""
    cdef NDArray a, b
    cdef MapLoop loop
    cdef char scalar[8]
    if type(left) is NDArray:
        a = <NDArray>left
        if a.info.is_contiguous and is_short(op, a) and a.node is None:
            loop = <MapLoop>loops().rows[op][a.number]
            if loop != NULL:
                if type(right) is NDArray:
                    b = <NDArray>right
                    if b.info is a.info and b.number == a.number and b.node is None:
                        return fast(loop, result_number(op, a.number), a, b.data, itemsizes[a.number])
                elif compute[a.number] == a.number and store_plain_scalar(right, a.number, scalar):
                    return fast(loop, result_number(op, a.number), a, scalar, 0)
    elif type(right) is NDArray:
        b = <NDArray>right
        if b.info.is_contiguous and is_short(op, b) and b.node is None:
            loop = <MapLoop>loops().rows[op][b.number]
            if loop != NULL and compute[b.number] == b.number and store_plain_scalar(left, b.number, scalar):
                return fast_left_scalar(loop, result_number(op, b.number), scalar, b)
    left, right = adopt(left), adopt(right)
    if not (is_operand(left) and is_operand(right)):
        return NotImplemented
    return call_row(op, (left, right), NULL, None)


cdef NDArray fast_left_scalar(MapLoop loop, int result, char* a, NDArray b):
    """As `fast`, with the scalar in front."""
    cdef NDArray y = result_like(result, b)
    cdef char* p[3]
    cdef Py_ssize_t s[3]
    p[0], p[1], p[2] = a, b.data, y.data
    s[0], s[1], s[2] = 0, itemsizes[b.number], itemsizes[y.number]
    loop(p, s, b.info.size, NULL)
    return y


cdef NDArray fast(MapLoop loop, int result, NDArray a, char* b, Py_ssize_t b_stride):
    """One loop over contiguous elements: no plan, no lock, no Python object but the result."""
    cdef NDArray y = result_like(result, a)
    run_small(loop, a, b, b_stride, y)
    return y


cdef inline void run_small(MapLoop loop, NDArray a, char* b, Py_ssize_t b_stride, NDArray y) noexcept:
    cdef char* p[3]
    cdef Py_ssize_t s[3]
    p[0], p[1], p[2] = a.data, b, y.data
    s[0], s[1], s[2] = itemsizes[a.number], b_stride, itemsizes[y.number]
    loop(p, s, a.info.size, NULL)


cdef inline NDArray result_like(int result, NDArray a):
    """An uninitialised array of the shape of contiguous `a`."""
    if itemsizes[result] == a.info.itemsize:
        return new_from_info(result, a.info)
    return new_array(result, a.info.ndim, a.info.shape)


cdef object unary(int op, object x):
    """The operators with one operand."""
    cdef NDArray a, y
    cdef MapLoop loop
    cdef char* p[2]
    cdef Py_ssize_t s[2]
    if type(x) is NDArray:
        a = <NDArray>x
        if a.info.is_contiguous and is_short(op, a) and a.node is None:
            loop = <MapLoop>loops().rows[op][a.number]
            if loop != NULL:
                y = result_like(result_number(op, a.number), a)
                p[0], p[1] = a.data, y.data
                s[0], s[1] = itemsizes[a.number], itemsizes[y.number]
                loop(p, s, a.info.size, NULL)
                return y
    return call_row(op, (x,), NULL, None)


cdef object inplace(int op, object left, object right):
    """The operators that write over their left operand."""
    cdef NDArray a = <NDArray>left
    cdef MapLoop loop
    cdef char scalar[8]
    if a.info.is_contiguous and is_short(op, a) and not a.readonly and a.node is None:
        loop = <MapLoop>loops().rows[op][a.number]
        if loop != NULL and is_apart_and_alike(a, right):
            run_small(loop, a, (<NDArray>right).data, itemsizes[a.number], a)
            mark_written(a)
            return left
        if loop != NULL and compute[a.number] == a.number and store_plain_scalar(right, a.number, scalar):
            run_small(loop, a, scalar, 0, a)
            mark_written(a)
            return left
    right = adopt(right)
    if not is_operand(right):
        return NotImplemented
    return call_row(op, (left, right), NULL, left)


cdef inline bint is_apart_and_alike(NDArray a, object other) noexcept:
    """Whether `other` is an array of the layout and dtype of `a` whose elements are those of `a`, or lie elsewhere."""
    if type(other) is not NDArray:
        return False
    cdef NDArray b = <NDArray>other
    if b.info is not a.info or b.number != a.number or b.node is not None:
        return False
    return a.data == b.data or abs(a.data - b.data) >= a.info.size * a.info.itemsize


cdef bint is_operand(object item) noexcept:
    return type(item) is NDArray or is_scalar(item)


cdef object call_row(int op, tuple operands, const double* params, object out):
    """Run a map row: promote, broadcast, plan, run.  Returns the result, or a tuple when the row has several.

    Raises TypeError for operands or dtypes the row does not take, ValueError for shapes that do not broadcast.
    """
    cdef Plan plan
    cdef MapCall call
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef double scalars[MAX_OPERANDS][2]
    cdef int number = promote_operands(op, operands)
    cdef int ndim = broadcast_shape(op, operands, shape)
    cdef list outputs = prepare_outputs(op, result_number(op, number), ndim, shape, out)
    cdef tuple inputs = without_overlap(operands, outputs) if out is not None else operands
    cdef int k
    cdef int loop_number = number if loops().rows[op][number] != NULL else compute[number]
    call.loop = <MapLoop>loops().rows[op][loop_number]
    call.params = params
    call.nanoseconds = costs[op][loop_number]
    call.n_in = rows[op].n_in
    start_plan(&plan, ndim, shape)
    for k in range(call.n_in):
        if k == rows[op].condition:
            add_input(&plan, &call, inputs[k], BOOL, BOOL, scalars[k])
        else:
            add_input(&plan, &call, inputs[k], number, loop_number, scalars[k])
    for k in range(rows[op].n_out):
        describe(&call, call.n_in + k, (<NDArray>outputs[k]).number, result_number(op, loop_number))
        add_operand(&plan, outputs[k])
    finish_plan(&plan, CHUNK)
    run_map(&plan, &call)
    return finish_call(op, operands, params, outputs, out is not None)


cdef int promote_operands(int op, tuple operands) except -1:
    """The dtype that the operands of a row promote to, halves included."""
    cdef int number = -1, k
    for k in range(rows[op].n_in):
        item = operands[k]
        if type(item) is not NDArray and not is_scalar(item):
            raise TypeError(
                f"{ALL[op].name}: {ALL[op].args[k]} must be an nd4py array or a Python scalar, "
                f"given {methods["type_name"](item)}"
            )
        if type(item) is NDArray and k != rows[op].condition:
            number = (<NDArray>item).number if number < 0 else common_number(op, number, (<NDArray>item).number)
    for k in range(rows[op].n_in):
        if type(operands[k]) is not NDArray and k != rows[op].condition:
            number = weak_number(number, operands[k]) if number >= 0 else scalar_number(operands[k])
    number = computed_number(op, number)
    for k in range(rows[op].n_in):
        if type(operands[k]) is not NDArray and k != rows[op].condition:
            check_scalar(op, operands[k], number)
    return number


cdef int broadcast_shape(int op, tuple operands, Py_ssize_t* shape) except -1:
    """The shape all operands broadcast to; returns its length."""
    cdef int ndim = 0, i, shift
    cdef NDArray array
    for item in operands:
        if type(item) is NDArray:
            ndim = max(ndim, (<NDArray>item).info.ndim)
    for i in range(ndim):
        shape[i] = 1
    for item in operands:
        if type(item) is not NDArray:
            continue
        array = <NDArray>item
        shift = ndim - array.info.ndim
        for i in range(array.info.ndim):
            if array.info.shape[i] == 1:
                continue
            if shape[i + shift] != 1 and shape[i + shift] != array.info.shape[i]:
                given = " and ".join([str(x.shape) for x in operands if type(x) is NDArray])
                raise ValueError(f"{ALL[op].name}: shapes {given} do not broadcast")
            shape[i + shift] = array.info.shape[i]
    return ndim


cdef list prepare_outputs(int op, int number, int ndim, const Py_ssize_t* shape, object out):
    """New arrays for the results, or the checked ones of `out`."""
    cdef int k
    if out is None:
        return [new_array(number, ndim, shape) for _ in range(rows[op].n_out)]
    outputs = list(out) if isinstance(out, (tuple, list)) else [out]
    if len(outputs) != rows[op].n_out:
        raise ValueError(f"{ALL[op].name}: out needs {rows[op].n_out} arrays, given {len(outputs)}")
    for array in outputs:
        check_output(ALL[op].name, array, number, tuple([shape[k] for k in range(ndim)]))
    return outputs


cdef int check_output(str name, object out, int number, tuple shape) except -1:
    """Raises unless `out` can take results of dtype `number` and this shape."""
    if type(out) is not NDArray:
        raise TypeError(f"{name}: out must be an nd4py array, given {methods["type_name"](out)}")
    cdef NDArray array = <NDArray>out
    if array.shape != shape:
        raise ValueError(f"{name}: the result has shape {shape}, out has {array.shape}")
    if array.number != number and DTYPES[array.number].kind != DTYPES[number].kind:
        raise TypeError(f"{name}: the result is {DTYPES[number].name}, out is {array.dtype}; give out that dtype")
    if array.node is not None:
        raise ValueError(f"{name}: an array being differentiated cannot be written in place; use x = x + 1, not x += 1")
    return check_writable(name, array)


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
    store_scalar(bool(item) if number == BOOL else item, number, <char*>scalar)
    add_scalar(plan, scalar)
    return 0


cdef void describe(MapCall* call, int k, int number, int loop_number) noexcept:
    call.number[k] = number
    call.loop_number[k] = loop_number


cdef object finish_call(int op, tuple operands, const double* params, list outputs, bint is_written):
    cdef int k
    if is_written:
        for array in outputs:
            mark_written(array)
    for item in operands:
        if type(item) is NDArray and (<NDArray>item).node is not None:
            values = tuple([params[k] for k in range(rows[op].n_params)])
            if is_written:
                raise ValueError(f"{ALL[op].name}: out= cannot be used while its operands are being differentiated")
            return methods["record_row"](op, operands, values, outputs)
    return outputs[0] if rows[op].n_out == 1 else tuple(outputs)


def call(int op, tuple operands, tuple params, out):
    """Run map row `op` on arrays and scalars with its scalar parameters; `out` may name the arrays to write.

    Raises TypeError for a parameter that is no number.
    """
    cdef double values[MAX_PARAMS]
    cdef int k
    if out is None and len(params) == 0 and rows[op].condition < 0:
        if len(operands) == 1:
            return unary(op, adopt(operands[0]))
        if len(operands) == 2 and is_operand(operands[0]) and is_operand(operands[1]):
            return binary(op, operands[0], operands[1])
    operands = tuple([item if is_operand(item) else adopt(item) for item in operands])
    for k in range(len(params)):
        if not is_scalar(params[k]) or isinstance(params[k], complex):
            raise TypeError(f"{ALL[op].name}: {ALL[op].params[k][0]} must be a number, given {params[k]!r}")
        values[k] = params[k]
    return call_row(op, operands, values, out)


hooks.binary = binary
hooks.unary = unary
hooks.inplace = inplace
