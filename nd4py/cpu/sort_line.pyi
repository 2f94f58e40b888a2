from nd4py._core.array import NDArray

class Line:
    def __init__(self, x: NDArray, first: int, n: int, descending: bool) -> None: ...
