"""Dispatch of calls: the fast path for small arrays of one layout, and the general path for everything else."""

from cpython.object cimport PyObject
from nd4py._core.array.array cimport NDArray, new_array, new_from_info
from nd4py._core.array.array_base cimport mark_written, prepare_write
from nd4py._core.layout.shape cimport MAX_NDIM, ShapeInfo, intern_contiguous
from nd4py._core.lazy.deferred cimport fields, is_array, is_tracked, unrecorded
from nd4py._exec.lazy.host_backend cimport (
    defer, defer_in_place, fewest_bytes, is_any_deferred, is_combining, materialize_all, smallest,
)
from nd4py._exec.device.device_operations cimport (
    call_elsewhere, check_left, device_upcalls, operator_elsewhere, upcalls,
)
from nd4py._exec.dispatch.row_table cimport compute, costs, result_numbers, rows, shortcuts
from nd4py._exec.dispatch.eager cimport is_apart_and_alike, recorded, run_row
from nd4py._exec.dispatch.promotion cimport (
    WHOLE, adopt, broadcast_shape, check_scalar, has_stand_in, is_scalar, is_subclassed, promote_operands, ranks,
    stand_in, store_plain_scalar,
)
from nd4py._mem.workspace.scopes cimport n_captures
from nd4py.cpu.isa.isa cimport MapLoop, loops

from functools import update_wrapper
from types import MethodType

from ..._core.devices import backends
from ..._spec.dtypes import DEFAULT_INT, DTYPES, NUMBER
from ..._spec.ops import ALL
from .row_table import row_number

cdef extern from "element_sizes.gen.h" nogil:
    const Py_ssize_t itemsizes[]

cdef extern from *:
    """
    typedef PyObject* (*nd_vectorcall)(PyObject*, PyObject**, size_t, PyObject*);

    /* Have the objects of a type be called by the C function that they hold: CPython's "vectorcall" protocol. */
    static void nd_use_vectorcall(PyObject* type, Py_ssize_t offset) {
        PyTypeObject* kind = (PyTypeObject*)type;
        kind->tp_vectorcall_offset = offset;
        kind->tp_call = PyVectorcall_Call;
        kind->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
        PyType_Modified(kind);
    }
    #define nd_call(function, args, n, names) PyObject_Vectorcall(function, (PyObject* const*)(args), n, names)
    """
    ctypedef object (*nd_vectorcall)(object, PyObject**, size_t, PyObject*)
    void nd_use_vectorcall(object kind, Py_ssize_t offset)
    object nd_call(object function, PyObject** args, size_t n_flagged, PyObject* names)
    Py_ssize_t PyVectorcall_NARGS(size_t n_flagged) nogil

cdef enum:
    MAX_PARAMS = 12

# Nanoseconds of work for which neither threads nor the GIL are worth a thought; none where everything is deferred.
cdef double SHORT_NS = 4000 if smallest > 0 else -1

cdef int FLOAT64 = NUMBER["float64"]
cdef int MULTIPLY = row_number("multiply"), SQUARE = row_number("square"), POW = row_number("pow")
cdef int BOOL_NUMBER = NUMBER["bool"]
cdef list without_axes = [intern_contiguous(row.itemsize, 0, NULL) for row in DTYPES]
cdef int FIRST_FLOAT = [dtype.kind for dtype in DTYPES].index("real floating")


cdef inline bint is_short(int op, NDArray x) noexcept:
    return x.info.size * costs[op][x.number] <= SHORT_NS and n_captures == 0


cdef object binary(int op, object left, object right):
    """The operators with two operands."""
    cdef NDArray a, b
    cdef MapLoop loop
    cdef char scalar[8]
    cdef int shortcut = shortcut_for(op, left, right)
    if shortcut >= 0:
        return unary(shortcut, left)
    if op == POW and type(right) is int and is_array(left):
        power = whole_power(left, right)
        if power is not None:
            return power
    if type(left) is NDArray:
        a = <NDArray>left
        if a.info.is_contiguous and is_short(op, a) and a.node is None:
            loop = <MapLoop>loops.rows[op][a.number]
            if loop != NULL:
                if type(right) is NDArray:
                    b = <NDArray>right
                    if b.info is a.info and b.number == a.number and b.node is None:
                        return fast(loop, result_numbers[op][a.number], a, b.data, itemsizes[a.number])
                elif compute[a.number] == a.number and store_plain_scalar(right, a.number, scalar):
                    return fast(loop, result_numbers[op][a.number], a, scalar, 0)
    elif type(right) is NDArray:
        b = <NDArray>right
        if b.info.is_contiguous and is_short(op, b) and b.node is None:
            loop = <MapLoop>loops.rows[op][b.number]
            if loop != NULL and compute[b.number] == b.number and store_plain_scalar(left, b.number, scalar):
                return fast_left_scalar(loop, result_numbers[op][b.number], scalar, b)
    return binary_of_any(op, left, right)


