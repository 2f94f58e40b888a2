# Made from nd4py/_core/graphs/captured.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from collections.abc import Callable
from nd4py._core.graphs.replay import Replay
from typing import Any

def capture_call(function: Callable[..., Any], inputs: tuple[Any, ...]) -> Captured: ...

class Output: ...

class Captured:
    @property
    def replay(self) -> Replay: ...
