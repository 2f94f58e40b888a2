"""What threads need that no GIL keeps apart; see the header."""

from cpython.object cimport PyObject

cdef extern from "free_threads.h" nogil:
    ctypedef struct Section "ND_SECTION":    # a local variable, entered by the first statement of its function
        pass
    const bint FREE_THREADS "ND_FREE_THREADS"
    void enter "nd_enter"(Section* section)
    void enter_own "nd_enter_own"(Section* section, PyObject* object)
    void add "nd_add"(Py_ssize_t* counter, int n)
    void count "nd_add"(int* counter, int n)
    void spin "nd_spin"(int* lock)
    void unspin "nd_unspin"(int* lock)
    void publish "nd_publish"()
    Py_ssize_t references "nd_references"(PyObject* item)
    bint method_shares "nd_method_shares"(PyObject* item)
    bint function_shares "nd_function_shares"(PyObject* item)
    void let_take "nd_let_take"(PyObject* item)
    bint take "nd_take"(PyObject* item)
