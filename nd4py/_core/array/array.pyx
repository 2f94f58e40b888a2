"""NDArray: an array in host memory.

It has the memory and the layout of the elements; loops and operations are elsewhere.

Design: the element of an array without dimensions lies in the object itself, outside of workspaces: a request to the
pool and its return were a fifth of the instructions of `x[i]` and of `z == w`.  It moves when another array takes it
over.

Objects that ended are kept for the next ones.  Cython does so only for classes that have no base class, and ends
objects of the others in two steps.

An array that lost its memory, or has none yet, changes its type: it is no NDArray, so that no operation on arrays need
ever ask.
"""

from cython cimport final, no_gc_clear
from cpython.exc cimport PyErr_Fetch, PyErr_Occurred, PyErr_Restore
from cpython.object cimport PyObject
from cpython.buffer cimport (
    PyBUF_C_CONTIGUOUS, PyBUF_F_CONTIGUOUS, PyBUF_FORMAT, PyBUF_ND, PyBUF_STRIDES, PyBUF_WRITABLE,
)
from libc.string cimport memcpy
from nd4py._core.array.array_base cimport ArrayBase, end_share, owner_of, share
from nd4py._core.element_sizes cimport copy_element
from nd4py._core.layout.shape cimport ShapeInfo, intern_contiguous
from nd4py._core.upcalls cimport MemoryUpcalls, upcalls
from nd4py._mem.free_threads cimport FREE_THREADS, Section, add, count, enter
from nd4py._mem.diagnostics.call_site cimport forget_array, note_array
from nd4py._mem.pool.pool_guard cimport is_debugging
from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py._mem.workspace.scopes cimport n_captures, n_open
from nd4py._mem.workspace.attached_arrays cimport end_attachment, start_attachment, new_attachment
from nd4py._mem.workspace.workspace cimport Workspace, give_back, workspace_for_array

import sys
from types import GenericAlias

from ..._mem.diagnostics.memory_wants import out_of_memory
from ..dtype import ALL_DTYPES, DTYPES

cdef extern from "element_sizes.gen.h" nogil:
    const Py_ssize_t itemsizes[]

cdef tuple dtypes = ALL_DTYPES
cdef str NATIVE = "<" if sys.byteorder == "little" else ">"
cdef list formats = [row.buffer.encode() for row in DTYPES]

cdef extern from "Python.h":
    const unsigned long Py_TPFLAGS_HAVE_GC
    Py_ssize_t PyTuple_GET_SIZE(PyObject* arguments)
    PyObject* PyObject_Call(PyObject* function, PyObject* arguments, PyObject* keywords) noexcept
    void PyObject_INIT(PyObject* array, Type* type)
    void PyObject_GC_Track(PyObject* array)
    void PyObject_GC_UnTrack(PyObject* array)
    bint PyObject_GC_IsTracked(PyObject* array)
    void PyObject_ClearWeakRefs(PyObject* array)
    void Py_INCREF(object item)
    void Py_DECREF(object item)
    void Py_SET_REFCNT(PyObject* array, Py_ssize_t n)
    Type* Py_TYPE(PyObject* array)


# Objects.


cdef int keep_objects(Objects* objects, type array, ArrayBase blank, void (*release)(PyObject*) noexcept,
                      newfunc make, destructor end) except -1:
    """Keep the objects of a class that ended.  `make` and `end` are its slots, which name `objects`."""
    cdef Type* kind = <Type*>array
    Py_INCREF(blank)                     # for good
    objects.type, objects.blank, objects.release, objects.first_new = kind, <PyObject*>blank, release, kind.tp_new
    kind.tp_new, kind.tp_dealloc = make, end
    return 0


cdef PyObject* fresh_object(Objects* objects) noexcept:
    """A new reference to an array as `blank` is, or NULL and MemoryError."""
    cdef PyObject* item = untracked_object(objects)
    if not FREE_THREADS and item != NULL:
        PyObject_GC_Track(item)
    return item


cdef PyObject* untracked_object(Objects* objects) noexcept:
    """The same, for an array that refers to nothing that may refer back: the garbage collector does not look at it."""
    cdef PyObject* item
    if FREE_THREADS or objects.n_kept == 0:
        item = objects.first_new(objects.type, <PyObject*>no_arguments, NULL)
        if not FREE_THREADS and item != NULL:
            PyObject_GC_UnTrack(item)
        return item
    objects.n_kept -= 1
    item = objects.kept[objects.n_kept]
    memcpy(<char*>item + sizeof(PyObject), <char*>objects.blank + sizeof(PyObject),
           objects.type.tp_basicsize - sizeof(PyObject))
    PyObject_INIT(item, objects.type)
    return item


cdef void track(PyObject* array) noexcept:
    """The garbage collector looks at an array that was none of its business: now it refers to something of Python."""
    if not PyObject_GC_IsTracked(array):
        PyObject_GC_Track(array)


