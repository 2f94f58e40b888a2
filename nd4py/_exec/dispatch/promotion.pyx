"""Type promotion and broadcasting of the operands of a row."""

from nd4py._core.array.array cimport NDArray
from nd4py._core.lazy.deferred cimport fields, is_array
from nd4py._exec.dispatch.row_table cimport common_number, computed_number, rows
from nd4py._exec.dispatch.scalars cimport check_scalar, is_scalar, no_operand, scalar_number, weak_number

from ..._spec.ops import ALL


cdef int promote_operands(int op, tuple operands) except -1:
    """The dtype that the operands of a row promote to, halves included."""
    cdef int number = -1, k
    for k in range(rows[op].n_in):
        item = operands[k]
        if not is_array(item) and not is_scalar(item):
            raise no_operand(op, k, item)
        if is_array(item) and k != rows[op].condition:
            number = fields(item).number if number < 0 else common_number(op, number, fields(item).number)
    for k in range(rows[op].n_in):
        if not is_array(operands[k]) and k != rows[op].condition:
            number = weak_number(number, operands[k]) if number >= 0 else scalar_number(operands[k])
    number = computed_number(op, number)
    for k in range(rows[op].n_in):
        if not is_array(operands[k]) and k != rows[op].condition:
            check_scalar(op, operands[k], number)
    return number


cdef int broadcast_shape(int op, tuple operands, Py_ssize_t* shape) except -1:
    """The shape all operands broadcast to; returns its length."""
    cdef int ndim = 0, i, shift
    cdef NDArray array
    for item in operands:
        if is_array(item):
            ndim = max(ndim, fields(item).info.ndim)
    for i in range(ndim):
        shape[i] = 1
    for item in operands:
        if not is_array(item):
            continue
        array = fields(item)
        shift = ndim - array.info.ndim
        for i in range(array.info.ndim):
            if array.info.shape[i] == 1:
                continue
            if shape[i + shift] != 1 and shape[i + shift] != array.info.shape[i]:
                given = " and ".join([str(x.shape) for x in operands if is_array(x)])
                raise ValueError(f"{ALL[op].name}: shapes {given} do not broadcast")
            shape[i + shift] = array.info.shape[i]
    return ndim
