from nd4py._core.lazy.chain cimport Chain
from nd4py._core.observing.observers cimport Operation, n_observers
from nd4py._exec.lazy.checked_links cimport failed_link, panic_kinds
from nd4py._exec.lazy.program_steps cimport Assembly

cdef Operation begun_pass(Chain chain, const Assembly* work, str reduction)
cdef tuple leaves_read(Chain chain, const Assembly* work)
