# Arrays over memory of others, and exports of ours.
from cpython.object cimport PyObject
from nd4py._core.array.array cimport NDArray
from nd4py._core.interop.foreign_memory cimport Claim

cdef NDArray array_over(const Claim* claim, bint readonly, object owner)
cdef void end_export(PyObject* array) noexcept
