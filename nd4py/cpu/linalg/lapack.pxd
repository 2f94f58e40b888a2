# LAPACK's functions by letter (s, d, c, z).  All arguments are addresses, but for the lengths of the texts, which
# Fortran compilers add at the end.  Matrices lie in columns.
from nd4py.cpu.matmul.blas cimport N_LETTERS

ctypedef void (*Getrf)(const int* m, const int* n, void* a, const int* a_stride, int* pivots,
                       int* info) noexcept nogil
ctypedef void (*Getrs)(const char* transposed, const int* n, const int* n_right, const void* a, const int* a_stride,
                       const int* pivots, void* b, const int* b_stride, int* info, size_t) noexcept nogil
ctypedef void (*Potrf)(const char* triangle, const int* n, void* a, const int* a_stride, int* info,
                       size_t) noexcept nogil
ctypedef void (*Geqrf)(const int* m, const int* n, void* a, const int* a_stride, void* tau, void* work,
                       const int* work_size, int* info) noexcept nogil
ctypedef void (*Orgqr)(const int* m, const int* n, const int* k, void* a, const int* a_stride, const void* tau,
                       void* work, const int* work_size, int* info) noexcept nogil
ctypedef void (*Gesdd)(const char* job, const int* m, const int* n, void* a, const int* a_stride, void* s, void* u,
                       const int* u_stride, void* vt, const int* vt_stride, void* work, const int* work_size,
                       int* integers, int* info, size_t) noexcept nogil
ctypedef void (*ComplexGesdd)(const char* job, const int* m, const int* n, void* a, const int* a_stride, void* s,
                              void* u, const int* u_stride, void* vt, const int* vt_stride, void* work,
                              const int* work_size, void* reals, int* integers, int* info, size_t) noexcept nogil
ctypedef void (*Syevd)(const char* job, const char* triangle, const int* n, void* a, const int* a_stride, void* w,
                       void* work, const int* work_size, int* integers, const int* n_integers, int* info, size_t,
                       size_t) noexcept nogil
ctypedef void (*Heevd)(const char* job, const char* triangle, const int* n, void* a, const int* a_stride, void* w,
                       void* work, const int* work_size, void* reals, const int* n_reals, int* integers,
                       const int* n_integers, int* info, size_t, size_t) noexcept nogil
ctypedef void (*Geev)(const char* left_job, const char* right_job, const int* n, void* a, const int* a_stride,
                      void* w_real, void* w_imaginary, void* left, const int* left_stride, void* right,
                      const int* right_stride, void* work, const int* work_size, int* info, size_t,
                      size_t) noexcept nogil
ctypedef void (*ComplexGeev)(const char* left_job, const char* right_job, const int* n, void* a, const int* a_stride,
                             void* w, void* left, const int* left_stride, void* right, const int* right_stride,
                             void* work, const int* work_size, void* reals, int* info, size_t, size_t) noexcept nogil
ctypedef void (*Gelsd)(const int* m, const int* n, const int* n_right, void* a, const int* a_stride, void* b,
                       const int* b_stride, void* s, const void* rcond, int* rank, void* work, const int* work_size,
                       int* integers, int* info) noexcept nogil
ctypedef void (*ComplexGelsd)(const int* m, const int* n, const int* n_right, void* a, const int* a_stride, void* b,
                              const int* b_stride, void* s, const void* rcond, int* rank, void* work,
                              const int* work_size, void* reals, int* integers, int* info) noexcept nogil

cdef struct Lapack:
    Getrf getrf[N_LETTERS]
    Getrs getrs[N_LETTERS]
    Potrf potrf[N_LETTERS]
    Geqrf geqrf[N_LETTERS]
    Orgqr orgqr[N_LETTERS]
    void* gesdd[N_LETTERS]               # Gesdd or ComplexGesdd, and so on
    void* eigh[N_LETTERS]
    void* geev[N_LETTERS]
    void* gelsd[N_LETTERS]

cdef Lapack lapack
cdef int load_lapack() except -1
