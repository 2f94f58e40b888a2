"""Released arrays: the objects of arrays whose memory was freed; every use of them raises an error."""

from cpython.object cimport PyObject
from nd4py._core.array.array cimport NDArray, become, end_as_array, graft, track
from nd4py._core.upcalls cimport device_upcalls
from nd4py._mem.free_threads cimport count
from nd4py._mem.workspace.held_memory cimport is_held
from nd4py._mem.workspace.attached_arrays cimport Lease, set_revoke

from ..._mem.errors import WorkspaceError
from ..._mem.workspace.scopes import describe_current
from ..devices import refuse_device
from ..dtype import ALL_DTYPES


cdef bint revoke_array(PyObject* array) noexcept:
    # No reference is taken: the last one may be gone already, in a thread that waits to take the array off its list.
    (<NDArray>array).attachment = NULL
    become(array, ReleasedArray)
    if (<NDArray>array).block != NULL:
        return False
    return (<NDArray>array).n_exports > 0 or (not (<NDArray>array).is_view and is_held(
        (<NDArray>array).data, (<NDArray>array).data + (<NDArray>array).block_bytes
    ))


cdef int fail_array(PyObject* array, object error) except -1:
    """A deferred array becomes a released one, whose every use raises `error`."""
    cdef NDArray x = <NDArray>array
    become(array, ReleasedArray)
    x.base = error                       # whose frames may refer to the array
    track(array)
    x.chain = None
    x.is_deferred = False
    return 0


def type_name(x) -> str:
    """The name of the type of an operand that is no array, for errors.

    Raises the error of one that was released, UnsupportedOnDevice for one that is on a device.
    """
    if isinstance(x, ReleasedArray):
        raise unusable(x)
    refuse_device(x)
    return type(x).__name__


cdef object unusable(ReleasedArray released):
    """The error that tells why an array has no memory any more, and what to do about it."""
    number, shape, holder = remains(released) if type(released) is ReleasedArray else device_upcalls.remains(released)
    what = f"array of {ALL_DTYPES[number]} and shape {shape}"
    if isinstance(holder, Exception):
        return type(holder)(f"{what}: {holder}")
    if isinstance(holder, Lease):
        return WorkspaceError(
            f"{what}: it was {holder.reason()}; {describe_current()} now.  Take arrays out of a workspace before its "
            "scope ends: detach(), leverage(), leverage_to(id) or migrate()"
        )
    return ValueError(f"{what}: it was closed; make a new one, or close it later")


cdef tuple remains(ReleasedArray released):
    """(the dtype's number, the shape, what held the memory) of what was an array of the host."""
    cdef NDArray x = <NDArray><PyObject*>released        # in layout, no more in type
    return x.number, x.info.shape_tuple, (<NDArray><PyObject*>x.base).base if x.is_view else x.base


