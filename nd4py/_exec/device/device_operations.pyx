"""Operations on device arrays: promoted and broadcast as on the host, then run by their backend.

Dispatch comes here only once an operand has turned out to be no array of the host.  Arrays of different devices do not
mix: a copy between them takes longer than most operations, and is asked for by name (`to_device`).  What has no kernel
is an error, unless the backend was told to fall back on the host; then it is copied there and back.
"""

from nd4py._core.array.array cimport NDArray
from nd4py._core.array.array_base cimport mark_written
from nd4py._core.layout.shape cimport normalize_axis
from nd4py._core.upcalls cimport upcalls
from nd4py._exec.dispatch.row_table cimport SAME, promoted, result_numbers, rows
from nd4py._exec.dispatch.promotion cimport (
    PAIR, adopt, as_kind_of, check_scalar, computed_number, has_stand_in, is_array, is_composed, is_scalar, no_operand,
    promoted_number, ranks, stand_in, store_operand,
)

from ..._core.devices import UnsupportedOnDevice, backends
from ..._core.dtype import dtype_of
from ..._core.array.released import type_name
from ..._spec.dtypes import DTYPES, NUMBER
from ..._spec.ops import ALL
from ..conversion import astype, filled
from ..dispatch.output_checks import check_fits
from ..dispatch.promotion import check_kind

cdef int BOOL = NUMBER["bool"], BYTE = NUMBER["uint8"]
cdef dict known = backends
cdef bint is_watched = False


cdef bint is_default_watched() noexcept:
    """Whether anybody ever chose a default device, so that it may be another one than the host."""
    return is_watched


def watch_default() -> None:
    """From now on, functions that make arrays ask for the default device where none is given."""
    global is_watched
    is_watched = True


cpdef bint is_elsewhere(object item) except -1:
    """Whether `item` is an array on a device."""
    return type(item) in known


cdef bint is_any_elsewhere(tuple operands, object out) except -1:
    """Whether one of the operands, or of what is to be written, is an array on a device."""
    if not known:                        # most processes know of no device
        return False
    for item in operands:
        if type(item) in known:
            return True
    if out is None:
        return False
    return type(out) in known or (isinstance(out, (tuple, list)) and any([type(item) in known for item in out]))


cpdef object rules_for(object operands):
    """The rules of the family of arrays that an operand is of and that takes whole calls over; None for none.

    Those of the innermost: arrays of a batch have recorded ones as values, never the reverse.
    """
    cdef object found = None
    if known:
        for item in operands:
            if type(item) in known and known[type(item)].rules is not None:
                found = known[type(item)].rules
                if not found.is_outermost:
                    break
    return found


cdef int check_left(int op, object left, object right) except -1:
    """Raises what the rules of `right` do, where an array of the host is written over by what they give."""
    rules = rules_for((right,))
    if rules is not None:
        raise rules.refusal_to_write(ALL[op].name, left)
    return 0


cdef object common_device(str name, object operands):
    """(backend, device) of the arrays among operands.  Raises ValueError when they are not all on one device."""
    backend, device = None, -1
    for item in operands:
        if type(item) in known:
            if backend is None:
                backend, device = known[type(item)], known[type(item)].device_of(item)
            elif known[type(item)] is not backend or backend.device_of(item) != device:
                raise mixed(name, operands)
    for item in operands:
        if type(item) is NDArray:
            raise mixed(name, operands)
    return backend, device


cdef object mixed(str name, object operands):
    devices = [item.device for item in operands if type(item) is NDArray or type(item) in known]
    return ValueError(
        f"{name}: arrays on different devices, {' and '.join(dict.fromkeys(devices))}; bring them together first, "
        f"x.to_device({next(device for device in devices if device != 'cpu')!r})"
    )


