"""The lazy engine's backend for the host."""

from cpython.object cimport PyObject, PyTypeObject
from nd4py._core.array.array cimport NDArray, take_over
from nd4py._core.array.array_base cimport ArrayBase, owner_of
from nd4py._core.interop.exported cimport Exported, is_fixed
from nd4py._core.lazy.lazy_backend cimport Backend
from nd4py._core.lazy.chain cimport MAX_LEAVES, MAX_OUTPUTS, MAX_PARAMS, MAX_SCALARS, Chain, Home
from nd4py._core.lazy.deferred cimport become_deferred, deferred_type
from nd4py._core.layout.shape cimport ShapeInfo
from nd4py._exec.lazy cimport outputs
from nd4py._exec.lazy.run_chain cimport launch
from nd4py._exec.dispatch.promotion cimport store_operand
from nd4py._mem.pool.pool_system cimport limits
from nd4py._mem.workspace.scopes cimport get_current
from nd4py._mem.workspace.workspace cimport Workspace, would_hold

cdef enum:
    NO_LIMIT = 1 << 20                   # of words: a program holds what a chain does


cdef class HostBackend(Backend):
    """Chains of NDArrays."""

    cdef Home home_on(self, int device) noexcept:
        cdef Home home
        cdef PyObject* workspace = get_current()
        home.device, home.holder, home.generation = device, <size_t>workspace, 0
        if workspace != NULL:
            home.generation = (<Workspace>workspace).generation_id
        return home

    cdef size_t limit_bytes(self, int device) except? 0:
        if limits.maxbytes and limits.maxphysicalbytes:
            return min(limits.maxbytes, limits.maxphysicalbytes)
        return limits.maxbytes or limits.maxphysicalbytes

    cdef bint is_private(self, ArrayBase x) except -1:
        cdef NDArray owner = <NDArray>owner_of(x)
        if owner.n_shares:
            return False
        if owner.block != NULL or owner.attachment != NULL:
            return True
        return type(owner.base) is Exported and is_fixed(<Exported>owner.base)

    cdef bint is_unseen(self, ArrayBase x) noexcept:
        return ((<NDArray>x).block != NULL and x.attachment == NULL and would_hold(NULL) and not x.is_view
                and x.info.is_contiguous and (<NDArray>x).n_views == 0 and x.n_exports == 0 and x.n_shares == 0
                and x.n_readers == 0 and x.node is None and not x.readonly)

    cdef bint are_same(self, ArrayBase x, ArrayBase y) noexcept:
        return (<NDArray>x).data == (<NDArray>y).data

    cdef int store(self, object item, int number, char* element) except -1:
        return store_operand(item, number, element)

    cdef ArrayBase new_deferred(self, int number, ShapeInfo info, int device):
        cdef NDArray array = NDArray.__new__(NDArray)
        array.info = info
        array.number = number
        become_deferred(array)
        return array

    cdef ArrayBase lent_memory(self, ArrayBase x):
        cdef NDArray leaf = with_memory_of(<NDArray>x)
        become_deferred(<NDArray>x)
        return leaf

    cdef object run(self, Chain chain, int first):
        return launch(chain, first)

    cdef object told(self, Chain chain, int output, object error):
        return outputs.told(chain, output, error)


cdef NDArray with_memory_of(NDArray owner):
    """A new array that has the memory of another, which is left without."""
    cdef NDArray array = NDArray.__new__(NDArray)
    array.info, array.number = owner.info, owner.number
    take_over(array, owner)
    return array


cdef Backend new_backend():
    cdef Backend backend = HostBackend.__new__(HostBackend)
    backend.kind, backend.deferred_kind = <PyTypeObject*>NDArray, deferred_type
    backend.room.leaves, backend.room.outputs = MAX_LEAVES, MAX_OUTPUTS
    backend.room.scalars, backend.room.params, backend.room.words = MAX_SCALARS, MAX_PARAMS, NO_LIMIT
    backend.waits_for_home = backend.keeps_order = True
    return backend


cdef Backend host = new_backend()
