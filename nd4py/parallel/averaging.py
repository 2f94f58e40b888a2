"""The mean of the flat vectors of several models, written to all of them."""

from __future__ import annotations

from importlib import import_module

from nd4py import api as nd
from nd4py.api.arguments import array, having, items


def average(vectors):
    """The element-wise mean, on the device of the first vector.

    Vectors are added in the order given, so the result repeats bit for bit, also when they are on several devices.

    vectors: one or more arrays (n,) of one floating dtype    Returns a new array (n,).
    Raises ValueError if there are none or their shapes differ, TypeError if their dtypes differ.

    >>> parallel.average([nd.asarray([1.0, 2.0]), nd.asarray([3.0, 4.0])])
    array([2., 3.], dtype=float64)
    """
    vectors = [array("average: a vector", each) for each in items("average: vectors", vectors)]
    if not vectors:
        raise ValueError("average: no vectors given; pass at least one")
    for position, vector in enumerate(vectors):
        _check_same_kind(vectors[0], vector, position)
    return (summed(vectors) / len(vectors)).block()


def summed(vectors):
    """The sum in the order given, on the device of the first vector; it may be deferred."""
    total = vectors[0]
    for vector in vectors[1:]:
        total = total + nd.asarray(vector, device=total.device)
    return total


def average_and_propagate(participants, everybody, *, updaters, nccl=False) -> None:
    """Set the parameters of `everybody` to the mean over `participants`; with `updaters`, their state too.

    Both are sequences of models.  Models that took no part get the mean as well, so that all are equal.
    nccl: add by NCCL, in an order of its own, where the participants are on several CUDA devices
    Raises TypeError for anything but a sequence of networks, ValueError for no participants, or nccl=True on the host.

    >>> nets = [
    ...     nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4), seed=seed)
    ...     for seed in (1, 2)
    ... ]
    >>> parallel.average_and_propagate(nets, nets, updaters=False)
    >>> nd.array_equal(nets[0].params(), nets[1].params())
    array(True, dtype=bool)
    """
    participants, everybody = items("participants", participants), items("everybody", everybody)
    for model in (*participants, *everybody):
        having("average_and_propagate: each", model, "a network", "params", "set_params")
    means = _means([model.params() for model in participants], nccl)
    states = [model.updater_state() for model in participants] if updaters else []
    states = [state for state in states if state is not None]
    state_means = _means(states, nccl) if states else {}
    for model in everybody:  # each of them has the means of both, or of neither
        _give(model, _nearest(means, model), _nearest(state_means, model) if state_means else None)


def _means(vectors, nccl):
    """The mean by the names of the devices it is on: of all vectors with NCCL, else of the first."""
    if not nccl:
        mean = average(vectors)
        return {mean.device: mean}
    if not all(vector.device.startswith("cuda") for vector in vectors):
        raise ValueError("average_and_propagate: nccl=True adds between CUDA devices, and a network is on the host")
    copies = [vector.copy() for vector in vectors]
    import_module("nd4py.cuda").average(copies, nccl=True)  # not loaded where there are no devices
    return {copy.device: copy for copy in copies}


def _nearest(means, model):
    """The mean on a model's device, or one that must be copied there."""
    first = next(iter(means.values()))
    return first if len(means) == 1 else means.get(model.device, first)


def _give(model, params, state):
    """Set both vectors of a model, together where it is one of nd4py's."""
    if (adopt := getattr(model, "adopt", None)) is not None:
        adopt(params, state)
        return
    model.set_params(params)
    if state is not None:
        model.set_updater_state(state)


def _check_same_kind(first, vector, position):
    if vector.shape != first.shape:
        raise ValueError(
            f"average: vector 0 has shape {first.shape}, vector {position} has {vector.shape}; "
            f"average models of one configuration"
        )
    if vector.dtype != first.dtype:
        raise TypeError(
            f"average: vector 0 is {first.dtype}, vector {position} is {vector.dtype}; "
            f"convert them to one dtype, x.astype({first.dtype})"
        )
