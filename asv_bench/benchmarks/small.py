"""Calls on ten elements, where the path of a call is all that counts."""

import nd4py as nd

CALLS = {
    "add": lambda x: x + x,
    "add scalar": lambda x: x + 1.0,
    "exp": nd.exp,
    "sum": nd.sum,
    "slice": lambda x: x[2:8],
    "reshape": lambda x: x.reshape(2, 5),
    "item": lambda x: x[3].item(),
    "empty": lambda x: nd.empty(10),
    "asarray": lambda x: nd.asarray([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]),
}


class TimeSmall:
    params = [list(CALLS)]
    param_names = ["call"]

    def setup(self, call):
        self.x = nd.arange(10.0)
        self.call = CALLS[call]

    def time_call(self, call):
        self.call(self.x)