cdef void end_object(Objects* objects, PyObject* item) noexcept:
    """The last reference to an array is gone."""
    cdef PyObject* kind = NULL
    cdef PyObject* error = NULL
    cdef PyObject* trace = NULL
    cdef bint is_failing = PyErr_Occurred() != NULL
    PyObject_GC_UnTrack(item)
    if has_weak_references(item):
        PyObject_ClearWeakRefs(item)
    if is_failing:
        PyErr_Fetch(&kind, &error, &trace)
    Py_SET_REFCNT(item, 1)               # while it is looked at for the last time
    objects.release(item)
    clear_fields(<ArrayBase>item)
    Py_SET_REFCNT(item, 0)
    if is_failing:
        PyErr_Restore(kind, error, trace)
    if not FREE_THREADS and objects.n_kept < MOST_KEPT and Py_TYPE(item) == objects.type:
        objects.kept[objects.n_kept] = item
        objects.n_kept += 1
        return
    for _ in range(4):
        Py_DECREF(None)                  # the four fields
    Py_TYPE(item).tp_free(item)


cdef bint has_weak_references(PyObject* array) noexcept:
    return (<PyObject**>(<char*>array + (<Type*>ArrayBase).tp_weaklistoffset))[0] != NULL


cdef void clear_fields(ArrayBase array) noexcept:
    """Let go of what an array holds; it is as `blank` then."""
    array.info = None
    if array.base is not None:           # None is counted too, and the counts of one object wait for each other
        array.base = None
    if array.chain is not None:
        array.chain = None
    if array.node is not None:
        array.node = None


cdef void graft(type array, type changed, destructor end) noexcept:
    """Let objects of `changed` be objects of `array` that changed their type: they have its layout, and `end`."""
    cdef Type* kind = <Type*>array
    cdef Type* other = <Type*>changed
    other.tp_basicsize, other.tp_weaklistoffset = kind.tp_basicsize, kind.tp_weaklistoffset
    other.tp_flags |= Py_TPFLAGS_HAVE_GC
    other.tp_traverse, other.tp_clear, other.tp_free = kind.tp_traverse, kind.tp_clear, kind.tp_free
    other.tp_new, other.tp_dealloc = kind.tp_new, end
    other.tp_vectorcall = NULL           # which would go past `tp_new`


cdef tuple no_arguments = ()
cdef Objects objects


cdef PyObject* make(Type* wanted, PyObject* arguments, PyObject* keywords) noexcept:
    """What the class gives when it is called: without arguments a blank, with them what NumPy's constructor gives."""
    if wanted == objects.type and (keywords != NULL or arguments != NULL and PyTuple_GET_SIZE(arguments)):
        return PyObject_Call(<PyObject*>upcalls.construct, arguments, keywords)
    return fresh_object(&objects) if wanted == objects.type else objects.first_new(wanted, arguments, keywords)


cdef void end(PyObject* array) noexcept:
    end_object(&objects, array)


cdef void end_as_array(PyObject* array) noexcept:
    """End an object that changed its type, as what it once was."""
    become(array, NDArray)
    end(array)


# Arrays and their memory.


cdef NDArray new_array(int number, int ndim, const Py_ssize_t* shape):
    """An uninitialised C-ordered array.  Raises MemoryError."""
    return new_from_info(number, intern_contiguous(itemsizes[number], ndim, shape))


cdef NDArray new_from_info(int number, ShapeInfo info):
    """An uninitialised array of a contiguous ShapeInfo.  Raises MemoryError."""
    cdef Workspace workspace
    if n_open:
        workspace = workspace_for_array()
        if workspace is not None:
            return new_attached(workspace, number, info)
    cdef NDArray array = <NDArray>as_new(untracked_object(&objects))
    array.info = info
    array.number = number
    if info.ndim == 0 and not is_debugging:
        array.data = <char*>array.cell
        array.block = array.cell
        array.block_bytes = info.itemsize
    else:
        take_block(array)
    return array


cdef inline int take_block(NDArray array) except -1:
    """Get memory from the pool for an array that has none."""
    cdef size_t n_bytes = array.info.size * array.info.itemsize
    cdef void* block = pool_allocate(n_bytes)
    if block == NULL:
        raise out_of_memory(n_bytes, f"an array of shape {array.info.shape_tuple}")
    note_array(block, n_bytes)
    array.data = <char*>block
    array.block = block
    array.block_bytes = n_bytes
    return 0


cdef void give_block(NDArray array) noexcept:
    """Give back the block that an array owns."""
    if array.block != <void*>array.cell:
        forget_array(array.block)
        pool_release(array.block, array.block_bytes)
    array.block = NULL


