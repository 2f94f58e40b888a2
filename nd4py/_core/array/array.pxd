from cpython.object cimport PyObject
from nd4py._core.array.array_base cimport ArrayBase, owner_of
from nd4py._core.layout.shape cimport ShapeInfo
from nd4py._mem.workspace.attached_arrays cimport Attachment

cdef extern from "Python.h":
    """
    #define ND_AS_NEW(reference) ((PyObject*)(reference))
    """
    ctypedef struct Type "PyTypeObject"
    ctypedef PyObject* (*newfunc)(Type* type, PyObject* arguments, PyObject* keywords) noexcept
    ctypedef void (*destructor)(PyObject* array) noexcept
    ctypedef struct PyBufferProcs:
        int (*bf_getbuffer)(PyObject* array, Py_buffer* view, int flags) noexcept
    ctypedef struct Type "PyTypeObject":
        Py_ssize_t tp_basicsize
        Py_ssize_t tp_weaklistoffset
        unsigned long tp_flags
        void* tp_traverse
        void* tp_clear
        void (*tp_free)(void*) noexcept
        void* tp_as_number
        void* tp_richcompare
        void* tp_hash
        PyBufferProcs* tp_as_buffer
        newfunc tp_new
        void* tp_vectorcall
        destructor tp_dealloc
    object as_new "ND_AS_NEW"(PyObject* reference)           # the reference is the caller's
    void become "Py_SET_TYPE"(PyObject* array, type changed)

cdef enum:
    MOST_KEPT = 1024                     # as many as a list of elements may have, in 200 KB

# What is known of the objects of a class of arrays.
cdef struct Objects:
    Type* type
    PyObject* blank                      # how objects begin
    void (*release)(PyObject*) noexcept  # gives back the memory of one that ends
    newfunc first_new                    # Cython's
    PyObject* kept[MOST_KEPT]
    int n_kept

cdef int keep_objects(Objects* objects, type array, ArrayBase blank, void (*release)(PyObject*) noexcept,
                      newfunc make, destructor end) except -1
cdef PyObject* fresh_object(Objects* objects) noexcept
cdef void track(PyObject* array) noexcept
cdef void end_object(Objects* objects, PyObject* item) noexcept
cdef void graft(type array, type changed, destructor end) noexcept
cdef void end_as_array(PyObject* array) noexcept
cdef bint has_weak_references(PyObject* array) noexcept


cdef class NDArray(ArrayBase):
    cdef char* data
    cdef void* block                     # pool block this array owns, or NULL
    cdef size_t block_bytes
    cdef Py_ssize_t n_views              # arrays whose base this is
    cdef double cell[2]                  # the block of an array without dimensions; no element is larger


cdef NDArray new_array(int number, int ndim, const Py_ssize_t* shape)
cdef NDArray new_from_info(int number, ShapeInfo info)
cdef NDArray new_view(NDArray source, char* data, ShapeInfo info)
cdef int lean_on(NDArray view, NDArray source) except -1
cdef int take_memory(NDArray array) except -1
cdef void take_over(NDArray array, NDArray other) noexcept
cdef void give_block(NDArray array) noexcept
