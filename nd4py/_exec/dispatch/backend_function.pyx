"""BackendFunction: a function that runs the host's driver or that of a device's backend.

Compiled, because every short call of `argsort` and its like goes through it: a closure in Python took a fifth of one.
"""

from nd4py._core.observing.observers cimport DRIVER, Operation, begun, n_observers
from nd4py._exec.device.device_operations cimport is_any_elsewhere, rules_for

from ..._core.devices import UnsupportedOnDevice, asked_function, backends, ways_on
from ..._core.lazy_modules import LazyFunction
from ..device.device_functions import common_device, fetched, sent
from ..autodiff.nodes import is_array

cdef dict known = backends


cdef class BackendFunction:
    """A function on arrays of the host that is another one where they are on a device; see `by_backend`."""

    cdef str name
    cdef object on_host                  # None until it is imported
    cdef object source                   # the function, or the LazyFunction
    cdef object otherwise

    def __init__(self, str name, function, otherwise=None):
        self.name, self.source, self.otherwise = name, function, otherwise
        self.on_host = None if isinstance(function, LazyFunction) else function

    def __call__(self, *operands) -> Any:
        if known and is_any_elsewhere(operands, None):       # most processes know of no device
            return run_elsewhere(self, operands, {})
        if n_observers:
            return run_observed(self, operands, {})
        return host_function(self)(*operands)


cdef class SettingsFunction(BackendFunction):
    """A BackendFunction that has keywords too, for which each call makes a dictionary."""

    def __call__(self, *operands, **settings) -> Any:
        if known and is_any_elsewhere(operands, None):
            return run_elsewhere(self, operands, settings)
        if n_observers:
            return run_observed(self, operands, settings)
        return host_function(self)(*operands, **settings)


cdef str home(BackendFunction self):
    """The module that the driver of the host is from."""
    return self.source.module if isinstance(self.source, LazyFunction) else self.source.__module__


cdef inline object host_function(BackendFunction self):
    """The driver of the host, imported if need be."""
    if self.on_host is None:
        self.on_host = self.source.imported
    return self.on_host


cdef object run_observed(BackendFunction self, tuple operands, dict settings):
    """The driver of the host, of which observers are told."""
    cdef Operation operation = begun(DRIVER, self.name)
    results = host_function(self)(*operands, **settings)
    if operation is not None:
        operation.finish(operands, results if type(results) is tuple else (results,))
    return results


cdef object run_elsewhere(BackendFunction self, tuple operands, dict settings):
    """The function of the backend, what is composed of rows instead, or the host's on copies."""
    rules = rules_for(operands)
    if rules is not None:
        return rules.driver(self.name, home(self), self, operands, settings)
    backend, device = common_device(self.name, *[x for x in operands if is_array(x)])
    if isinstance(self.otherwise, LazyFunction):
        self.otherwise = self.otherwise.imported
    own = backend.functions.get(self.name, self.otherwise)
    try:
        if own is None:
            raise UnsupportedOnDevice(
                f"{self.name} has no kernels for {backend.family} devices; {ways_on(asked_function(self.name))}"
            )
        return own(*operands, **settings)
    except UnsupportedOnDevice:
        if not backend.falls_back(self.name):
            raise
    return sent(host_function(self)(*[fetched(x) for x in operands], **settings), backend, device)
