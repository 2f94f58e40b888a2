"""The dtype that a map row computes in for arrays of a backend and scalars."""

from nd4py._exec.dispatch.row_table cimport rows
from nd4py._exec.dispatch.promotion cimport (
    check_scalar, common_number, computed_number, has_stand_in, scalar_number, stand_in, weak_number,
)

from ..._core.devices import backends

cdef dict known = backends


def computed_row(int op, tuple operands, backend) -> tuple[int, tuple[Any, ...], int]:
    """(row, operands, dtype) of what runs for a map row on arrays of a backend and scalars, promoted."""
    while has_stand_in[op]:
        numbers = [backend.dtype_number(item) if type(item) in known else -1 for item in operands]
        other = stand_in(op, operands[0], operands[len(operands) - 1], numbers[0], numbers[len(numbers) - 1])
        if other is None:
            break
        op, operands = other
    return op, operands, promoted_number(op, operands, backend)


cdef int promoted_number(int op, tuple operands, object backend) except -1:
    """The dtype that operands, arrays on a device and scalars, promote to."""
    cdef int number = -1, k
    for k in range(rows[op].n_in):
        item = operands[k]
        if type(item) in known:
            if k != rows[op].condition:
                other = backend.dtype_number(item)
                number = other if number < 0 else common_number(op, number, other)
    for k in range(rows[op].n_in):
        if type(operands[k]) not in known and k != rows[op].condition:
            number = weak_number(number, operands[k]) if number >= 0 else scalar_number(operands[k])
    number = computed_number(op, number)
    for k in range(rows[op].n_in):
        if type(operands[k]) not in known and k != rows[op].condition:
            check_scalar(op, operands[k], number)
    return number