cdef object call_elsewhere(int op, tuple operands, tuple params, object out):
    """Run a map row on arrays of a device and scalars.  Raises as the host's dispatch, and UnsupportedOnDevice."""
    cdef str name = ALL[op].name
    operands = tuple([item if is_scalar(item) or type(item) in known else adopt(item) for item in operands])
    for k, item in enumerate(operands):
        if not is_scalar(item) and type(item) is not NDArray and type(item) not in known:
            raise no_operand(op, k, item)
    given = () if out is None else tuple(out) if isinstance(out, (tuple, list)) else (out,)
    rules = rules_for((*operands, *given))
    if rules is not None:
        return rules.row(op, operands, params, out)
    backend, device = common_device(name, (*operands, *given))
    if has_stand_in[op]:
        numbers = [backend.dtype_number(item) if type(item) in known else -1 for item in operands]
        other = stand_in(op, operands[0], operands[len(operands) - 1], numbers[0], numbers[len(numbers) - 1])
        if other is not None:
            return call_elsewhere(other[0], other[1], (), out)
    cdef int number = promoted_number(op, operands, backend)
    shape = broadcast_shapes(name, [x.shape for x in operands if type(x) in known])
    try:
        packed = tuple([
            item if type(item) in known else packed_scalar(item, BOOL if k == rows[op].condition else number)
            for k, item in enumerate(operands)
        ])
        outputs = None
        if not given:
            outputs = backend.defer(op, number, packed, params, shape, device,
                                    result_numbers[op][number], rows[op].condition, rows[op].n_out)
        elif len(given) == 1 and given[0] is operands[0] and not params:
            if backend.defer_in_place(op, number, packed, shape, given[0], result_numbers[op][number],
                                      rows[op].condition):
                mark_written(given[0])
                return given[0]
        if outputs is None:
            outputs = results_of(op, number, shape, backend, device, given)
            if given and is_any_tracked(operands):
                raise ValueError(f"{name}: out= cannot be used while its operands are being differentiated")
            for out in given:
                backend.prepare_to_write(out)
                mark_written(out)        # before: it may be interrupted
            backend.run_row(op, number, packed, params, outputs)
    except UnsupportedOnDevice:
        if not backend.falls_back(name):
            raise
        outputs = row_on_host(op, number, operands, shape, params, given, backend, device)
    for out in given:
        mark_written(out)
    if is_any_tracked(operands):
        return upcalls.record_row(op, operands, params, outputs)
    return outputs[0] if rows[op].n_out == 1 else tuple(outputs)


cdef bint is_any_tracked(tuple operands) except -1:
    """Whether an array among operands is being differentiated."""
    for item in operands:
        if type(item) in known and item.node is not None:
            return True
    return False


def broadcast_shapes(str name, list shapes) -> tuple[int, ...]:
    """The shape that all shapes broadcast to.  Raises ValueError."""
    cdef Py_ssize_t ndim = max([len(shape) for shape in shapes]), i
    result = [1] * ndim
    for shape in shapes:
        for i in range(len(shape)):
            size, at = shape[i], i + ndim - len(shape)
            if size != 1:
                if result[at] not in (1, size):
                    raise ValueError(f"{name}: shapes {' and '.join(map(str, shapes))} do not broadcast")
                result[at] = size
    return tuple(result)


cdef list results_of(int op, int number, tuple shape, object backend, int device, tuple given):
    """New arrays, or the checked ones of `out`."""
    cdef str name = ALL[op].name
    cdef int result = result_numbers[op][number]
    if not given:
        return [backend.empty(shape, result, device) for _ in range(rows[op].n_out)]
    if len(given) != rows[op].n_out:
        raise ValueError(f"{name}: out needs {rows[op].n_out} arrays, given {len(given)}")
    for out in given:
        if type(out) not in known:
            raise TypeError(f"{name}: out must be an nd4py array, given {type_name(out)}")
        check_fits(name, out, shape, result)
        if out.node is not None:
            raise ValueError(
                f"{name}: an array being differentiated cannot be written in place; use x = x + 1, not x += 1"
            )
        if not out.is_writable:
            raise ValueError(f"{name}: this array is read-only; write to a copy, x.copy()")
    return list(given)


