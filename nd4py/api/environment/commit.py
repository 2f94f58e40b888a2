"""Changes that happen as a whole or not at all, on every device."""

from ..._exec.autodiff.journal import change_together as change_together
from ..._exec.autodiff.journal import finish as finish

__all__: list[str] = []
