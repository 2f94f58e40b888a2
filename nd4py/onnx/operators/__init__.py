"""Operators of ONNX by family: what each computes, and from which to which version of its definition.

The files, as the build lists them:

- activation_nodes.py: Activations and other functions of one real number.
- arithmetic_nodes.py: Arithmetic of elements: sums, quotients, powers, roundings, and conversions of dtypes.
- control_nodes.py: Graphs inside of nodes: branches, loops, and scans.
- convolution_nodes.py: Convolutions in one to three dimensions, and transposed ones.
- estimators/: Operators of `ai.onnx.ml`: models of scikit-learn and others, and what makes features ready for them.
- host_arrays.py: Arrays of element types that nd4py has no dtype for: NumPy holds floats of 8 bits and fewer, integers
  of 4 bits and fewer, and texts, on the way into a model, out of it, and between the few operators that take them.
- host_values.py: Small arrays that say how to compute, as Python's numbers: shapes, axes, sizes.
- indexing_nodes.py: Elements by their indices: slices, gathers and scatters.
- logic_nodes.py: Comparisons, logic, and bits.
- normalization_nodes.py: Normalizations, and softmax with its kin.
- operator_rows.py: Types of the tables that say which function computes an operator.
- optimizer_nodes.py: Steps of optimizers, which files of trained models may hold: `ai.onnx.preview.training`.
- pooling_nodes.py: Pooling in any number of dimensions, and over whole images.
- product_nodes.py: Products of matrices, and what is made of them.
- quantized_nodes.py: Numbers of 8 and 16 bits that stand for real ones: quantization, and products of quantized arrays.
- recurrent_nodes.py: Recurrent layers: RNN, GRU and LSTM in both directions.
- reduction_nodes.py: Reductions, running sums, positions of extremes, and losses of classes.
- region_nodes.py: Regions of images: pooled, and convolved at places that are moved.
- resizing_nodes.py: Resizing along each axis by a matrix of weights.
- sampling_nodes.py: Elements at places between others, blocks put together, and boxes that do not overlap.
- sequence_nodes.py: Sequences of arrays, which are lists, and optional values, which may be None.
- shape_nodes.py: Shapes: views, joins, frames, and arrays made from a shape.
- spectrum_nodes.py: Fourier transforms; complex numbers are pairs along a last axis.
- text_nodes.py: Texts: joined, cut, cleaned and compared.
- window_geometry.py: Windows over images: sizes, frames and strides as ONNX gives them, for any number of axes.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from onnx import NodeProto, helper

from . import (
    activation_nodes,
    arithmetic_nodes,
    control_nodes,
    convolution_nodes,
    estimators,
    indexing_nodes,
    logic_nodes,
    normalization_nodes,
    optimizer_nodes,
    pooling_nodes,
    product_nodes,
    quantized_nodes,
    recurrent_nodes,
    reduction_nodes,
    region_nodes,
    resizing_nodes,
    sampling_nodes,
    sequence_nodes,
    shape_nodes,
    spectrum_nodes,
    text_nodes,
)
from .operator_rows import Limits, Rows

OPERATORS: Rows = {
    **activation_nodes.OPERATORS,
    **arithmetic_nodes.OPERATORS,
    **control_nodes.OPERATORS,
    **convolution_nodes.OPERATORS,
    **estimators.OPERATORS,
    **indexing_nodes.OPERATORS,
    **logic_nodes.OPERATORS,
    **normalization_nodes.OPERATORS,
    **optimizer_nodes.OPERATORS,
    **pooling_nodes.OPERATORS,
    **product_nodes.OPERATORS,
    **quantized_nodes.OPERATORS,
    **recurrent_nodes.OPERATORS,
    **reduction_nodes.OPERATORS,
    **region_nodes.OPERATORS,
    **resizing_nodes.OPERATORS,
    **sampling_nodes.OPERATORS,
    **sequence_nodes.OPERATORS,
    **shape_nodes.OPERATORS,
    **spectrum_nodes.OPERATORS,
    **text_nodes.OPERATORS,
}
LIMITS: Limits = {
    **control_nodes.LIMITS,
    **estimators.LIMITS,
    **normalization_nodes.LIMITS,
    **recurrent_nodes.LIMITS,
    **region_nodes.LIMITS,
    **shape_nodes.LIMITS,
}


def find(schema: Any) -> Any:
    """The function for this version of an operator, or None.  schema: an `onnx.defs.OpSchema`"""
    row = row_of(schema)
    if row is None:
        return None
    _, _, function, *leading = row
    return partial(function, *leading) if leading else function


def row_of(schema: Any) -> tuple[Any, ...] | None:
    """The row of the tables for this version of an operator, or None."""
    name = f"{schema.domain}:{schema.name}" if schema.domain else schema.name
    rows = OPERATORS.get(name, ())
    return next((row for row in rows if row[0] <= schema.since_version <= row[1]), None)


def wants_output_count(function: Callable[..., Any]) -> bool:
    """Whether an operator asks how many outputs its node has."""
    return "n_outputs" in inspect.signature(function).parameters


def reason_against(schema: Any, node: NodeProto, constants: Mapping[str, Any]) -> str | None:
    """Why a node with these attributes cannot run, or None.  constants: tensors of the file by their names."""
    limit = LIMITS.get(schema.name)
    attributes = {item.name: helper.get_attribute_value(item) for item in node.attribute}
    return limit(node, schema, attributes, constants) if limit else None