cdef bytes packed_scalar(object item, int number):
    """A checked Python scalar as the bytes of an element."""
    cdef double room[2]
    store_operand(item, number, <char*>room)
    return (<char*>room)[:DTYPES[number].itemsize]


cdef list row_on_host(int op, int number, tuple operands, tuple shape, tuple params, tuple given, object backend,
                      int device):
    """The results of the row on copies of its operands, copied back."""
    if given:
        results_of(op, number, shape, backend, device, given)
    copies = tuple([backend.to_host(item) if type(item) in known else item for item in operands])
    results = upcalls.call(op, copies, params, None)
    outputs = results if isinstance(results, tuple) else (results,)
    if given:
        for out, result in zip(given, outputs):
            backend.write(out, backend.from_host(result, device))
        return list(given)
    return [backend.from_host(result, device) for result in outputs]


# Reductions.


cdef tuple axes_given(str name, object axis, int ndim):
    """The axes to reduce, counted from the front, in order.  Raises ValueError, TypeError."""
    if axis is None:
        return tuple(range(ndim))
    axes = tuple(sorted([normalize_axis(i, ndim) for i in (axis if isinstance(axis, (tuple, list)) else (axis,))]))
    if len(set(axes)) != len(axes):
        raise ValueError(f"{name}: axis names one axis twice, given {axis}")
    return axes


cdef int check_elements(int op, tuple shape, tuple axes) except -1:
    if ALL[op].identity and ALL[op].family == "reduce":
        return 0
    for axis in axes:
        if shape[axis] == 0:
            raise ValueError(f"{ALL[op].name}: no elements along axis {axis} of shape {shape}, and no value for none")
    return 0


cdef tuple with_ones(tuple shape, tuple axes):
    return tuple([1 if i in axes else size for i, size in enumerate(shape)])


cdef object reduce_elsewhere(int op, object x, object axis, object dtype, bint keepdims, bint is_held):
    """A reduction of an array on a device, as `nd4py._exec.reductions.reduce` on the host.

    is_held: whether there are other references to `x`, so that it is written rather than computed twice
    """
    cdef str name = ALL[op].name
    backend = known[type(x)]
    if backend.rules is not None:
        return backend.rules.reduction(op, x, axis, dtype, keepdims)
    given = x if dtype is None else astype_elsewhere(x, dtype, False)
    cdef int number = backend.dtype_number(given), loop
    shape = given.shape
    axes = axes_given(name, axis, len(shape))
    check_elements(op, shape, axes)
    if is_composed_of(op, number):
        y = upcalls.reduce_complex(name, given, axes)
        return y.reshape(with_ones(shape, axes)) if keepdims else y
    cdef bint has_parts = ALL[op].is_product and "floating" in DTYPES[number].kind
    try:
        loop = BYTE if takes_bytes(op, number) else computed_number(op, number)
        source = given if loop == number else converted(backend, given, loop)
        y = backend.reduce(op, source, axes, result_numbers[op][loop], has_parts or (is_held and source is x))
        if has_parts:  # asking whether it is NaN would wait for it
            y = upcalls.product_with_zeros(op, given if given.node is None else given.detach(), axes, y)
        if dtype is not None or (rows[op].result == SAME and loop == BYTE != number):
            y = y if backend.dtype_number(y) == number else backend.convert(y, number)
    except UnsupportedOnDevice:
        if not backend.falls_back(name):
            raise
        y = backend.from_host(upcalls.reduce(op, backend.to_host(given), axis, dtype, False), backend.device_of(x))
    if given.node is not None:
        y = upcalls.record_reduction(op, given, axes, y)
    return y.reshape(with_ones(shape, axes)) if keepdims else y


cdef bint is_composed_of(int op, int number) except -1:
    """Whether a reduction of elements of dtype `number` is made of other rows."""
    return is_composed[op] and ranks[number] == PAIR


cdef object converted(object backend, object x, int number):
    """`x` as another dtype, in the launch that reads it where it can be deferred."""
    y = backend.defer_conversion(x, number)
    return backend.convert(x, number) if y is None else y


