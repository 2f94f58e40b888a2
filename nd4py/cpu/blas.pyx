"""The BLAS library: found and opened at first use, called through a small table of function pointers.

Design: the library's own threads are switched off; products are cut into panels that run on the threads of nd4py's
gate, so that the two never multiply and no result depends on the number of threads.  ND4PY_BLAS names another library
by its path, or MKL by "mkl"; a library counts if it has the CBLAS functions with 32-bit sizes, under their plain names
or with the prefix of the OpenBLAS wheel.
"""

import importlib.util
import os
from pathlib import Path
from threading import Lock

from posix.dlfcn cimport RTLD_LOCAL, RTLD_NOW, dlerror, dlopen, dlsym

cdef enum:
    ROW_MAJOR = 101
    PLAIN = 111
    TRANSPOSED = 112

ctypedef void (*SingleMatrices)(int order, int a_transposed, int b_transposed, int m, int n, int k, float alpha,
                                const float* a, int a_stride, const float* b, int b_stride, float beta, float* c,
                                int c_stride) noexcept nogil
ctypedef void (*DoubleMatrices)(int order, int a_transposed, int b_transposed, int m, int n, int k, double alpha,
                                const double* a, int a_stride, const double* b, int b_stride, double beta, double* c,
                                int c_stride) noexcept nogil
ctypedef void (*SingleVector)(int order, int a_transposed, int m, int n, float alpha, const float* a, int a_stride,
                              const float* x, int x_stride, float beta, float* y, int y_stride) noexcept nogil
ctypedef void (*DoubleVector)(int order, int a_transposed, int m, int n, double alpha, const double* a, int a_stride,
                              const double* x, int x_stride, double beta, double* y, int y_stride) noexcept nogil
ctypedef float (*SingleVectors)(int n, const float* x, int x_stride, const float* y, int y_stride) noexcept nogil
ctypedef double (*DoubleVectors)(int n, const double* x, int x_stride, const double* y, int y_stride) noexcept nogil
ctypedef void (*SetThreads)(int n) noexcept nogil

cdef struct Blas:
    SingleMatrices sgemm
    DoubleMatrices dgemm
    SingleVector sgemv
    DoubleVector dgemv
    SingleVectors sdot
    DoubleVectors ddot

cdef Blas blas
cdef bint is_loaded = False
cdef object path_in_use = None
loading = Lock()

MKL = "libmkl_rt.so.2"
OPENBLAS_THREADS = "OPENBLAS_NUM_THREADS"
INSTALL = "install OpenBLAS with `pip install scipy-openblas32`, or name a CBLAS library in ND4PY_BLAS"
# How the libraries name the function that sets their thread count.
THREAD_SETTERS = ("openblas_set_num_threads", "MKL_Set_Num_Threads", "bli_thread_set_num_threads")


cdef int load_blas() except -1:
    """Open the library unless it is open.  Raises ImportError saying what to install."""
    global is_loaded, path_in_use
    if is_loaded:
        return 0
    with loading:
        if not is_loaded:
            path = library_path()
            fill_table(open_library(path), path)
            path_in_use = path
            is_loaded = True
    return 0


def library_path():
    """The library that ND4PY_BLAS names, or the OpenBLAS wheel's.  Raises ImportError where there is none.

    The wheel is found, not imported: importing it would open the library with its threads on.
    """
    asked = os.environ.get("ND4PY_BLAS", "")
    if asked:
        return MKL if asked == "mkl" else asked
    wheel = importlib.util.find_spec("scipy_openblas32")
    folders = wheel.submodule_search_locations if wheel else []
    found = [path for folder in folders for path in sorted(Path(folder, "lib").glob("libscipy_openblas*.*"))]
    if not found:
        raise ImportError(f"matrix products need a BLAS library; {INSTALL}")
    return str(found[0])


def loaded_library():
    """The path of the library in use; opens it if need be."""
    load_blas()
    return path_in_use


