"""Chain: a graph of deferred operations on arrays of one shape.

Design: a chain is made of numbers, not of objects, so that deferring an operation costs little more than its result.
Its values are leaves (arrays in memory), scalars, and results of links.  An operation that the chain already has is not
added again: its value is used.  Deferred arrays own a reference to their chain; the chain's references to them are
borrowed.  So a value whose array is gone is never written to memory, and a chain whose arrays are gone is never run.
Leaves are arrays with memory, so chains never wait for each other and no cycles can form.

Design: without a GIL chains are read and written in sections (`nd4py._mem.free_threads`), which the functions begin
through which everything passes: those that defer, run, flush and forget.  A pause of a section is what a turn of other
threads is with a GIL.  An array, or a chain, whose last reference is gone in another thread waits for the section
before it leaves the chain, or the list; until then it can be found here, and `held_output` and `open_chains` take a
reference only to one that lives.  Rejected: locks of chains, since an operation joins several of them.

A chain knows no kind of memory: its leaves are arrays of one kind, and its backend runs it.
"""

from cpython.object cimport PyObject
from cpython.pythread cimport (
    PyThread_acquire_lock, PyThread_allocate_lock, PyThread_free_lock, PyThread_get_thread_ident,
    PyThread_release_lock, PyThread_type_lock,
)
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.string cimport memcmp, memcpy
from nd4py._core.array.array cimport Type, as_new, destructor
from nd4py._core.array.array_base cimport ArrayBase, owner_of
from nd4py._mem.diagnostics.call_site cimport call_site_of, calling_code
from nd4py._mem.free_threads cimport let_take, take

from ..._spec.dtypes import DTYPES
from ..._spec.ops import ALL