cdef object binary_of_any(int op, object left, object right):
    """`binary`, after what there is a shorter way for."""
    if not (is_operand(left) and is_operand(right)):
        quick = device_upcalls.binary(op, left, right)
        if quick is not None:
            return quick
        if is_subclassed(left) or is_subclassed(right) or (op == MULTIPLY and is_repetition(left, right)):
            return NotImplemented
        left, right = as_operand(left), as_operand(right)
        if not (is_operand(left) and is_operand(right)):
            return operator_elsewhere(op, (left, right), None)
    return call_row(op, (left, right), NULL, None)


cdef bint is_repetition(object left, object right) except -1:
    """Whether a list or a tuple is repeated, as Python does: one whole number times, as with NumPy's scalars."""
    if not (isinstance(left, (list, tuple)) and is_array(right)):
        return False
    return fields(right).info.ndim == 0 and ranks[fields(right).number] == WHOLE


cdef inline int shortcut_for(int op, object left, object right) except -2:
    """The row that stands in for `op` with this scalar as the second operand, wherever the result goes; -1 = none."""
    if rows[op].has_shortcuts and (type(right) is int or type(right) is float):
        shortcut = shortcuts[op].get(right)
        if shortcut is not None and has_loop(shortcut, left, type(right) is int):
            return shortcut
    return -1


cdef object whole_power(object x, object exponent):
    """Bools, and third powers of whole numbers, in less time than in the row; None of others."""
    cdef int number = fields(x).number
    if number == BOOL_NUMBER and exponent > 0:
        return x.astype(DEFAULT_INT)
    if exponent == 3 and number != BOOL_NUMBER and number < FIRST_FLOAT:
        return binary(MULTIPLY, unary(SQUARE, x), x)
    return None


cdef bint has_loop(int op, object item, bint is_whole) noexcept:
    """Whether an operand is an array of numbers that the row takes: of integers, if the scalar beside it is whole too,
    for a float 2 makes floats of them."""
    if not is_array(item):
        return False
    cdef int number = (<NDArray><PyObject*>item).number
    return (is_whole or number >= FIRST_FLOAT) and loops.rows[op][compute[number]] != NULL


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
    if a.info.ndim == 0:
        return new_from_info(result, <ShapeInfo>without_axes[result])
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
            loop = <MapLoop>loops.rows[op][a.number]
            if loop != NULL:
                y = result_like(result_numbers[op][a.number], a)
                p[0], p[1] = a.data, y.data
                s[0], s[1] = itemsizes[a.number], itemsizes[y.number]
                loop(p, s, a.info.size, NULL)
                return y
    elif type(x) is float and not n_captures:
        a = new_array(FLOAT64, 0, NULL)  # which has the short way
        (<double*>a.data)[0] = x
        return unary(op, a)
    elif not is_operand(x):
        quick = device_upcalls.unary(op, x)
        return call_elsewhere(op, (x,), (), None) if quick is None else quick
    return call_row(op, (x,), NULL, None)


cdef object inplace(int op, object left, object right):
    """The operators that write over their left operand."""
    cdef NDArray a = <NDArray>left
    cdef MapLoop loop
    cdef char scalar[8]
    cdef int shortcut = shortcut_for(op, left, right)
    if shortcut >= 0:
        return call_row(shortcut, (left,), NULL, left)
    if type(left) is NDArray and a.info.is_contiguous and is_short(op, a) and not a.readonly and a.node is None:
        loop = <MapLoop>loops.rows[op][a.number]
        if loop != NULL and is_apart_and_alike(a, right):
            prepare_write(a)             # costly operations on small arrays are deferred
            run_small(loop, a, (<NDArray>right).data, itemsizes[a.number], a)
            mark_written(a)
            return left
        if loop != NULL and compute[a.number] == a.number and store_plain_scalar(right, a.number, scalar):
            prepare_write(a)
            run_small(loop, a, scalar, 0, a)
            mark_written(a)
            return left
    if not is_array(left):
        quick = device_upcalls.inplace(op, left, right)
        return operator_elsewhere(op, (left, right), left) if quick is None else quick
    right = as_operand(right)
    if not is_operand(right):
        check_left(op, left, right)
        return NotImplemented
    return call_row(op, (left, right), NULL, left)