cdef void take_over(NDArray array, NDArray other) noexcept:
    """Let `array` have the memory of another one, which is left without; the other's views would not follow."""
    array.data, array.block, array.block_bytes = other.data, other.block, other.block_bytes
    if other.block == <void*>other.cell:
        memcpy(array.cell, other.cell, sizeof(other.cell))
        array.data = <char*>array.cell
        array.block = array.cell
    other.data = NULL
    other.block = NULL


cdef int take_memory(NDArray array) except -1:
    """Get memory for an array that has none: where a new array of this thread would have it."""
    cdef Workspace workspace = workspace_for_array() if n_open else None
    return take_block(array) if workspace is None else attach(array, workspace)


cdef NDArray new_attached(Workspace workspace, int number, ShapeInfo info):
    """As `new_from_info`, in a workspace.  Raises WorkspaceError when it is full and must not spill."""
    cdef NDArray array = <NDArray>as_new(fresh_object(&objects))
    array.info = info
    array.number = number
    attach(array, workspace)
    return array


cdef int attach(NDArray array, Workspace workspace) except -1:
    """Get memory in a workspace for an array that has none."""
    cdef Section section
    enter(&section)
    cdef size_t n_bytes = array.info.size * array.info.itemsize
    array.attachment = new_attachment(<PyObject*>array)
    array.data = workspace.allocate(n_bytes, array.attachment, &array.block)
    if array.block != NULL:
        note_array(array.block, n_bytes)
    array.block_bytes = n_bytes
    array.base = workspace.lease
    start_attachment(array.attachment, &workspace.attached, <PyObject*>workspace, workspace.generation_id)
    return 0


cdef NDArray new_view(NDArray source, char* data, ShapeInfo info):
    """An array over memory that `source` keeps alive."""
    cdef NDArray array = <NDArray>as_new(fresh_object(&objects))
    array.data = data
    array.info = info
    array.number = source.number
    array.readonly = source.readonly
    lean_on(array, source)
    return array


cdef int lean_on(NDArray view, NDArray source) except -1:
    """Let `view` keep the memory of `source` alive, and lose it when `source` does."""
    cdef NDArray owner = <NDArray>owner_of(source)
    view.base = owner
    view.is_view = True
    add(&owner.n_views, 1)
    return attach_view(view, source) if source.attachment != NULL else 0


cdef int attach_view(NDArray view, NDArray source) except -1:
    """Let `view` lose its memory when `source` does, unless that has lost it already."""
    cdef Section section
    enter(&section)
    if source.attachment != NULL:
        view.attachment = new_attachment(<PyObject*>view)
        start_attachment(view.attachment, source.attachment, source.attachment.workspace, source.attachment.generation)
    return 0


def freeze(NDArray x) -> NDArray:
    """`x`, which is read-only from now on."""
    x.readonly = True
    return x


cdef void release(PyObject* array) noexcept:
    """Give back the memory of an array that ends."""
    if (<NDArray>array).attachment != NULL:
        detach(array)
    if (<NDArray>array).block != NULL:
        give_block(<NDArray>array)
    elif (<NDArray>array).is_view:
        add(&(<NDArray><PyObject*>(<NDArray>array).base).n_views, -1)    # in layout; it may have been released


cdef void detach(PyObject* array) noexcept:
    """Take an array that ends off the list of its workspace, unless it has lost its memory meanwhile."""
    cdef Section section
    enter(&section)
    cdef Attachment* attachment = (<NDArray>array).attachment
    if attachment == NULL:
        return
    if attachment.size:
        give_back(attachment)
    end_attachment(attachment)


