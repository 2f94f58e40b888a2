"""A chain on a device: operations on arrays of one shape that have been called and not yet been launched.

Design: the chain of the host (`nd4py._exec.chain`) in the words of devices: its leaves lie on one device, and it
belongs to the stream that its operations were called on, whoever launches it.  What differs is what makes sense on a
device: it has no tiles, registers or loops, and a reduction is launched with it at once.
"""

from cpython.object cimport PyObject
from cpython.pythread cimport (
    PyThread_acquire_lock, PyThread_allocate_lock, PyThread_free_lock, PyThread_get_thread_ident,
    PyThread_release_lock, PyThread_type_lock,
)
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.string cimport memcmp, memcpy
from nd4py._core.callers cimport calling_code, place_of_call
from nd4py.cuda.array cimport DeviceArray, owner_of

from .._spec.dtypes import DTYPES
from .._spec.ops import ALL

cdef PyObject* first_chain = NULL
cdef int words[32]                       # of 8 bytes, that an element takes by value
for number, dtype in enumerate(DTYPES):
    words[number] = -(-dtype.itemsize // 8)

cdef enum:
    MAX_WORDS = 32                       # of a kernel, for scalars and params


cdef Chain new_chain(tuple shape, int device, size_t stream):
    """An empty chain of operations of this thread on arrays of a shape."""
    global first_chain
    cdef Chain chain = Chain.__new__(Chain)
    cdef int i
    chain.ndim = len(shape)
    for i in range(chain.ndim):
        chain.shape[i] = shape[i]
    chain.device_number, chain.stream = device, stream
    chain.thread = PyThread_get_thread_ident()
    chain.lock = <void*>PyThread_allocate_lock()
    if chain.lock == NULL:
        raise MemoryError("no lock could be made for a chain of operations")
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


cdef void clear(Chain chain) noexcept:
    """Let go of the leaves; nothing of the chain is left to be launched."""
    global first_chain
    cdef int i, n_leaves = chain.n_leaves
    cdef DeviceArray owner
    if chain.state == DONE:
        return
    chain.state = DONE
    if chain.previous != NULL:
        (<Chain>chain.previous).next = chain.next
    elif first_chain == <PyObject*>chain:
        first_chain = chain.next
    if chain.next != NULL:
        (<Chain>chain.next).previous = chain.previous
    chain.previous = chain.next = NULL
    chain.n_leaves = 0
    for i in range(chain.n_links):
        if chain.links[i].code != NULL:
            Py_DECREF(<object>chain.links[i].code)
    chain.n_links = 0
    for i in range(n_leaves):
        owner = owner_of(<DeviceArray>chain.leaves[i])
        owner.n_readers -= 1
        Py_DECREF(<DeviceArray>chain.leaves[i])


cdef bint has_shape(Chain chain, tuple shape) except -1:
    cdef int i
    if chain.ndim != len(shape):
        return False
    for i in range(chain.ndim):
        if chain.shape[i] != <Py_ssize_t>shape[i]:
            return False
    return True


cdef bint has_room(Chain chain, int n_in, int n_out, int n_params) noexcept:
    """Whether one more operation fits, with conversions of all it reads and makes."""
    return (chain.n_links + n_in + n_out < MAX_LINKS and chain.n_values + 2 * (n_in + n_out) < MAX_VALUES
            and chain.n_leaves + n_in <= MAX_LEAVES and chain.n_scalars + n_in <= MAX_SCALARS
            and chain.n_words + 2 * n_in + n_params <= MAX_WORDS and chain.n_params + n_params <= MAX_PARAMS
            and n_live(chain) + n_out <= MAX_OUTPUTS)


cdef int new_value(Chain chain, int number, int leaf, int scalar, int link) noexcept:
    cdef Value* value = &chain.values[chain.n_values]
    value.number, value.leaf, value.scalar, value.link = number, leaf, scalar, link
    chain.n_values += 1
    return chain.n_values - 1


cdef int leaf_value(Chain chain, DeviceArray x) except -1:
    """The value of an array in memory, which is read when the chain is launched."""
    cdef DeviceArray leaf, owner
    cdef int i
    for i in range(chain.n_values):
        if chain.values[i].leaf >= 0:
            leaf = <DeviceArray>chain.leaves[chain.values[i].leaf]
            if leaf is x or (leaf.place == x.place and leaf.info is x.info and leaf.number == x.number):
                return i
    owner = owner_of(x)
    owner.n_readers += 1
    Py_INCREF(x)
    chain.leaves[chain.n_leaves] = <PyObject*>x
    chain.n_bytes += x.info.size * x.info.itemsize
    chain.n_leaves += 1
    return new_value(chain, x.number, chain.n_leaves - 1, -1, -1)


cdef int scalar_value(Chain chain, bytes element, int number) except -1:
    """The value of an element of a dtype that comes by value."""
    cdef double given[2]
    cdef int i
    given[0] = given[1] = 0
    memcpy(given, <char*>element, len(element))
    for i in range(chain.n_values):
        if chain.values[i].scalar >= 0 and chain.values[i].number == number:
            if memcmp(chain.scalars[chain.values[i].scalar], given, sizeof(given)) == 0:
                return i
    memcpy(chain.scalars[chain.n_scalars], given, sizeof(given))
    chain.n_scalars += 1
    chain.n_words += words[number]
    return new_value(chain, number, -1, chain.n_scalars - 1, -1)


cdef int linked(Chain chain, int op, int number, int result, int n_in, const int* operands, int n_out,
                tuple params) except -1:
    """The first result, of dtype `result`, of a row over values."""
    cdef Link* link = &chain.links[chain.n_links]
    cdef int k
    link.op, link.number, link.n_in, link.n_out = op, number, n_in, n_out
    for k in range(n_in):
        link.operands[k] = operands[k]
    link.first_param, link.n_params = chain.n_params, len(params)
    for k in range(len(params)):
        chain.params[chain.n_params + k] = params[k]
    chain.n_params += len(params)
    chain.n_words += len(params)
    link.result = chain.n_values
    link.code = calling_code(&link.instruction)
    for _ in range(n_out):
        new_value(chain, result, -1, -1, chain.n_links)
    chain.n_links += 1
    return link.result


cdef str origin_of(const Link* link):
    """Which line of the user's program called an operation."""
    name = "conversion" if link.op == CONVERSION else ALL[link.op].name
    return name + place_of_call(link.code, link.instruction)


cdef int add_output(Chain chain, PyObject* array, int value) noexcept:
    """Let an array stand for a value."""
    cdef int i = 0
    while i < chain.n_outputs and chain.outputs[i].array != NULL:
        i += 1
    if i == chain.n_outputs:
        chain.n_outputs += 1
    chain.outputs[i].array = array
    chain.outputs[i].value = value
    return i


cdef int n_live(Chain chain) noexcept:
    """How many values somebody may look at."""
    cdef int n = 0, i
    for i in range(chain.n_outputs):
        n += chain.outputs[i].array != NULL
    return n


cdef bint reads(Chain chain, DeviceArray owner) except -1:
    """Whether a leaf lies in the memory of `owner`."""
    cdef int i
    for i in range(chain.n_leaves):
        if owner_of(<DeviceArray>chain.leaves[i]) is owner:
            return True
    return False


cdef bint can_absorb(Chain chain, Chain other) noexcept:
    """Whether all that another chain holds fits too, and leaves room for one more operation."""
    return (chain.n_links + other.n_links + 8 < MAX_LINKS and chain.n_values + other.n_values + 16 < MAX_VALUES
            and chain.n_leaves + other.n_leaves + 2 <= MAX_LEAVES
            and chain.n_scalars + other.n_scalars + 4 <= MAX_SCALARS
            and chain.n_words + other.n_words + 8 <= MAX_WORDS
            and chain.n_params + other.n_params + 4 <= MAX_PARAMS
            and n_live(chain) + n_live(other) + 1 <= MAX_OUTPUTS)


cdef int absorb(Chain chain, Chain other) except -1:
    """Take over all that another chain of the same shape and stream holds; its arrays wait for this one from now on."""
    cdef int place[MAX_VALUES]
    cdef int operands[MAX_VALUES_OF_LINK]
    cdef int i, k, first
    cdef Value* value
    cdef Link* link
    cdef Link* own
    cdef DeviceArray array
    for i in range(other.n_values):
        value = &other.values[i]
        if value.leaf >= 0:
            place[i] = leaf_value(chain, <DeviceArray>other.leaves[value.leaf])
        elif value.scalar >= 0:
            place[i] = scalar_value(chain, (<char*>other.scalars[value.scalar])[:16], value.number)
        elif other.links[value.link].result == i:
            link = &other.links[value.link]
            for k in range(link.n_in):
                operands[k] = place[link.operands[k]]
            params = tuple([other.params[link.first_param + k] for k in range(link.n_params)])
            own = &chain.links[chain.n_links]
            first = linked(chain, link.op, link.number, value.number, link.n_in, operands, link.n_out, params)
            own.code, link.code = link.code, own.code  # it was called where the other chain says
            own.instruction = link.instruction
            for k in range(link.n_out):
                place[i + k] = first + k
    for i in range(other.n_outputs):
        if other.outputs[i].array != NULL:
            array = <DeviceArray>other.outputs[i].array
            array.output = add_output(chain, other.outputs[i].array, place[other.outputs[i].value])
            other.outputs[i].array = NULL
            array.chain = chain
    return 0


# A chain that is launched is locked: whoever needs it meanwhile, in another thread, waits; nobody adds to it.


cdef int lock(Chain chain) except -1:
    """Raises RuntimeError where the chain waits for itself."""
    cdef unsigned long thread = PyThread_get_thread_ident()
    while not PyThread_acquire_lock(<PyThread_type_lock>chain.lock, 0):
        if chain.runner == thread:
            raise RuntimeError("a chain of operations was looked at while this thread was launching it")
        with nogil:
            PyThread_acquire_lock(<PyThread_type_lock>chain.lock, 1)
            PyThread_release_lock(<PyThread_type_lock>chain.lock)
    chain.runner = thread
    if chain.state == OPEN:
        chain.state = RUNNING
    return 0


cdef void unlock(Chain chain) noexcept:
    if chain.state == RUNNING:
        chain.state = OPEN
    chain.runner = 0
    PyThread_release_lock(<PyThread_type_lock>chain.lock)
