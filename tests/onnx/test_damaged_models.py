"""Models with changed bytes, attributes, shapes and nodes: they run, or are refused in words, and soon.

ND4PY_TEST_SHARE=1 tries 2,000 models; the default run tries a part of them, drawn anew.  ND4PY_TEST_SEED repeats a run.
"""

import os
import random
import time

import onnx
import pytest
from node_cases import as_array, node_cases
from onnx import AttributeProto, TensorProto

import nd4py as nd

SHARE = float(os.environ.get("ND4PY_TEST_SHARE", "0.05"))
SEED = os.environ.get("ND4PY_TEST_SEED") or str(random.SystemRandom().randrange(2**31))
N_MODELS = int(2000 * SHARE)
ODD_NUMBERS = (0, -1, 1, 2, 7, 99, 2**62, -(2**62))
AT_LOAD = (ValueError, NotImplementedError)
AT_RUN = (*AT_LOAD, TypeError, IndexError, OverflowError, MemoryError)
MOST_SECONDS = 20  # of one model, on a machine that does other things


def change_attribute(graph, node, rng):
    if not node.attribute:
        return
    attribute = rng.choice(node.attribute)
    match attribute.type:
        case AttributeProto.INT:
            attribute.i = rng.choice(ODD_NUMBERS)
        case AttributeProto.INTS if attribute.ints:
            attribute.ints[rng.randrange(len(attribute.ints))] = rng.choice(ODD_NUMBERS)
        case AttributeProto.FLOAT:
            attribute.f = rng.choice([0.0, -1.0, 1e38, float("nan")])
        case AttributeProto.STRING:
            attribute.s = rng.choice([b"x", b"", b"\xff"])
        case _:
            node.attribute.remove(attribute)


def change_input(graph, node, rng):
    if node.input:
        names = [name for each in graph.node for name in each.input] + [""]
        node.input[rng.randrange(len(node.input))] = rng.choice(names)


def change_operator(graph, node, rng):
    node.op_type = rng.choice([*(each.op_type for each in graph.node), "Add", "Conv", "Reshape", "Loop", "Transpose"])


def change_type(graph, node, rng):
    value = rng.choice([*graph.input, *graph.output])
    value.type.tensor_type.elem_type = rng.choice(TensorProto.DataType.values())


def change_size(graph, node, rng):
    value = rng.choice([*graph.input, *graph.output])
    sizes = value.type.tensor_type.shape.dim
    if sizes:
        rng.choice(sizes).dim_value = rng.choice(ODD_NUMBERS)


def take_node_out(graph, node, rng):
    graph.node.remove(node)


def hold_an_input(graph, node, rng):
    """A tensor in the place of an input, some of whose sizes are lies."""
    value = rng.choice(graph.input)
    sizes = [size.dim_value or 1 for size in value.type.tensor_type.shape.dim]
    if sizes and rng.random() < 0.5:
        sizes[rng.randrange(len(sizes))] = rng.choice([0, 3, 2**40])
    tensor = graph.initializer.add(name=value.name, data_type=value.type.tensor_type.elem_type, dims=sizes)
    tensor.raw_data = rng.randbytes(rng.randrange(64))


CHANGES = (
    change_attribute, change_attribute, change_input, change_operator, change_type, change_size, take_node_out,
    hold_an_input,
)  # fmt: skip


def changed(model, rng):
    """A copy with one to three changes, or the bytes of one that has changed bytes too."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    for _ in range(rng.choice([1, 1, 2, 3])):
        if copy.graph.node:
            rng.choice(CHANGES)(copy.graph, rng.choice(copy.graph.node), rng)
    if rng.random() < 0.7:
        return copy
    content = bytearray(copy.SerializeToString())
    for _ in range(rng.choice([1, 3])):
        content[rng.randrange(len(content))] = rng.randrange(256)
    return bytes(content)


def test_changed_models_run_or_are_refused():
    rng, cases, n_refused = random.Random(SEED), node_cases(), 0
    for number in range(N_MODELS):
        case, where = rng.choice(cases), f"model {number} of ND4PY_TEST_SEED={SEED}"
        start = time.perf_counter()
        try:
            model = nd.onnx.load(changed(case.model, rng))
            for _ in range(4):
                model.run([as_array(x) for x in case.data_sets[0][0]])
        except AT_RUN as error:
            n_refused += isinstance(error, AT_LOAD)
        except Exception as error:
            error.add_note(f"{where}, {case.name}")
            raise
        assert time.perf_counter() - start < MOST_SECONDS, where
    assert n_refused > N_MODELS // 4


def test_unknown_modes_are_told():
    node = onnx.helper.make_node("Pad", ["x", "p"], ["y"], mode="odd")
    values = [onnx.helper.make_tensor_value_info(name, TensorProto.FLOAT, [3]) for name in "xy"]
    pads = onnx.numpy_helper.from_array(nd.asarray([1, 0]).__array__(), "p")
    graph = onnx.helper.make_graph([node], "g", values[:1], [onnx.helper.make_tensor_value_info("y", 1, [4])], [pads])
    model = nd.onnx.load(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)], ir_version=8))
    with pytest.raises(ValueError, match="unknown value 'odd'"):
        model.run([nd.ones(3, dtype="float32")])
