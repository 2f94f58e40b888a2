"""x[key] on devices, where the key holds arrays."""

from typing import Any

from .._core.annotations import Attributes, Gradients
from .._core.array import NDArray
from .._core.devices import UnsupportedOnDevice, backends
from .._exec.device_functions import fetched, take_elsewhere
from .._exec.devices import filled_beside
from .._exec.functions import sent
from .._exec.placement import is_array
from .._exec.tape import differentiable
from .device_keys import is_mask_of_none, is_whole_mask, joined, parse
from .index_drivers import selected, write_selected
from .manipulation import ascontiguous

__all__: list[str] = []


def masked_vjp(g: NDArray, inputs: tuple[NDArray, NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of a mask: g where it holds, zero elsewhere."""
    x, mask = inputs
    full = filled_beside(x, x.shape, x.dtype, 0)
    write_selected(full, ascontiguous(mask), ascontiguous(g.astype(x.dtype, copy=False)))
    return full, None


@differentiable(masked_vjp)
def masked(x: NDArray, mask: NDArray) -> NDArray:
    """The elements of `x` where a mask of its shape holds, in C order."""
    return selected(ascontiguous(x), ascontiguous(mask))


def getitem(x: Any, key: Any) -> Any:
    """x[key] on a device, where the key holds an array."""
    if is_array(key) and key.dtype.kind in "iu" and x.ndim:
        return take_elsewhere(x, key, 0)
    if is_mask_of_none(key):
        return x[None][filled_beside(x, (1,), "bool", bool(key))]
    backend = backends[type(x)]
    try:
        if is_whole_mask(x, key):
            return masked(x, key)
        parsed = parse(x, key)
        source, before, behind = joined(x, parsed)
        y = take_elsewhere(source, parsed.numbers.reshape(-1), parsed.where)
        return y.reshape((*before, *parsed.numbers.shape, *behind))
    except UnsupportedOnDevice:
        if x.node is not None or not backend.falls_back("indexing"):
            raise
    return sent(backend.to_host(x)[fetched(key)], backend, backend.place_of(x))
