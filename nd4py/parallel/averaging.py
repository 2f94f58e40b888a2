"""The mean of several models' flat vectors, given back to all of them."""

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


def average_and_propagate(participants, everybody, *, updaters):
    """Set the parameters of `everybody` to the mean over `participants`; with `updaters`, their state too.

    Both are sequences of models.  Those that took no part get the mean as well: nobody stays behind.
    """
    mean = average([model.params() for model in participants])
    for model in everybody:
        model.set_params(mean)
    states = [model.updater_state() for model in participants] if updaters else []
    states = [state for state in states if state is not None]
    if states:
        mean = average(states)
        for model in everybody:
            model.set_updater_state(mean)


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
