"""Vertices: what a computation graph does with one or more arrays, one subject per file.

The files, as the build lists them:

- merge_vertices.py: Vertices that join arrays and take parts of them.
- number_vertices.py: Vertices that combine or change numbers and keep the shape.
- sequence_vertices.py: Vertices over the steps of sequences.
- shape_vertices.py: Vertices that change the shape of examples.
- vertex.py: Vertex: the base class of vertices.
"""

from .merge_vertices import MergeVertex, StackVertex, SubsetVertex, UnstackVertex
from .number_vertices import ElementWiseVertex, L2NormalizeVertex, L2Vertex, ScaleVertex, ShiftVertex
from .sequence_vertices import (
    DotProductAttentionVertex,
    DuplicateToTimeSeriesVertex,
    LastTimeStepVertex,
    ReverseTimeSeriesVertex,
)
from .shape_vertices import PoolHelperVertex, PreprocessorVertex, ReshapeVertex
from .vertex import Vertex

VERTICES = {
    vertex.__name__: vertex
    for vertex in (
        DotProductAttentionVertex,
        DuplicateToTimeSeriesVertex,
        ElementWiseVertex,
        L2NormalizeVertex,
        L2Vertex,
        LastTimeStepVertex,
        MergeVertex,
        PoolHelperVertex,
        PreprocessorVertex,
        ReshapeVertex,
        ReverseTimeSeriesVertex,
        ScaleVertex,
        ShiftVertex,
        StackVertex,
        SubsetVertex,
        UnstackVertex,
    )
}

__all__ = [
    "VERTICES",
    "DotProductAttentionVertex",
    "DuplicateToTimeSeriesVertex",
    "ElementWiseVertex",
    "L2NormalizeVertex",
    "L2Vertex",
    "LastTimeStepVertex",
    "MergeVertex",
    "PoolHelperVertex",
    "PreprocessorVertex",
    "ReshapeVertex",
    "ReverseTimeSeriesVertex",
    "ScaleVertex",
    "ShiftVertex",
    "StackVertex",
    "SubsetVertex",
    "UnstackVertex",
    "Vertex",
]
