"""Registries: the layers, vertices, updaters and schedules that a configuration can hold, by their names.

Each is made from the list in the `__init__.py` of its folder; that of losses is in `losses.losses`.
"""

from . import layers, updaters, vertices
from .names import classes_of
from .updaters.schedule import CountedSchedule

# What layers derive from, and layers that hold a function, which no file can.
NO_SETTINGS = (
    *(layers.LossScoredLayer, layers.PretrainedLayer, layers.RecurrentLayer, layers.ScoredLayer),
    *(layers.WeightedLayer, layers.WrapperLayer, layers.LambdaLayer),
)
LAYERS = classes_of(layers, layers.Layer, NO_SETTINGS)
VERTICES = classes_of(vertices, vertices.Vertex)
UPDATERS = classes_of(updaters, updaters.Updater)
SCHEDULES = classes_of(updaters, CountedSchedule)