cdef PyObject* first_chain = NULL
cdef int words[32]                       # of 8 bytes, that an element takes by value
for number, dtype in enumerate(DTYPES):
    words[number] = -(-dtype.itemsize // 8)


cdef Chain new_chain(PyObject* backend, const Room* room, Home home, ShapeInfo layout):
    """An empty chain of operations of this thread whose results have a layout, given for elements of one byte."""
    global first_chain
    cdef Chain chain = Chain.__new__(Chain)
    cdef int i
    chain.backend, chain.home, chain.repeats = backend, home, room.repeats
    chain.layout, chain.ndim, chain.size = layout, layout.ndim, layout.size
    for i in range(layout.ndim):
        chain.shape[i] = layout.shape[i]
    chain.thread = PyThread_get_thread_ident()
    chain.lock = <void*>PyThread_allocate_lock()
    if chain.lock == NULL:
        raise MemoryError("no lock could be made for a chain of operations")
    let_take(<PyObject*>chain)
    chain.next = first_chain
    if first_chain != NULL:
        (<Chain>first_chain).previous = <PyObject*>chain
    first_chain = <PyObject*>chain
    return chain


cdef class Chain:
    def __dealloc__(self):
        clear(self)
        if self.lock != NULL:
            PyThread_free_lock(<PyThread_type_lock>self.lock)


cdef void unlist(PyObject* chain) noexcept:
    """Take a chain off the list.  No reference is taken: the last one may be gone."""
    global first_chain
    cdef PyObject* previous = (<Chain>chain).previous
    cdef PyObject* next = (<Chain>chain).next
    if previous != NULL:
        (<Chain>previous).next = next
    elif first_chain == chain:
        first_chain = next
    if next != NULL:
        (<Chain>next).previous = previous
    (<Chain>chain).previous = (<Chain>chain).next = NULL


cdef void clear(Chain chain) noexcept:
    """Let go of the leaves; nothing of the chain is left to be run."""
    cdef int i, n_leaves = chain.n_leaves
    cdef ArrayBase owner
    if chain.state == DONE:
        return
    chain.state = DONE
    unlist(<PyObject*>chain)
    kept_bytes[1 + chain.home.device] -= chain.n_bytes
    chain.n_leaves = 0
    for i in range(chain.n_links):
        if chain.links[i].code != NULL:
            Py_DECREF(<object>chain.links[i].code)
    chain.n_links = 0
    for i in range(n_leaves):
        owner = owner_of(<ArrayBase>chain.leaves[i])
        owner.n_readers -= 1
        Py_DECREF(<ArrayBase>chain.leaves[i])


cdef bint has_layout(Chain chain, ShapeInfo layout) noexcept:
    cdef ShapeInfo own = chain.layout
    if own is layout:
        return True
    return own.ndim == layout.ndim and (
        memcmp(own.shape, layout.shape, own.ndim * sizeof(Py_ssize_t)) == 0
        and memcmp(own.strides, layout.strides, own.ndim * sizeof(Py_ssize_t)) == 0
    )


cdef bint has_room(Chain chain, const Room* room, Chain other, int n_in, int n_out, int n_params) noexcept:
    """Whether one more operation fits, with conversions of all it reads and makes, beside what another chain holds, or
    None."""
    cdef int k = other is not None
    cdef Chain more = other if k else chain          # counted k times: once, or not at all
    return (chain.n_links + k * more.n_links + n_in + 2 * n_out < MAX_LINKS
            and chain.n_values + k * more.n_values + 2 * (n_in + n_out) < MAX_VALUES
            and chain.n_leaves + k * more.n_leaves + n_in <= room.leaves
            and chain.n_scalars + k * more.n_scalars + n_in <= room.scalars
            and chain.n_words + k * more.n_words + 2 * n_in + n_params <= room.words
            and chain.n_params + k * more.n_params + n_params <= room.params
            and n_live(chain) + k * n_live(more) + n_out <= room.outputs)


cdef int new_value(Chain chain, int number, int leaf, int scalar, int link) noexcept:
    cdef Value* value = &chain.values[chain.n_values]
    value.number, value.leaf, value.scalar, value.link, value.is_of_row = number, leaf, scalar, link, False
    chain.n_values += 1
    return chain.n_values - 1


cdef int new_leaf(Chain chain, ArrayBase x) noexcept:
    """The value of an array in memory, which is read when the chain runs."""
    cdef ArrayBase owner = owner_of(x)
    owner.n_readers += 1
    Py_INCREF(x)
    chain.leaves[chain.n_leaves] = <PyObject*>x
    chain.n_bytes += x.info.size * x.info.itemsize
    kept_bytes[1 + chain.home.device] += x.info.size * x.info.itemsize
    chain.n_leaves += 1
    return new_value(chain, x.number, chain.n_leaves - 1, -1, -1)


cdef int scalar_value(Chain chain, const double* element, int number) noexcept:
    """The value of an element of a dtype that comes by value; the rest of the two doubles is zero."""
    cdef int i
    for i in range(chain.n_values):
        if chain.values[i].scalar >= 0 and chain.values[i].number == number:
            if memcmp(chain.scalars[chain.values[i].scalar], element, 2 * sizeof(double)) == 0:
                return i
    memcpy(chain.scalars[chain.n_scalars], element, 2 * sizeof(double))
    chain.n_scalars += 1
    chain.n_words += words[number]
    return new_value(chain, number, -1, chain.n_scalars - 1, -1)


cdef int converted(Chain chain, int value, int number) except -1:
    """A value as another dtype."""
    if chain.values[value].number == number:
        return value
    return linked(chain, CONVERSION, number, number, 1, &value, 1, NULL, 0)


cdef int linked(Chain chain, int op, int loop_number, int result_number, int n_in, const int* operands, int n_out,
                const double* params, int n_params) except -1:
    """The first result of a row over values; of the same row over the same values the one that is there, but for chains
    that repeat."""
    cdef int i, k
    cdef Link* link
    for i in range(0 if chain.repeats else chain.n_links):
        link = &chain.links[i]
        if link.op == op and link.loop_number == loop_number and link.n_in == n_in and link.n_params == n_params:
            for k in range(n_in):
                if link.operands[k] != operands[k]:
                    break
            else:
                if n_params == 0 or memcmp(&chain.params[link.first_param], params, n_params * sizeof(double)) == 0:
                    return link.result
    link = &chain.links[chain.n_links]
    link.op, link.loop_number, link.n_in, link.n_out = op, loop_number, n_in, n_out
    for k in range(n_in):
        link.operands[k] = operands[k]
    link.first_param, link.n_params = chain.n_params, n_params
    for k in range(n_params):
        chain.params[chain.n_params + k] = params[k]
    chain.n_params += n_params
    chain.n_words += n_params
    link.result = chain.n_values
    link.code = calling_code(&link.instruction)
    link.is_reduction = False
    for _ in range(n_out):
        i = new_value(chain, result_number, -1, -1, chain.n_links)
        chain.values[i].is_of_row = is_of_rows(chain, n_in, operands)
    chain.n_links += 1
    return link.result


cdef bint is_of_rows(Chain chain, int n, const int* values) noexcept:
    """Whether an operation on values has one result for each row: they all have, but for scalars, converted or not."""
    cdef bint is_any = False
    cdef int k
    for k in range(n):
        if not is_constant(chain, values[k]):
            if not chain.values[values[k]].is_of_row:
                return False
            is_any = True
    return is_any


cdef bint is_constant(Chain chain, int value) noexcept:
    """Whether a value is a scalar, or one that was converted."""
    cdef int link = chain.values[value].link
    if link >= 0 and chain.links[link].op == CONVERSION:
        return chain.values[chain.links[link].operands[0]].scalar >= 0
    return chain.values[value].scalar >= 0


cdef bint can_reduce(Chain chain, int first, int end) noexcept:
    """Whether a chain may hold a reduction along the axes from `first` to before `end`: it holds none along others."""
    return not chain.has_reductions or (chain.first_reduced == first and chain.end_reduced == end)


cdef int reduced(Chain chain, int op, int number, int result_number, int value, int first, int end) except -1:
    """The value of a reduction of a value, of dtype `number`, along the axes from `first` to before `end`."""
    cdef int n_links = chain.n_links
    cdef int result = linked(chain, op, number, result_number, 1, &value, 1, NULL, 0)
    if chain.n_links > n_links:
        chain.links[n_links].is_reduction = True
        chain.values[result].is_of_row = True
        chain.has_reductions = True
        chain.first_reduced, chain.end_reduced = first, end
    return result


cdef str origin_of(const Link* link):
    """Which line of the user's program called an operation."""
    return name_of(link) + line_of(link)


cdef str name_of(const Link* link):
    """What an operation is called."""
    return "conversion" if link.op == CONVERSION else ALL[link.op].name


cdef str line_of(const Link* link):
    """" in <file>, line <number>" of the program that called an operation."""
    return call_site_of(link.code, link.instruction)


cdef int add_output(Chain chain, PyObject* array, int value) noexcept:
    """Make an array the output of a value."""
    cdef int i = 0
    while i < chain.n_outputs and chain.outputs[i].array != NULL:
        i += 1
    if i == chain.n_outputs:
        chain.n_outputs += 1
    let_take(array)
    chain.outputs[i].array = array
    chain.outputs[i].value = value
    return i


cdef void drop_output(Chain chain, int output) noexcept:
    chain.outputs[output].array = NULL


cdef object held_output(Chain chain, int output):
    """A reference to the array of an output, or None where there is none, or it is going: that needs no value."""
    cdef PyObject* array = chain.outputs[output].array
    if array == NULL:
        return None
    if take(array):
        return as_new(array)
    drop_output(chain, output)
    return None


cdef int n_live(Chain chain) noexcept:
    """How many outputs still have an array."""
    cdef int n = 0, i
    for i in range(chain.n_outputs):
        n += chain.outputs[i].array != NULL
    return n


cdef int leaves_of(Chain chain, PyObject* owner) noexcept:
    """The leaves that lie in the memory of `owner`, a bit for each."""
    cdef int i, leaves = 0
    cdef ArrayBase holder
    for i in range(chain.n_leaves):
        holder = owner_of(<ArrayBase>chain.leaves[i])
        if <PyObject*>holder == owner:
            leaves |= 1 << i
    return leaves


cdef int sources_of(Chain chain, int value) noexcept:
    """The leaves that a value is made of, a bit for each."""
    cdef int sources[MAX_VALUES]
    cdef int i, k
    cdef const Link* link
    for i in range(value + 1):           # operands come before what is made of them
        sources[i] = 0
        if chain.values[i].leaf >= 0:
            sources[i] = 1 << chain.values[i].leaf
        elif chain.values[i].link >= 0:
            link = &chain.links[chain.values[i].link]
            for k in range(link.n_in):
                sources[i] |= sources[link.operands[k]]
    return sources[value]


cdef void mark_needed(Chain chain, bint* is_needed) noexcept:
    """Mark all values that those marked already are made of."""
    cdef int i, k
    cdef const Link* link
    for i in range(chain.n_links - 1, -1, -1):           # operands come before what is made of them
        link = &chain.links[i]
        if is_link_needed(link, is_needed):
            for k in range(link.n_in):
                is_needed[link.operands[k]] = True


cdef object lock(Chain chain):
    """The error of a chain that waits for itself, or None: it is locked then."""
    cdef unsigned long thread = PyThread_get_thread_ident()
    while not PyThread_acquire_lock(<PyThread_type_lock>chain.lock, 0):
        if chain.runner == thread:
            return RuntimeError("a chain of operations was needed while this thread was running it")
        wait_for(chain)
    chain.runner = thread
    if chain.state == OPEN:
        chain.state = RUNNING
    return None


cdef void unlock(Chain chain) noexcept:
    if chain.state == RUNNING:
        chain.state = OPEN
    chain.runner = 0
    PyThread_release_lock(<PyThread_type_lock>chain.lock)


cdef void wait_for(Chain chain) noexcept:
    """Until another thread has run the chain."""
    with nogil:
        PyThread_acquire_lock(<PyThread_type_lock>chain.lock, 1)
        PyThread_release_lock(<PyThread_type_lock>chain.lock)


cdef destructor end_as_made


cdef void end_chain(PyObject* chain) noexcept:
    """The last reference to a chain is gone: it leaves the list before anything else, so that nobody finds it."""
    cdef Section section
    enter(&section)
    unlist(chain)
    end_as_made(chain)


if FREE_THREADS:
    end_as_made = (<Type*>Chain).tp_dealloc
    (<Type*>Chain).tp_dealloc = end_chain