cdef bint takes_bytes(int op, int number) except -1:
    """Whether bools are reduced as bytes, for want of a loop of their own."""
    return number == BOOL and DTYPES[BOOL].name not in ALL[op].types and DTYPES[BYTE].name in ALL[op].types


cdef object argreduce_elsewhere(int op, object x, object axis, bint keepdims):
    """Where the best element stands along an axis, or in the whole array."""
    cdef str name = ALL[op].name
    backend = known[type(x)]
    if backend.rules is not None:
        return backend.rules.argreduction(op, x, axis, keepdims)
    shape = x.shape
    axes = axes_given(name, axis, len(shape))
    check_elements(op, shape, axes)
    cdef int number = backend.dtype_number(x), loop
    if is_composed_of(op, number):
        y = upcalls.argreduce_complex(name, x, axes)
        return y.reshape(with_ones(shape, axes)) if keepdims else y
    try:
        loop = BYTE if takes_bytes(op, number) else computed_number(op, number)
        source = x if loop == number else backend.convert(x, loop)
        y = backend.reduce(op, source if axis is not None else source.reshape(-1), axes if axis is not None else (0,),
                           NUMBER["int64"])
    except UnsupportedOnDevice:
        if not backend.falls_back(name):
            raise
        y = backend.from_host(upcalls.argreduce(op, backend.to_host(x), axis), backend.device_of(x))
    return y.reshape(with_ones(shape, axes)) if keepdims else y


# Copies and conversions.


def astype_elsewhere(x, dtype, copy: bool = True) -> Any:
    """`x` with its elements converted; the array itself when nothing changes and `copy` is false."""
    backend = known[type(x)]
    if backend.rules is not None:
        return backend.rules.conversion(x, dtype, copy)
    cdef int target = dtype_of(dtype).number
    cdef int number = backend.dtype_number(x)
    if target == number and not copy:
        return x
    if DTYPES[number].kind == "complex floating" and DTYPES[target].kind not in ("complex floating", "bool"):
        raise TypeError(
            f"astype: {x.dtype} to {DTYPES[target].name} would drop the imaginary parts; take nd4py.real(x) or "
            "nd4py.abs(x)"
        )
    try:
        y = backend.defer_conversion(x, target)
        if y is None:
            y = backend.convert(x, target)
    except UnsupportedOnDevice:
        if not backend.falls_back("astype"):
            raise
        y = backend.from_host(astype(backend.to_host(x), dtype, True), backend.device_of(x))
    return y if x.node is None else upcalls.record_cast(x, y)


def copy_elsewhere(x) -> Any:
    """A C-ordered copy on the same device."""
    return astype_elsewhere(x, x.dtype, True)


def check_writable(target) -> None:
    """Raises ValueError for an array that is read-only."""
    if not target.is_writable:
        raise ValueError("assignment: this array is read-only; write to a copy, x.copy()")


def assign_elsewhere(target, view, value) -> None:
    """Write a scalar, or an array of the same device, into a view of `target`.  Raises as `assigned_elsewhere` does."""
    backend = known[type(target)]
    check_assigned(target, value)
    if is_scalar(value):
        value = element_of(target, value, True)
        backend.prepare_to_write(target)
        mark_written(target)     # before: it may be interrupted
        backend.write(view, value)
        return
    values = without_unit_axes(values_elsewhere("assignment", target, value, True), view.ndim)
    backend.prepare_to_write(target)
    mark_written(target)
    backend.write(view, values.broadcast_to(view.shape))


cdef int check_assigned(object target, object value) except -1:
    check_writable(target)
    if is_any_tracked((target, value)):
        raise ValueError("assignment: gradients do not flow through x[...] = value; use where or concat instead")
    return 0


cdef bytes element_of(object target, object value, bint is_converted):
    """A scalar as the bytes of an element of `target`."""
    cdef int number = known[type(target)].dtype_number(target)
    if is_converted:
        value = as_kind_of(value, number)
    check_scalar(-1, value, number)
    return packed_scalar(value, number)


