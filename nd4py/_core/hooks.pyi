from collections.abc import Callable
from typing import Any

def install(**functions: Callable[..., Any]) -> None: ...