@final                                   # what a subclass made by `__new__` would have no memory
@no_gc_clear
cdef class NDArray(ArrayBase):
    """An n-dimensional array of one dtype.

    Made by the functions of the namespace, such as `nd4py.asarray`, `nd4py.zeros` and `nd4py.arange`.  Called with a
    shape, as NumPy's class may be, it is an uninitialised array, or one over the memory of `buffer`.

    shape: sizes; dtype: of the elements; buffer: an object whose memory it lies in, from byte `offset` on, with
    `strides`, in bytes, or in an order, "C" or "F".
    Raises TypeError without a shape, ValueError for a buffer that is too small, or strides that lead out of it.
    """

    def __init__(
        self, shape: Sizes | None = None, dtype: DTypeLike = float, buffer: Any = None, offset: int = 0,
        strides: Sequence[int] | None = None, order: str | None = None,
    ):
        if shape is None:                # `make` has done the work where there is one
            raise TypeError("make arrays with nd4py.asarray, nd4py.zeros and their like, or give a shape")

    @classmethod
    def __class_getitem__(cls, item: Any) -> Any:
        """The class in annotations, `nd.ndarray[tuple[int, int], nd.dtype[nd.float64]]`; it means no more than that."""
        return GenericAlias(cls, item)

    cdef int materialize(self) except -1:
        return 0                         # deferred arrays are of another type (`deferred`)

    cdef ArrayBase view(self, Py_ssize_t offset, ShapeInfo info):
        return new_view(self, self.data + offset, info)

    cdef ArrayBase element(self, Py_ssize_t offset, ShapeInfo info):
        if n_captures:                   # a copy that is recorded
            return upcalls.copy(self.view(offset, info))
        cdef NDArray y = new_from_info(self.number, info)
        copy_element(self.data + offset, y.data, info.itemsize)
        return y

    cdef bint store(self, Py_ssize_t offset, object value) except -1:
        cdef ArrayBase owner = owner_of(self)
        if self.readonly or self.node is not None or owner.n_readers or n_captures:
            return False
        if not upcalls.store_directly(value, self.number, self.data + offset):
            return False
        add(&owner.version, 1)
        return True

    cdef ArrayBase on_host(self):
        if n_captures:
            upcalls.note_look(<PyObject*>self)
        return self if type(self) is NDArray else (<object>self).block()     # truth is asked of deferred arrays too

    cdef MemoryUpcalls own_upcalls(self):
        return upcalls

    @property
    def device(self) -> str:
        """Where the elements lie."""
        return "cpu"

    @property
    def address(self) -> int:
        """The memory address of the first element."""
        share(self)
        return <size_t>self.data

    def __reduce_ex__(self, protocol): return upcalls.reduce_ex(self, protocol)
    def __imatmul__(self, other): return upcalls.inplace_matmul(self, other)

    # Interchange.

    def __array_ufunc__(self, ufunc, method: str, *inputs, **keywords) -> Any:
        """NEP 13: NumPy's universal functions give our arrays."""
        return upcalls.array_ufunc(ufunc, method, inputs, keywords)

    def __array_function__(self, function, types, args, keywords) -> Any:
        """NEP 18: NumPy's functions give our arrays."""
        return upcalls.array_function(function, types, args, keywords)

    @property
    def __array_interface__(self) -> dict[str, Any]:
        """NumPy's description of this memory.  Raises AttributeError for bfloat16, which it has no name for."""
        share(self)
        count(&self.n_exports, self.attachment != NULL)      # a reader of the address never says that it is done
        cdef str letter = dtypes[self.number].kind
        if not formats[self.number]:
            raise AttributeError(f"__array_interface__ has no {self.dtype}")
        return {
            "version": 3,
            "shape": self.shape,
            "typestr": f"{'|' if self.info.itemsize == 1 else NATIVE}{letter}{self.info.itemsize}",
            "data": (<size_t>self.data, self.readonly),
            "strides": None if self.info.is_contiguous else self.strides,
        }

    def __array__(self, dtype=None, copy: bool | None = None) -> numpy.ndarray[Any, Any]:
        """This array as a NumPy array, without a copy unless `dtype` or `copy` asks for one."""
        return upcalls.to_numpy(self, dtype, copy)

    def __dlpack__(
        self, *, stream: int | None = None, max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None, copy: bool | None = None
    ) -> Any:
        """A DLPack capsule over this array's memory.  Raises BufferError for a stream, device or layout it cannot."""
        return upcalls.to_dlpack(self, stream, max_version, dl_device, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        """(1, 0): DLPack's name for host memory."""
        return (1, 0)

    def __getbuffer__(self, Py_buffer* view, int flags):
        cdef ShapeInfo info = self.info
        cdef bytes format = formats[self.number]
        if not format:
            raise BufferError(f"the buffer protocol has no {self.dtype}; convert first, x.astype('float32')")
        if flags & PyBUF_WRITABLE and self.readonly:
            raise BufferError("this array is read-only")
        if not info.is_contiguous and (flags & PyBUF_STRIDES) != PyBUF_STRIDES:
            raise BufferError("this array has gaps between its elements; ask for a strided buffer, or copy it first")
        if (flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS and not info.is_contiguous:
            raise BufferError("this array is not C-contiguous; copy it first")
        if (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS and info.ndim > 1:
            raise BufferError("this array is not Fortran-contiguous; copy its transpose")
        share(self)
        view.buf = self.data
        view.obj = self
        view.len = info.size * info.itemsize
        view.itemsize = info.itemsize
        view.readonly = self.readonly
        view.ndim = info.ndim
        view.format = <char*>format if flags & PyBUF_FORMAT else NULL
        view.shape = info.shape if flags & PyBUF_ND else NULL
        view.strides = info.strides if (flags & PyBUF_STRIDES) == PyBUF_STRIDES else NULL
        view.suboffsets = NULL
        view.internal = NULL
        count(&self.n_exports, 1)

    def __releasebuffer__(self, Py_buffer* view):
        count(&self.n_exports, -1)
        end_share(self)


keep_objects(&objects, NDArray, NDArray.__new__(NDArray), release, make, end)
