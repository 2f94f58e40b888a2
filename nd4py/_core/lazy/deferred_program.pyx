"""The program of a chain as data that can be printed or drawn."""

from nd4py._core.array.array cimport NDArray
from nd4py._core.lazy.chain cimport CONVERSION, MAX_VALUES, Chain, Link, is_link_needed, mark_needed, origin_of
from nd4py._core.layout.shape cimport intern_contiguous

from ..._spec.dtypes import DTYPES
from ..._spec.ops import ALL


cdef dict described(Chain chain, dict own):
    """What will run when an output of a chain is read.  Raises the error of a leaf that was released.

    shape: of all values    own: what the backend says of itself
    leaves: (name, dtype, shape) of the arrays that are read
    steps: (result, operation, operands, dtype, where it was called) in order, operands being names or scalars
    outputs: names of the values that are written    dropped: operations whose results are not referenced any more
    """
    cdef bint is_needed[MAX_VALUES]
    cdef int i, k
    cdef const Link* link
    live = [chain.outputs[i].value for i in range(chain.n_outputs) if chain.outputs[i].array != NULL]
    for i in range(chain.n_values):
        is_needed[i] = i in live
    mark_needed(chain, is_needed)
    names, leaves, steps = {}, [], []
    for i in range(chain.n_values):
        if chain.values[i].scalar >= 0:
            names[i] = scalar_of(chain, i)
        elif chain.values[i].leaf >= 0:
            names[i] = f"leaf{chain.values[i].leaf}"
            if is_needed[i]:
                leaf = <object>chain.leaves[chain.values[i].leaf]
                leaves.append((names[i], str(leaf.dtype), leaf.shape))
        else:
            names[i] = f"v{i}"
    for i in range(chain.n_links):
        link = &chain.links[i]
        if is_link_needed(link, is_needed):
            steps.append((
                ", ".join([names[link.result + k] for k in range(link.n_out)]),
                "convert" if link.op == CONVERSION else ALL[link.op].name,
                [names[link.operands[k]] for k in range(link.n_in)],
                DTYPES[chain.values[link.result].number].name,
                origin_of(link).partition(" in ")[2],
            ))
    return {
        "shape": tuple([chain.shape[i] for i in range(chain.ndim)]), **own, "leaves": leaves, "steps": steps,
        "outputs": [names[value] for value in live], "dropped": chain.n_links - len(steps),
    }


cdef str scalar_of(Chain chain, int value):
    """A scalar as people write it."""
    cdef NDArray element = NDArray.__new__(NDArray)
    element.data = <char*>chain.scalars[chain.values[value].scalar]
    element.number = chain.values[value].number
    element.info = intern_contiguous(DTYPES[element.number].itemsize, 0, NULL)
    return repr(element.item())