cdef class ReleasedArray:
    """What an array becomes when its memory is taken away: the scope of its workspace was left, or it was closed.

    Any use raises: WorkspaceError in the first case, ValueError in the second.  So do values that were deferred and
    cannot be computed any more, with the error that kept them from it.
    """

    __hash__ = None

    def __init__(self):
        raise TypeError("released arrays are not made, arrays become released")

    def __getattribute__(self, name):
        if name == "__class__":
            return ReleasedArray
        if name in ("is_attached", "is_in_scope", "closeable", "close"):
            return object.__getattribute__(self, name)
        raise unusable(self)

    def is_attached(self) -> bool:
        """Whether the memory came from a workspace."""
        return isinstance(unusable(self), WorkspaceError)

    def is_in_scope(self) -> bool:
        """False: the array cannot be used."""
        return False

    @property
    def closeable(self) -> bool:
        """False: there is nothing to close."""
        return False

    def close(self) -> None:
        """Nothing, for an array that was closed.  Raises WorkspaceError for one that lost its workspace."""
        if self.is_attached():
            raise unusable(self)

    def __releasebuffer__(self, Py_buffer* view):
        count(&(<NDArray><PyObject*>self).n_exports, -1)

    def __array_ufunc__(self, ufunc, method, *inputs, **keywords): raise unusable(self)
    def __array_function__(self, function, types, args, keywords): raise unusable(self)
    def __getbuffer__(self, Py_buffer* view, int flags): raise unusable(self)
    def __setattr__(self, name, value): raise unusable(self)
    def __delattr__(self, name): raise unusable(self)
    def __repr__(self): raise unusable(self)
    def __str__(self): raise unusable(self)
    def __format__(self, specification): raise unusable(self)
    def __round__(self, n_digits=None): raise unusable(self)
    def __copy__(self): raise unusable(self)
    def __deepcopy__(self, memo): raise unusable(self)
    def __reduce_ex__(self, protocol): raise unusable(self)
    def __len__(self): raise unusable(self)
    def __iter__(self): raise unusable(self)
    def __contains__(self, value): raise unusable(self)
    def __getitem__(self, key): raise unusable(self)
    def __setitem__(self, key, value): raise unusable(self)
    def __delitem__(self, key): raise unusable(self)
    def __bool__(self): raise unusable(self)
    def __int__(self): raise unusable(self)
    def __float__(self): raise unusable(self)
    def __complex__(self): raise unusable(self)
    def __index__(self): raise unusable(self)
    def __add__(self, other): raise unusable(self)
    def __radd__(self, other): raise unusable(self)
    def __iadd__(self, other): raise unusable(self)
    def __sub__(self, other): raise unusable(self)
    def __rsub__(self, other): raise unusable(self)
    def __isub__(self, other): raise unusable(self)
    def __mul__(self, other): raise unusable(self)
    def __rmul__(self, other): raise unusable(self)
    def __imul__(self, other): raise unusable(self)
    def __truediv__(self, other): raise unusable(self)
    def __rtruediv__(self, other): raise unusable(self)
    def __itruediv__(self, other): raise unusable(self)
    def __floordiv__(self, other): raise unusable(self)
    def __rfloordiv__(self, other): raise unusable(self)
    def __ifloordiv__(self, other): raise unusable(self)
    def __mod__(self, other): raise unusable(self)
    def __rmod__(self, other): raise unusable(self)
    def __imod__(self, other): raise unusable(self)
    def __pow__(self, other, modulo): raise unusable(self)
    def __rpow__(self, other, modulo): raise unusable(self)
    def __ipow__(self, other): raise unusable(self)
    def __and__(self, other): raise unusable(self)
    def __rand__(self, other): raise unusable(self)
    def __iand__(self, other): raise unusable(self)
    def __or__(self, other): raise unusable(self)
    def __ror__(self, other): raise unusable(self)
    def __ior__(self, other): raise unusable(self)
    def __xor__(self, other): raise unusable(self)
    def __rxor__(self, other): raise unusable(self)
    def __ixor__(self, other): raise unusable(self)
    def __lshift__(self, other): raise unusable(self)
    def __rlshift__(self, other): raise unusable(self)
    def __ilshift__(self, other): raise unusable(self)
    def __rshift__(self, other): raise unusable(self)
    def __rrshift__(self, other): raise unusable(self)
    def __irshift__(self, other): raise unusable(self)
    def __matmul__(self, other): raise unusable(self)
    def __rmatmul__(self, other): raise unusable(self)
    def __imatmul__(self, other): raise unusable(self)
    def __eq__(self, other): raise unusable(self)
    def __ne__(self, other): raise unusable(self)
    def __lt__(self, other): raise unusable(self)
    def __le__(self, other): raise unusable(self)
    def __gt__(self, other): raise unusable(self)
    def __ge__(self, other): raise unusable(self)
    def __neg__(self): raise unusable(self)
    def __pos__(self): raise unusable(self)
    def __abs__(self): raise unusable(self)
    def __invert__(self): raise unusable(self)


graft(NDArray, ReleasedArray, end_as_array)
set_revoke(revoke_array)
