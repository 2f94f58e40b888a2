"""Function table of the BLAS library, which is found and opened at first use.

Design: the library's own threads are switched off; products are cut into panels that run on the threads of nd4py's
gate, so that the two never multiply and no result depends on the number of threads.  ND4PY_BLAS names another library
by its path, or MKL by "mkl"; a library counts if it has the CBLAS functions with 32-bit sizes, under their plain names
or with the prefix of the OpenBLAS wheel.
"""

import importlib.util
import os
import sys
from operator import attrgetter
from pathlib import Path
from threading import Lock

from libc.limits cimport INT_MAX
from nd4py._core.threads.threads cimport goes_on

from ..._spec.dtypes import DTYPES, NUMBER

cdef extern from "system_libraries.h" nogil:
    void* open_system_library(const char* path)
    void* system_function(void* library, const char* name)
    const char* library_error()

cdef enum:
    ROW_MAJOR = 101
    PLAIN = 111
    TRANSPOSED = 112
    STEP_WORK = 400000000                # multiplications between two questions whether to go on
    LEAST_STEP = 1024

# Scalars travel by value in the functions of real numbers, by address in those of complex ones.
ctypedef void (*SingleMatrices)(int order, int a_transposed, int b_transposed, int m, int n, int k, float alpha,
                                const void* a, int a_stride, const void* b, int b_stride, float beta, void* c,
                                int c_stride) noexcept nogil
ctypedef void (*DoubleMatrices)(int order, int a_transposed, int b_transposed, int m, int n, int k, double alpha,
                                const void* a, int a_stride, const void* b, int b_stride, double beta, void* c,
                                int c_stride) noexcept nogil
ctypedef void (*ComplexMatrices)(int order, int a_transposed, int b_transposed, int m, int n, int k, const void* alpha,
                                 const void* a, int a_stride, const void* b, int b_stride, const void* beta, void* c,
                                 int c_stride) noexcept nogil
ctypedef void (*SingleVector)(int order, int a_transposed, int m, int n, float alpha, const void* a, int a_stride,
                              const void* x, int x_stride, float beta, void* y, int y_stride) noexcept nogil
ctypedef void (*DoubleVector)(int order, int a_transposed, int m, int n, double alpha, const void* a, int a_stride,
                              const void* x, int x_stride, double beta, void* y, int y_stride) noexcept nogil
ctypedef void (*ComplexVector)(int order, int a_transposed, int m, int n, const void* alpha, const void* a,
                               int a_stride, const void* x, int x_stride, const void* beta, void* y,
                               int y_stride) noexcept nogil
ctypedef float (*SingleVectors)(int n, const void* x, int x_stride, const void* y, int y_stride) noexcept nogil
ctypedef double (*DoubleVectors)(int n, const void* x, int x_stride, const void* y, int y_stride) noexcept nogil
ctypedef void (*ComplexVectors)(int n, const void* x, int x_stride, const void* y, int y_stride,
                                void* out) noexcept nogil
ctypedef void (*SetThreads)(int n) noexcept nogil

cdef struct Blas:
    SingleMatrices sgemm
    DoubleMatrices dgemm
    ComplexMatrices cgemm
    ComplexMatrices zgemm
    SingleVector sgemv
    DoubleVector dgemv
    ComplexVector cgemv
    ComplexVector zgemv
    SingleVectors sdot
    DoubleVectors ddot
    ComplexVectors cdot
    ComplexVectors zdot

cdef Blas blas
cdef void* handle = NULL
cdef bint is_loaded = False
cdef object path_in_use = None
loading = Lock()

# The letter of each dtype, or NO_LETTER: the library computes in two widths of real and of complex numbers.
cdef int letters[32]
letters[:] = [NO_LETTER] * 32
for family, first in (("real floating", SINGLE), ("complex floating", SINGLE_COMPLEX)):
    rows = [row for row in DTYPES if row.kind == family and row.compute == row.name]
    for position, row in enumerate(sorted(rows, key=attrgetter("itemsize"))):
        letters[NUMBER[row.name]] = first + position

cdef Py_ssize_t itemsizes[4]             # in the order of Letter
itemsizes[:] = [4, 8, 8, 16]
cdef float SINGLE_ONE[2]
cdef float SINGLE_ZERO[2]
cdef double DOUBLE_ONE[2]
cdef double DOUBLE_ZERO[2]
SINGLE_ONE[:] = [1, 0]
SINGLE_ZERO[:] = [0, 0]
DOUBLE_ONE[:] = [1, 0]
DOUBLE_ZERO[:] = [0, 0]

MKL = "libmkl_rt.so.2"
OPENBLAS_THREADS = "OPENBLAS_NUM_THREADS"
INSTALL = "install OpenBLAS with `pip install scipy-openblas32`, or name a CBLAS library in ND4PY_BLAS"
# Where conda's environments have OpenBLAS, on Linux, macOS and Windows.
CONDA_LIBRARIES = ("lib/libopenblas*.so*", "lib/libopenblas*.dylib", "Library/bin/*openblas*.dll")
# How the libraries name the function that sets their thread count.
THREAD_SETTERS = ("openblas_set_num_threads", "MKL_Set_Num_Threads", "bli_thread_set_num_threads")


