"""Models of the Open Neural Network Exchange format: read, run and written with nd4py's functions.

The files, as the build lists them:

- backend_interface.py: The interface that tools for ONNX models call: `Backend`, as `onnx.backend.base` describes it.
- compiled_graph.py: Graphs as lists of steps: a function, where its inputs come from, and where its outputs go.
- contributed_bodies.py: Operators of onnxruntime that its tools for quantization and transformers write, as bodies of
  ONNX's own operators.
- element_types.py: Element types of ONNX and the dtypes that hold them.
- exported_functions.py: Functions of arrays written as models of the ONNX format.
- exporting.py: Networks written as models of the ONNX format.
- function_bodies.py: Nodes that are written out: functions of the model, and operators that only have a body in the
  onnx package.
- large_tensors.py: Large tensors of a model: read straight into arrays, while everything else is a protocol buffer.
- loaded_model.py: Models that were loaded: they run with nd4py's functions.
- model_files.py: Models as files, bytes or protocol buffers, checked before anything is computed.
- node_order.py: Nodes put behind those whose outputs they read, which the format asks for and some tools forget.
- operators/: Operators of ONNX by family: what each computes, and from which to which version of its definition.
- recorded/: Recorded operations as nodes of ONNX.
- repeated_runs.py: Runs of a graph with inputs of shapes that were met before: their launches are repeated, without
  Python.
- rewriting/: Graphs rewritten once, when they are loaded, so that each run does less.
- schemas.py: Definitions of operators, as the onnx package has them, for nodes of a model.
- support_checks.py: What of a model is not supported, found before it runs.
- writers/: Networks as ONNX graphs: for each kind of layer and vertex the nodes that compute the same.
"""

try:
    import onnx as _onnx
except ImportError as error:
    raise ImportError("nd4py.onnx needs onnx: pip install 'nd4py[onnx]'") from error

from .backend_interface import Backend
from .exporting import export
from .loaded_model import Model, load

__all__ = ["Backend", "Model", "export", "load"]
