"""Gradients of views, conversions and moves between devices."""

import functools

from ..._core.layout.layouts import inverse_of
from ..device.device_operations import filled_beside
from .nodes import own_node, with_node
from .tape import Node, cast_gradient, is_floating, linear, sum_to_shape


def record_view(source, view, kind, detail):
    """Track a view: its gradient is spread back over the source's shape."""
    pull = functools.partial(VIEW_GRADIENTS[kind], source.shape, source.dtype, detail)
    return with_node(view, Node([source.node], lambda g: [pull(g)], (), lambda g, node: [pull(g)]))


def record_cast(x, y):
    """Track a conversion between floating dtypes."""
    if not is_floating(y):
        return y
    dtype = x.dtype

    def pull(g):
        return [cast_gradient(g, dtype)]

    return with_node(y, Node([own_node(x)], pull, (), lambda g, node: pull(g)))


def record_move(x, y):
    """Track a copy on another device: the gradient goes back to where `x` is."""
    origin = x.device

    def pull(g):
        return [g.to_device(origin)]

    return with_node(y, Node([own_node(x)], pull, (), lambda g, node: pull(g)))


def pull_reshape(shape, dtype, detail, g):
    """Gradient of a reshape."""
    return g.reshape(shape)


def pull_permute(shape, dtype, axes, g):
    """Gradient of a permutation: the inverse permutation."""
    return g.permute_dims(inverse_of([axis % len(shape) for axis in axes]))


def pull_broadcast(shape, dtype, detail, g):
    """Gradient of a broadcast: the sum over what was repeated."""
    return sum_to_shape(g, shape)


def pull_getitem(shape, dtype, key, g):
    """Gradient of basic indexing: zero outside the selection."""

    def spread(values):
        full = filled_beside(values, shape, dtype, 0)
        full[key] = values
        return full

    return linear(g, spread, lambda x: x[key])


def pull_tad(shape, dtype, detail, g):
    """Gradient of tensor_along_dimension: zero outside the sub-array."""
    index, dimensions = detail

    def spread(values):
        full = filled_beside(values, shape, dtype, 0)
        full.tensor_along_dimension(index, *dimensions)[...] = values
        return full

    return linear(g, spread, lambda x: x.tensor_along_dimension(index, *dimensions))


VIEW_GRADIENTS = {
    "reshape": pull_reshape,
    "permute_dims": pull_permute,
    "broadcast_to": pull_broadcast,
    "getitem": pull_getitem,
    "tensor_along_dimension": pull_tad,
}
