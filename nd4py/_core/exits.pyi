from nd4py._core.array import NDArray

LOST: str

def refuse_tracked(x: NDArray) -> None: ...
