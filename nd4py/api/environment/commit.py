"""Steps that are done or not done, for the layers above; on every device."""

from ..._exec.autodiff.journal import change_together as change_together
from ..._exec.autodiff.journal import finish as finish

__all__: list[str] = []
