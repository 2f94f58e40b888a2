"""Devices as a backend of the lazy engine.  Results belong to streams, and launches run a chain."""

from cpython.object cimport PyTypeObject
from libc.string cimport memcpy
from nd4py._core.array.array_base cimport ArrayBase
from nd4py._core.lazy.lazy_backend cimport Backend
from nd4py._core.lazy.chain cimport DONE, MAX_LEAVES, Chain, Home, clear, lock, unlock
from nd4py._core.element_sizes cimport itemsizes
from nd4py._core.layout.shape cimport ShapeInfo
from nd4py.cuda.allocation cimport ownership
from nd4py.cuda.allocation.allocator cimport cache_of
from nd4py.cuda.array.device_array cimport DeviceArray, array_upcalls
from nd4py.cuda.program.device_assembly cimport Assembly, assemble
from nd4py.cuda.launch.current_stream cimport current_stream

from .chain_runs import run as run_steps

cdef enum:
    MAX_WRITTEN = 6                      # outputs, of the 16 operands of a kernel
    MAX_NUMBERS = 16                     # scalars, and as many params, of its arguments:
    MAX_WORDS = 32                       # these at most


cdef class DeviceBackend(Backend):
    """Chains of DeviceArrays."""

    cdef Home home_on(self, int device) noexcept:
        cdef Home home
        home.device, home.holder, home.generation = device, current_stream(device), 0
        return home

    cdef size_t limit_bytes(self, int device) except? 0:
        return cache_of(device).max_bytes

    cdef bint is_private(self, ArrayBase x) except -1:
        return ownership.is_private(<DeviceArray>x)

    cdef bint are_same(self, ArrayBase x, ArrayBase y) noexcept:
        return (<DeviceArray>x).data_address == (<DeviceArray>y).data_address

    cdef int store(self, object item, int number, char* element) except -1:
        memcpy(element, <char*>item, len(<bytes>item))
        return 0

    cdef ArrayBase new_deferred(self, int number, ShapeInfo info, int device):
        cdef DeviceArray array = DeviceArray.__new__(DeviceArray)
        array.info, array.number, array.device_number = info, number, device
        return array

    cdef object run(self, Chain given, int first):
        cdef Chain chain = given         # a reference until it is done
        error = lock(chain)
        if error is not None:
            return error
        try:
            if chain.state != DONE:
                launch(self, chain)
        except Exception as failure:
            return failure
        finally:
            unlock(chain)
        clear(chain)
        return None


cdef int launch(Backend backend, Chain chain) except -1:
    """Write all outputs that are still referenced.  Raises DeviceOutOfMemory; the chain is then as it was."""
    cdef list arrays = [], values = []
    cdef int i
    for i in range(chain.n_outputs):
        if chain.outputs[i].array != NULL:
            arrays.append(<object>chain.outputs[i].array)
            values.append(chain.outputs[i].value)
    if arrays:
        work = assemble(chain, tuple(values))
        written, n_passes = run_steps(work)
        fulfil_all(chain, arrays, written)
        count(backend, chain, work, len(arrays), n_passes)
    return 0


cdef int fulfil_all(Chain chain, list arrays, list written) except -1:
    """The values are there, in the memory of other arrays, which lose it."""
    cdef DeviceArray array, memory
    for item, made in zip(arrays, written):
        array, memory = <DeviceArray>item, <DeviceArray>made
        chain.outputs[array.output].array = NULL
        array.is_deferred = False
        array.data_address = memory.data_address
        array.chain = None
        if memory.attachment == NULL:
            array.owned = memory.owned
            memory.owned = NULL
        else:                            # an arena knows its attached: the array is a view of what is one
            array.base, array.is_view = memory, True
            array_upcalls.share(array, memory)
    return 0


cdef int count(Backend backend, Chain chain, Assembly work, int n_outputs, int n_passes) except -1:
    """Bytes are counted for steps that read two arrays and write one, of the size of the first result."""
    backend.counts.launched += n_passes
    if n_passes == work.n_links:
        return 0
    backend.counts.combined += work.n_links
    backend.counts.passes_saved += work.n_links - n_passes
    backend.counts.bytes_saved += (
        chain.size * itemsizes[<int>work.output_numbers[0]] * 2 * (work.n_links - n_outputs)
    )
    return 0


cdef Backend new_backend():
    cdef Backend backend = DeviceBackend.__new__(DeviceBackend)
    backend.kind = backend.deferred_kind = <PyTypeObject*>DeviceArray
    backend.room.leaves, backend.room.outputs = MAX_LEAVES, MAX_WRITTEN
    backend.room.scalars, backend.room.params, backend.room.words = MAX_NUMBERS, MAX_NUMBERS, MAX_WORDS
    backend.room.repeats = True
    return backend


cdef Backend devices = new_backend()
