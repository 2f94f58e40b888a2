"""Several workers on one model."""

from .averaging import average, average_and_propagate
from .wrapper import ParallelWrapper

__all__ = ["ParallelWrapper", "average", "average_and_propagate"]
