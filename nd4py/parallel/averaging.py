"""The mean of several models' flat vectors, given back to all of them."""

from importlib import import_module

from nd4py import api as nd


def average(vectors):
    """The element-wise mean, on the device of the first vector.

    Vectors are added in the order given, so the result repeats bit for bit, also when they are on several devices.

    vectors: one or more arrays (n,) of one floating dtype    Returns a new array (n,).
    Raises ValueError if there are none or their shapes differ, TypeError if their dtypes differ.
    """
    vectors = list(vectors)
    if not vectors:
        raise ValueError("average: no vectors given; pass at least one")
    for position, vector in enumerate(vectors):
        _check_same_kind(vectors[0], vector, position)
    total = vectors[0].copy()
    for vector in vectors[1:]:
        nd.add(total, nd.asarray(vector, device=total.device), out=total)
    return nd.divide(total, len(vectors), out=total)


def average_and_propagate(participants, everybody, *, updaters, nccl=False):
    """Set the parameters of `everybody` to the mean over `participants`; with `updaters`, their state too.

    Both are sequences of models.  Those that took no part get the mean as well: nobody stays behind.
    nccl: add by NCCL, in an order of its own, where the participants are on several CUDA devices
    """
    means = _means([model.params() for model in participants], nccl)
    for model in everybody:
        model.set_params(_nearest(means, model))
    states = [model.updater_state() for model in participants] if updaters else []
    states = [state for state in states if state is not None]
    if states:
        means = _means(states, nccl)
        for model in everybody:
            model.set_updater_state(_nearest(means, model))


def _means(vectors, nccl):
    """The mean by the names of the devices it is on: of all vectors with NCCL, else of the first."""
    if not nccl:
        mean = average(vectors)
        return {mean.device: mean}
    copies = [vector.copy() for vector in vectors]
    import_module("nd4py.cuda").average(copies, nccl=True)  # not loaded where nobody has devices
    return {copy.device: copy for copy in copies}


def _nearest(means, model):
    """The mean on a model's device, or one that must be copied there."""
    first = next(iter(means.values()))
    return first if len(means) == 1 else means.get(model.device, first)


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