def assigned_elsewhere(target, value) -> Any:
    """`value` as an array that may be written to `target`, as `nd4py._exec.indexing.assignment.assigned` on the host.

    Raises TypeError as `values_elsewhere` does, ValueError if `target` is read-only or either is being differentiated.
    """
    check_assigned(target, value)
    return values_elsewhere("assignment", target, value, True)


def values_elsewhere(str name, target, value, bint is_converted = False) -> Any:
    """A scalar or array as an array where `target` is, and of its dtype.

    is_converted: as `nd4py._exec.indexing.assignment.values_for` has it
    Raises TypeError for a kind that `target` does not take, ValueError for an array on another device, and as
    `values_for` does for a scalar out of range.
    """
    backend = known[type(target)]
    if backend.rules is not None:
        return backend.rules.values(name, target, value, is_converted)
    cdef int number = backend.dtype_number(target)
    if is_scalar(value):
        y = backend.empty((), number, backend.device_of(target))
        backend.write(y, element_of(target, value, is_converted))
        return y
    if type(value) is list or type(value) is tuple:
        value = backend.from_host(upcalls.asarray(value), backend.device_of(target))
    value = adopt(value)
    common_device(name, (target, value))
    if type(value) not in known:
        raise TypeError(f"{name}: a scalar or an array on {target.device}, given {type_name(value)}")
    check_kind(name, backend.dtype_number(value), number, is_converted)
    return value.astype(target.dtype, copy=False)


def without_unit_axes(x, int ndim) -> Any:
    """`x` without leading axes of size 1 that are more than `ndim`."""
    cdef int extra = 0
    while x.ndim - extra > ndim and x.shape[extra] == 1:
        extra += 1
    return x.reshape(x.shape[extra:]) if extra else x


def filled_beside(x, shape: tuple[int, ...], dtype, value: float) -> Any:
    """An array whose elements all are `value`, where `x` is."""
    if type(x) not in known:
        return filled(shape, dtype, value)
    backend = known[type(x)]
    if backend.rules is not None:
        return backend.rules.filled(x, shape, dtype, value)
    cdef int number = dtype_of(dtype).number
    y = backend.empty(shape, number, backend.device_of(x))
    backend.write(y, packed_scalar(value, number))
    return y


cdef object join_elsewhere(str name, list arrays, object axis, bint is_new_axis):
    """The arrays of one device one after the other along an axis, an old one or a new one, in their common dtype."""
    cdef int number = -1, along
    rules = rules_for(arrays)
    if rules is not None:
        return rules.join(arrays, axis, is_new_axis)
    backend, device = common_device(name, arrays)
    along = normalize_axis(axis, arrays[0].ndim + is_new_axis)
    pieces = [x.reshape((*x.shape[:along], 1, *x.shape[along:])) if is_new_axis and x.ndim >= along else x
              for x in arrays]
    first = pieces[0].shape
    for x in pieces:
        if len(x.shape) != len(first) or x.shape[:along] + x.shape[along + 1:] != first[:along] + first[along + 1:]:
            where = "" if is_new_axis else f" outside axis {along}"
            raise ValueError(f"{name}: shapes {arrays[0].shape} and {x.shape} differ{where}")
        other = backend.dtype_number(x)
        if number >= 0 and promoted[number][other] < 0:
            raise TypeError(f"{name}: {DTYPES[number].name} and {x.dtype} have no common dtype; convert one of them")
        number = other if number < 0 else promoted[number][other]
    total = sum([x.shape[along] for x in pieces])
    y = backend.empty((*first[:along], total, *first[along + 1:]), number, device)
    start = 0
    for x in pieces:
        backend.write(y[(*(slice(None),) * along, slice(start, start + x.shape[along]))], x)
        start += x.shape[along]
    return y


cdef object operator_elsewhere(int op, tuple operands, object out):
    """`call_elsewhere` for operators, which leave operands that are no arrays to the other's type."""
    for item in operands:
        if not is_array(item) and type(item) not in known and not is_scalar(item):
            if type(adopt(item)) is not NDArray:
                return NotImplemented
    return call_elsewhere(op, operands, (), out)
