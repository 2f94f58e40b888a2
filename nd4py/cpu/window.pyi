Pair = tuple[int, int]
Edges = tuple[int, int, int, int]

class Window:
    def __init__(
        self, who: str, x_shape: Edges, filters: int, kernel: Pair, stride: Pair, padding: Edges, dilation: Pair
    ) -> None: ...
