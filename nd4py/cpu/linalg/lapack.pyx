"""Function table of LAPACK, filled at first use.  The functions are those of the library that has BLAS."""

from nd4py.cpu.matmul.blas cimport DOUBLE, N_LETTERS, blas_function, load_blas

cdef Lapack lapack
cdef bint is_loaded = False

LETTERS = "sdcz"


cdef int load_lapack() except -1:
    """Open the library and look the functions up.  Raises ImportError where one is missing."""
    global is_loaded
    cdef int i
    if is_loaded:
        return 0
    load_blas()
    for i in range(N_LETTERS):
        letter = LETTERS[i]
        lapack.getrf[i] = <Getrf>find(letter + "getrf")
        lapack.getrs[i] = <Getrs>find(letter + "getrs")
        lapack.potrf[i] = <Potrf>find(letter + "potrf")
        lapack.geqrf[i] = <Geqrf>find(letter + "geqrf")
        lapack.orgqr[i] = <Orgqr>find(letter + ("orgqr" if i <= DOUBLE else "ungqr"))
        lapack.gesdd[i] = find(letter + "gesdd")
        lapack.eigh[i] = find(letter + ("syevd" if i <= DOUBLE else "heevd"))
        lapack.geev[i] = find(letter + "geev")
        lapack.gelsd[i] = find(letter + "gelsd")
    is_loaded = True
    return 0


cdef void* find(str name) except NULL:
    """Fortran compilers end the names of their functions with an underscore."""
    return blas_function(name + "_")