cdef bint is_operand(object item) noexcept:
    return is_array(item) or is_scalar(item)


cdef inline object as_operand(object item):
    """An array, deferred or not, as it is; anything else as `adopt` takes it."""
    return item if is_array(item) else adopt(item)


cdef inline bint is_worth_waiting(int op, int number, Py_ssize_t size) noexcept:
    """Whether a row over `size` elements takes so long, and writes so much, that it may begin a chain."""
    cdef int loop_number = number if loops.rows[op][number] != NULL else compute[number]
    if size < smallest or size * itemsizes[loop_number] < fewest_bytes:
        return False
    return size * costs[op][loop_number] > SHORT_NS


cdef object call_row(int op, tuple operands, const double* params, object out):
    """Run a map row: promote, broadcast, defer or run.  Returns the result, or a tuple when the row has more than one.

    Raises TypeError for operands or dtypes the row does not take, ValueError for shapes that do not broadcast.
    """
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t size = 1
    cdef int i, number
    if has_stand_in[op]:
        left, right = operands[0], operands[len(operands) - 1]
        other = stand_in(op, left, right, number_of(left), number_of(right))
        if other is not None:
            return call_row(other[0], other[1], NULL, out)
    number = promote_operands(op, operands)
    cdef int ndim = broadcast_shape(op, operands, shape)
    for i in range(ndim):
        size *= shape[i]
    if (is_worth_waiting(op, number, size) or is_any_deferred(operands)) and is_combining():
        result = None
        if out is None:
            untracked = constants(operands)
            result = defer(op, untracked, params, rows[op].n_params, number, ndim, shape)
            if result is not None and untracked is not operands:
                return recorded(op, operands, params, list(result) if rows[op].n_out > 1 else [result])
        elif out is operands[0] and rows[op].n_params == 0:
            result = defer_in_place(op, operands, out, number, ndim, shape)
        if result is not None:
            return result
    materialize_all(operands)
    return run_row(op, operands, params, out, number, ndim, shape)


cdef inline int number_of(object item) noexcept:
    """The dtype of an array, deferred or not; -1 for anything else."""
    return fields(item).number if is_array(item) else -1


cdef tuple constants(tuple operands):
    """Operands without their records on the tape."""
    for item in operands:
        if is_tracked(item):
            return tuple([unrecorded(item) if is_array(item) else item for item in operands])
    return operands


def call_unary(int op, x, out: Result | None, /) -> Result:
    """`call` of a row with one operand and no parameters."""
    if out is None:
        if is_operand(x):
            return unary(op, x)
        quick = device_upcalls.unary(op, x)
        if quick is not None:
            return quick
        if not is_subclassed(x):
            return unary(op, adopt(x))
    return call_any(op, (x,), (), out)


def call_binary(int op, left, right, out: Result | None, /) -> Result:
    """`call` of a row with two operands and no parameters."""
    if out is None and rows[op].condition < 0:
        if is_operand(left) and is_operand(right):
            return binary(op, left, right)
        quick = device_upcalls.binary(op, left, right)
        if quick is not None:
            return quick
    return call_any(op, (left, right), (), out)


def call(int op, tuple operands, tuple params, out: Result | None) -> Result:
    """Run map row `op` on arrays and scalars with its scalar parameters; `out` may name the arrays to write.

    Raises TypeError for a parameter that is no number.
    """
    cdef bint is_simple = len(params) == 0 and rows[op].n_out == 1
    if is_simple and len(operands) == 1:
        return call_unary(op, operands[0], out)
    if is_simple and len(operands) == 2:
        return call_binary(op, operands[0], operands[1], out)
    return call_any(op, operands, params, out)


cdef tuple results_in(object out):
    """The arrays that `out` names, one or several."""
    return tuple(out) if isinstance(out, (tuple, list)) else (out,)


cdef bint is_any_subclassed(tuple operands) noexcept:
    """Whether one of the operands is of a class that a program derived from ours."""
    for item in operands:
        if not is_operand(item) and is_subclassed(item):
            return True
    return False