cdef int letter_of(int number) noexcept nogil:
    """The letter of dtype `number`, or NO_LETTER."""
    return letters[number]


cdef int load_blas() except -1:
    """Open the library unless it is open.  Raises ImportError saying what to install."""
    global is_loaded, path_in_use, handle
    if is_loaded:
        return 0
    with loading:
        if not is_loaded:
            path = library_path()
            handle = open_library(path)
            fill_table(handle, path)
            path_in_use = path
            is_loaded = True
    return 0


def library_path() -> str:
    """The library that ND4PY_BLAS names, the OpenBLAS wheel's or a conda environment's.

    The wheel is found, not imported: importing it would open the library with its threads on.
    Raises ImportError where there is none.
    """
    asked = os.environ.get("ND4PY_BLAS", "")
    if asked:
        return MKL if asked == "mkl" else asked
    wheel = importlib.util.find_spec("scipy_openblas32")
    folders = wheel.submodule_search_locations if wheel else []
    found = [path for folder in folders for path in sorted(Path(folder, "lib").glob("libscipy_openblas*.*"))]
    found += [path for pattern in CONDA_LIBRARIES for path in sorted(Path(sys.prefix).glob(pattern))]
    if not found:
        raise ImportError(f"matrix products need a BLAS library; {INSTALL}")
    return str(found[0])


def loaded_library() -> str:
    """The path of the library in use, opened if need be; or what to do where none can be."""
    try:
        load_blas()
    except ImportError as missing:
        return f"none: {missing}"
    return path_in_use


cdef void* open_library(str path) except NULL:
    """The library, open.  OpenBLAS starts its threads while it is opened unless its environment asks for one."""
    cdef bytes file_name = path.encode()
    cdef void* library
    before = os.environ.get(OPENBLAS_THREADS)
    os.environ[OPENBLAS_THREADS] = "1"
    library = open_system_library(file_name)
    if library == NULL and path == MKL:
        library = open_system_library(b"libmkl_rt.so")
    if before is None:
        del os.environ[OPENBLAS_THREADS]
    else:
        os.environ[OPENBLAS_THREADS] = before
    if library == NULL:
        raise ImportError(f"cannot open the BLAS library {path}: {library_error().decode()}; {INSTALL}")
    return library


cdef int fill_table(void* library, str path) except -1:
    """Look the functions up and switch the library's threads off.  Raises ImportError where one is missing."""
    blas.sgemm = <SingleMatrices>find(library, path, "cblas_sgemm")
    blas.dgemm = <DoubleMatrices>find(library, path, "cblas_dgemm")
    blas.cgemm = <ComplexMatrices>find(library, path, "cblas_cgemm")
    blas.zgemm = <ComplexMatrices>find(library, path, "cblas_zgemm")
    blas.sgemv = <SingleVector>find(library, path, "cblas_sgemv")
    blas.dgemv = <DoubleVector>find(library, path, "cblas_dgemv")
    blas.cgemv = <ComplexVector>find(library, path, "cblas_cgemv")
    blas.zgemv = <ComplexVector>find(library, path, "cblas_zgemv")
    blas.sdot = <SingleVectors>find(library, path, "cblas_sdot")
    blas.ddot = <DoubleVectors>find(library, path, "cblas_ddot")
    blas.cdot = <ComplexVectors>find(library, path, "cblas_cdotu_sub")
    blas.zdot = <ComplexVectors>find(library, path, "cblas_zdotu_sub")
    cdef void* setter
    for name in THREAD_SETTERS:
        setter = find_or_null(library, name)
        if setter != NULL:
            (<SetThreads>setter)(1)
    return 0


cdef void* blas_function(str name) except NULL:
    """The address of a function of the open library.  Raises ImportError where it has none of that name."""
    return find(handle, path_in_use, name)


cdef void* find(void* library, str path, str name) except NULL:
    cdef void* function = find_or_null(library, name)
    if function == NULL:
        raise ImportError(f"the BLAS library {path} has no {name}; {INSTALL}")
    return function


cdef void* find_or_null(void* library, str name) noexcept:
    """The address of a function, under the prefix of the OpenBLAS wheel or none."""
    cdef bytes plain = name.encode()
    cdef bytes prefixed = b"scipy_" + plain
    cdef void* function = system_function(library, prefixed)
    return function if function != NULL else system_function(library, plain)


