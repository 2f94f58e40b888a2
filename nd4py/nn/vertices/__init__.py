"""Vertices: what a computation graph does with one or more arrays, one subject per file.

A vertex is public, and known to configurations, by one line here, `from .file import Name as Name`.

The files, as the build lists them:

- merge_vertices.py: Vertices that join arrays and take parts of them.
- number_vertices.py: Vertices that combine or change numbers and keep the shape.
- sequence_vertices.py: Vertices over the steps of sequences.
- shape_vertices.py: Vertices that change the shape of examples.
- vertex.py: Vertex: the base class of vertices.
"""

import typing as _typing

from ..names import public_names as _public_names
from .merge_vertices import MergeVertex as MergeVertex
from .merge_vertices import StackVertex as StackVertex
from .merge_vertices import SubsetVertex as SubsetVertex
from .merge_vertices import UnstackVertex as UnstackVertex
from .number_vertices import ElementWiseVertex as ElementWiseVertex
from .number_vertices import L2NormalizeVertex as L2NormalizeVertex
from .number_vertices import L2Vertex as L2Vertex
from .number_vertices import ScaleVertex as ScaleVertex
from .number_vertices import ShiftVertex as ShiftVertex
from .sequence_vertices import DotProductAttentionVertex as DotProductAttentionVertex
from .sequence_vertices import DuplicateToTimeSeriesVertex as DuplicateToTimeSeriesVertex
from .sequence_vertices import LastTimeStepVertex as LastTimeStepVertex
from .sequence_vertices import ReverseTimeSeriesVertex as ReverseTimeSeriesVertex
from .shape_vertices import PoolHelperVertex as PoolHelperVertex
from .shape_vertices import PreprocessorVertex as PreprocessorVertex
from .shape_vertices import ReshapeVertex as ReshapeVertex
from .vertex import Vertex as Vertex

if not _typing.TYPE_CHECKING:  # type checkers take what is imported `as` itself
    __all__ = _public_names(globals())
