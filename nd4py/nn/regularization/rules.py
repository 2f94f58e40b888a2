"""All settings of regularization that have a type of their own, by name."""

from .constraints import CONSTRAINTS
from .dropouts import DROPOUTS
from .weight_noise import WEIGHT_NOISES

RULES: dict[str, type] = {**DROPOUTS, **WEIGHT_NOISES, **CONSTRAINTS}
