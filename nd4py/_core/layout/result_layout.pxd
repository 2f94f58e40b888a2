from cpython.object cimport PyObject
from nd4py._core.layout.shape cimport ShapeInfo

cdef ShapeInfo result_layout(Py_ssize_t itemsize, int ndim, const Py_ssize_t* shape, int n, PyObject** operands)
cdef ShapeInfo with_itemsize(ShapeInfo info, Py_ssize_t itemsize)