cdef void multiply_matrices(int letter, int m, int n, int k, const Matrix* a, const Matrix* b, char* c,
                            int c_stride) noexcept nogil:
    """c (m, n), row-major, = a (m, k) @ b (k, n); long sums a step at a time, which depends on the sizes alone."""
    cdef Py_ssize_t itemsize = itemsizes[letter]
    cdef Py_ssize_t a_column = (a.stride if a.is_transposed else 1) * itemsize
    cdef Py_ssize_t b_row = (1 if b.is_transposed else b.stride) * itemsize
    cdef Py_ssize_t step = max(<Py_ssize_t>STEP_WORK // (<Py_ssize_t>m * n), <Py_ssize_t>LEAST_STEP), first = 0
    cdef Matrix left = a[0], right = b[0]
    while first == 0 or first < k and goes_on():
        left.data, right.data = a.data + first * a_column, b.data + first * b_row
        add_product(letter, m, n, <int>min(step, k - first), &left, &right, first > 0, c, c_stride)
        first += step


cdef void add_product(int letter, int m, int n, int k, const Matrix* a, const Matrix* b, bint adds, char* c,
                      int c_stride) noexcept nogil:
    """c = a @ b, or with `adds` c += a @ b."""
    cdef int left = TRANSPOSED if a.is_transposed else PLAIN
    cdef int right = TRANSPOSED if b.is_transposed else PLAIN
    if letter == SINGLE:
        blas.sgemm(ROW_MAJOR, left, right, m, n, k, 1, a.data, a.stride, b.data, b.stride, adds, c, c_stride)
    elif letter == DOUBLE:
        blas.dgemm(ROW_MAJOR, left, right, m, n, k, 1, a.data, a.stride, b.data, b.stride, adds, c, c_stride)
    elif letter == SINGLE_COMPLEX:
        blas.cgemm(ROW_MAJOR, left, right, m, n, k, SINGLE_ONE, a.data, a.stride, b.data, b.stride,
                   <const void*>SINGLE_ONE if adds else <const void*>SINGLE_ZERO, c, c_stride)
    else:
        blas.zgemm(ROW_MAJOR, left, right, m, n, k, DOUBLE_ONE, a.data, a.stride, b.data, b.stride,
                   <const void*>DOUBLE_ONE if adds else <const void*>DOUBLE_ZERO, c, c_stride)


cdef void multiply_vector(int letter, int m, int k, const Matrix* a, const char* x, int x_stride, char* y,
                          int y_stride) noexcept nogil:
    """y (m) = a (m, k) @ x (k).  CBLAS takes the sizes of the matrix as it is stored."""
    cdef int order = TRANSPOSED if a.is_transposed else PLAIN
    cdef int rows = k if a.is_transposed else m, columns = m if a.is_transposed else k
    if letter == SINGLE:
        blas.sgemv(ROW_MAJOR, order, rows, columns, 1, a.data, a.stride, x, x_stride, 0, y, y_stride)
    elif letter == DOUBLE:
        blas.dgemv(ROW_MAJOR, order, rows, columns, 1, a.data, a.stride, x, x_stride, 0, y, y_stride)
    elif letter == SINGLE_COMPLEX:
        blas.cgemv(ROW_MAJOR, order, rows, columns, SINGLE_ONE, a.data, a.stride, x, x_stride, SINGLE_ZERO, y,
                   y_stride)
    else:
        blas.zgemv(ROW_MAJOR, order, rows, columns, DOUBLE_ONE, a.data, a.stride, x, x_stride, DOUBLE_ZERO, y,
                   y_stride)


cdef void multiply_vectors(int letter, int n, const char* x, int x_stride, const char* y, int y_stride,
                           double* out) noexcept nogil:
    """The sum of products of two vectors of n elements: its real and imaginary part."""
    cdef float single[2]
    out[1] = 0
    if letter == SINGLE:
        out[0] = blas.sdot(n, x, x_stride, y, y_stride)
    elif letter == DOUBLE:
        out[0] = blas.ddot(n, x, x_stride, y, y_stride)
    elif letter == SINGLE_COMPLEX:
        blas.cdot(n, x, x_stride, y, y_stride, single)
        out[0] = single[0]
        out[1] = single[1]
    else:
        blas.zdot(n, x, x_stride, y, y_stride, out)


cdef bint is_vector(Py_ssize_t stride, Py_ssize_t itemsize) noexcept nogil:
    """Whether BLAS can step through elements `stride` bytes apart."""
    return stride > 0 and stride % itemsize == 0 and stride // itemsize <= INT_MAX


cdef bint describe(const StridedMatrix* x, Py_ssize_t n_rows, Py_ssize_t n_columns, Py_ssize_t itemsize,
                   Matrix* out) noexcept nogil:
    """Fill `out` with the matrix as BLAS sees it; false where it cannot."""
    out.data = x.data
    for out.is_transposed in range(2):
        if is_row_major(x.column_stride if out.is_transposed else x.row_stride,
                        x.row_stride if out.is_transposed else x.column_stride,
                        n_columns if out.is_transposed else n_rows,
                        n_rows if out.is_transposed else n_columns, itemsize, &out.stride):
            return True
    return False


cdef bint is_row_major(Py_ssize_t row_stride, Py_ssize_t column_stride, Py_ssize_t n_rows, Py_ssize_t n_columns,
                       Py_ssize_t itemsize, int* stride) noexcept nogil:
    """Whether each row's elements are neighbours and rows do not overlap; `stride` is the elements from row to row."""
    cdef Py_ssize_t elements = row_stride // itemsize if n_rows > 1 else max(n_columns, 1)
    if n_columns > 1 and column_stride != itemsize:
        return False
    if elements < max(n_columns, 1) or elements > INT_MAX or (n_rows > 1 and row_stride % itemsize):
        return False
    stride[0] = <int>elements
    return True
