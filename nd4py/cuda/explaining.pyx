"""What a pending array of a device waits for, as data that can be printed or drawn."""

from nd4py._core.chains.chain cimport Chain
from nd4py.cuda.array cimport DeviceArray
from nd4py.cuda.assembly cimport assemble
from nd4py.cuda.ownership cimport without_node

from .._spec.dtypes import DTYPES
from .._spec.ops import ALL


def pending_program(DeviceArray x) -> dict[str, Any] | None:
    """What will be launched when somebody looks at `x`, as `nd4py._exec.explaining.pending_program` says it."""
    cdef Chain chain
    cdef int i
    x = without_node(x)
    if not x.is_deferred:
        return None
    chain = <Chain>x.chain
    live = [chain.outputs[i].value for i in range(chain.n_outputs) if chain.outputs[i].array != NULL]
    work = assemble(chain, tuple(live))
    names, leaves, steps = {}, [], []
    for value, item in work.given().items():
        if isinstance(item, bytes):
            names[value] = work.scalar(value)
        else:
            names[value] = f"leaf{len(leaves)}"
            leaves.append((names[value], str(item.dtype), item.shape))
    for op, _, operands, _, made, result, _, origin in work.steps():
        names.update({value: f"v{value}" for value in made})
        steps.append((
            ", ".join([names[value] for value in made]),
            "convert" if op is None else ALL[op].name,
            [names[value] for value in operands],
            DTYPES[result].name,
            origin.partition(" in ")[2],
        ))
    return {
        "shape": work.shape, "tile": 0, "registers": 0, "device": f"cuda:{chain.home.device}", "leaves": leaves,
        "steps": steps, "outputs": [names[value] for value in live], "dropped": chain.n_links - work.n_links,
    }
