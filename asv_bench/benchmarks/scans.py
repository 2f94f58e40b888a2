"""Every scan row of the table: along one line, along the last axis and along the first; and copies between layouts."""

import nd4py as nd

from . import FLOATS, ROWS, inputs_for, require, rows


class TimeScan:
    """One scan of a long line, of rows and of columns."""

    params = [
        rows("scan"),
        [*FLOATS, "int32"],
        [((1_000_000,), 0), ((1000, 1000), 1), ((1000, 1000), 0), ((100_000, 10), 0)],
    ]
    param_names = ["op", "dtype", "shape and axis"]

    def setup(self, op, dtype, shape_and_axis):
        require(ROWS[op], dtype)
        shape, self.axis = shape_and_axis
        self.call = getattr(nd, op)
        [self.x] = inputs_for(ROWS[op], dtype, shape)

    def time_call(self, op, dtype, shape_and_axis):
        self.call(self.x, axis=self.axis)


COPIES = {
    "transpose": lambda x: x.T.copy(),
    "reversed axes": lambda x: x.reshape(100, 100, -1).permute_dims((2, 1, 0)).copy(),
    "concat, axis 1": lambda x: nd.concat((x, x), axis=1),
    "stack, axis -1": lambda x: nd.stack((x, x), axis=-1),
    "repeat": lambda x: nd.repeat(x, 3),
    "repeat, axis 0": lambda x: nd.repeat(x, 3, axis=0),
    "tile": lambda x: nd.tile(x, (2, 2)),
    "roll": lambda x: nd.roll(x, (7, 7), axis=(0, 1)),
    "pad": lambda x: nd.pad(x, 2, "reflect"),
    "tril": nd.tril,
}


class TimeCopy:
    """Matrices written in another order."""

    params = [list(COPIES), ["uint8", *FLOATS], [1000]]
    param_names = ["copy", "dtype", "side"]

    def setup(self, copy, dtype, side):
        self.call = COPIES[copy]
        self.x = nd.ones((side, side), dtype=dtype)

    def time_call(self, copy, dtype, side):
        self.call(self.x)