cdef void* open_library(str path) except NULL:
    """dlopen.  OpenBLAS starts its threads while it is opened unless its environment asks for one."""
    cdef bytes file_name = path.encode()
    cdef void* library
    before = os.environ.get(OPENBLAS_THREADS)
    os.environ[OPENBLAS_THREADS] = "1"
    library = dlopen(file_name, RTLD_NOW | RTLD_LOCAL)
    if library == NULL and path == MKL:
        library = dlopen(b"libmkl_rt.so", RTLD_NOW | RTLD_LOCAL)
    if before is None:
        del os.environ[OPENBLAS_THREADS]
    else:
        os.environ[OPENBLAS_THREADS] = before
    if library == NULL:
        raise ImportError(f"cannot open the BLAS library {path}: {dlerror().decode()}; {INSTALL}")
    return library


cdef int fill_table(void* library, str path) except -1:
    """Look the functions up and switch the library's threads off.  Raises ImportError where one is missing."""
    blas.sgemm = <SingleMatrices>find(library, path, "cblas_sgemm")
    blas.dgemm = <DoubleMatrices>find(library, path, "cblas_dgemm")
    blas.sgemv = <SingleVector>find(library, path, "cblas_sgemv")
    blas.dgemv = <DoubleVector>find(library, path, "cblas_dgemv")
    blas.sdot = <SingleVectors>find(library, path, "cblas_sdot")
    blas.ddot = <DoubleVectors>find(library, path, "cblas_ddot")
    cdef void* setter
    for name in THREAD_SETTERS:
        setter = find_or_null(library, name)
        if setter != NULL:
            (<SetThreads>setter)(1)
    return 0


cdef void* find(void* library, str path, str name) except NULL:
    cdef void* function = find_or_null(library, name)
    if function == NULL:
        raise ImportError(f"the BLAS library {path} has no {name}; {INSTALL}")
    return function


cdef void* find_or_null(void* library, str name) noexcept:
    """The address of a function, under the prefix of the OpenBLAS wheel or none."""
    cdef bytes plain = name.encode()
    cdef bytes prefixed = b"scipy_" + plain
    cdef void* function = dlsym(library, prefixed)
    return function if function != NULL else dlsym(library, plain)


cdef void multiply_matrices(bint is_double, int m, int n, int k, const Matrix* a, const Matrix* b, char* c,
                            int c_stride) noexcept nogil:
    """c (m, n), row-major, = a (m, k) @ b (k, n)."""
    cdef int a_order = TRANSPOSED if a.is_transposed else PLAIN
    cdef int b_order = TRANSPOSED if b.is_transposed else PLAIN
    if is_double:
        blas.dgemm(ROW_MAJOR, a_order, b_order, m, n, k, 1, <const double*>a.data, a.stride, <const double*>b.data,
                   b.stride, 0, <double*>c, c_stride)
    else:
        blas.sgemm(ROW_MAJOR, a_order, b_order, m, n, k, 1, <const float*>a.data, a.stride, <const float*>b.data,
                   b.stride, 0, <float*>c, c_stride)


cdef void multiply_vector(bint is_double, int m, int k, const Matrix* a, const char* x, int x_stride, char* y,
                          int y_stride) noexcept nogil:
    """y (m) = a (m, k) @ x (k).  CBLAS takes the sizes of the matrix as it is stored."""
    cdef int order = TRANSPOSED if a.is_transposed else PLAIN
    cdef int n_rows = k if a.is_transposed else m, n_columns = m if a.is_transposed else k
    if is_double:
        blas.dgemv(ROW_MAJOR, order, n_rows, n_columns, 1, <const double*>a.data, a.stride, <const double*>x, x_stride,
                   0, <double*>y, y_stride)
    else:
        blas.sgemv(ROW_MAJOR, order, n_rows, n_columns, 1, <const float*>a.data, a.stride, <const float*>x, x_stride,
                   0, <float*>y, y_stride)


cdef double multiply_vectors(bint is_double, int n, const char* x, int x_stride, const char* y,
                             int y_stride) noexcept nogil:
    """The dot product of two vectors of n elements."""
    if is_double:
        return blas.ddot(n, <const double*>x, x_stride, <const double*>y, y_stride)
    return blas.sdot(n, <const float*>x, x_stride, <const float*>y, y_stride)
