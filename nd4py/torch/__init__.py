"""Modules of PyTorch as models that nd4py runs.

The files, as the build lists them:

- exported_modules.py: Modules of PyTorch, exported in memory by PyTorch's own exporter, as models of ONNX.
"""

from .exported_modules import from_module

__all__ = ["from_module"]