cdef object call_any(int op, tuple operands, tuple params, object out):
    """`call`, after what there is a shorter way for."""
    cdef double values[MAX_PARAMS]
    cdef int k
    if is_any_subclassed(operands) or (out is not None and not is_array(out) and is_any_subclassed(results_in(out))):
        return upcalls.row_of_subclass(op, operands, params, out)
    operands = tuple([item if is_operand(item) else adopt(item) for item in operands])
    for k in range(len(params)):
        if not is_scalar(params[k]) or isinstance(params[k], complex):
            raise TypeError(f"{ALL[op].name}: {ALL[op].params[k][0]} must be a number, given {params[k]!r}")
        if type(params[k]) is not float:
            check_scalar(op, params[k], FLOAT64)
        values[k] = params[k]
    for item in operands:
        if not is_operand(item):
            return call_elsewhere(op, operands, params, out)
    cdef int shortcut = shortcut_for(op, operands[0], operands[1]) if len(operands) == 2 else -1
    if shortcut >= 0:
        return call_row(shortcut, operands[:1], NULL, out)
    return call_row(op, operands, values, out)


cdef class UniversalFunction:
    """A function of a row without parameters, which is called without a frame of Python's where no keyword is given.

    Design: a plain function in Python costs a third of a call on ten elements, and more with every argument that has a
    default.  Here calls with nothing but operands that rows take, and with `out`, go to the row; all others to the
    function that is wrapped, which has the signature and says what is wrong.

    function: what runs all other calls, and lends its name and docstring.    row: the number of its row.
    Raises nothing.
    """

    cdef nd_vectorcall vectorcall
    cdef int row, n_in
    cdef object function
    cdef dict __dict__
    cdef object __weakref__

    def __init__(self, function, int row):
        self.function, self.row, self.n_in = function, row, rows[row].n_in
        self.vectorcall = call_universal
        nd_use_vectorcall(UniversalFunction, <char*>&self.vectorcall - <char*><PyObject*>self)
        update_wrapper(self, function)

    def __get__(self, instance, owner) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<function {self.__name__}>"

    def __reduce__(self) -> str:
        return self.__name__             # pickles and copies are the function of the module


cdef object call_universal(object function, PyObject** args, size_t n_flagged, PyObject* names):
    """A call of a UniversalFunction: its operands, perhaps `out`, or anything else."""
    cdef UniversalFunction self = <UniversalFunction>function
    cdef int n_positional = <int>PyVectorcall_NARGS(n_flagged)
    cdef int n_given = n_positional + (0 if names == NULL else <int>len(<tuple>names))
    if n_positional >= self.n_in and rows[self.row].condition < 0:
        left = <object>args[0]
        right = <object>args[self.n_in - 1]
        if n_given == self.n_in and n_positional == n_given:
            found = row_of_operands(self, left, right)
            if found is not None:
                return found
        elif n_given == self.n_in + 1 and (n_positional == n_given or (<tuple>names)[0] == "out"):
            out = <object>args[self.n_in]
            if is_array(out) and is_operand(left) and is_operand(right):
                if self.n_in == 2 and is_written_at_once(self.row, left, right, out):
                    return out
                return call_any(self.row, (left, right) if self.n_in == 2 else (left,), (), out)
    return nd_call(self.function, args, n_flagged, names)


cdef bint is_written_at_once(int op, object left, object right, object out) except -1:
    """Whether two small arrays of one layout had their result written in another one, as `inplace` does."""
    cdef NDArray a, y
    cdef MapLoop loop
    if type(left) is not NDArray or type(out) is not NDArray:
        return False
    a, y = <NDArray>left, <NDArray>out
    if not a.info.is_contiguous or not is_short(op, a) or y.readonly or y.node is not None or a.node is not None:
        return False
    loop = <MapLoop>loops.rows[op][a.number]
    if loop == NULL or result_numbers[op][a.number] != a.number:
        return False
    if not (is_apart_and_alike(y, left) and is_apart_and_alike(y, right)):
        return False
    prepare_write(y)
    run_small(loop, a, (<NDArray>right).data, itemsizes[a.number], y)
    mark_written(y)
    return True


cdef inline object row_of_operands(UniversalFunction self, object left, object right):
    """The result of the row; None for what the backend of a device does not take at once."""
    if self.n_in == 1:
        if is_operand(left):
            return unary(self.row, left)
        return device_upcalls.unary(self.row, left) if backends else call_any(self.row, (left,), (), None)
    if is_operand(left) and is_operand(right):
        return binary(self.row, left, right)
    return device_upcalls.binary(self.row, left, right) if backends else call_any(self.row, (left, right), (), None)
