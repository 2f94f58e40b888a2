# Made from nd4py/_core/graphs/replay.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py._core.graphs.launch_recording import Recorder
from typing import Any

class Patches:
    def __init__(self) -> None: ...

class Replay:
    @property
    def launches(self) -> list[Any]: ...
    @property
    def block_bytes(self) -> int: ...
    @property
    def arena_bytes(self) -> int: ...
    def __init__(
        self,
        recorder: Recorder,
        launches: list[Any],
        starts: dict[Any, Any],
        arena_bytes: int,
        inputs: dict[Any, Any],
        outputs: dict[Any, Any],
    ) -> None: ...
    @property
    def workplace_bytes(self) -> int: ...
    def check(self, recorder: Recorder, starts: dict[int, int], inputs: list[int], pattern: int) -> None: ...
