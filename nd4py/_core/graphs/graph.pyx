"""Graph: a function's launches, recorded for each kind of inputs and repeated without Python."""

import numpy

from cpython.object cimport PyObject
from nd4py._core.array.array cimport NDArray
from nd4py._core.graphs.captured cimport Captured
from nd4py._core.graphs.launch_recording cimport Launch, is_recording, loop_choices, n_captures
from nd4py._core.lazy.deferred cimport is_array, is_deferred, materialized
from nd4py._core.observing.observers cimport GRAPH, Operation, begun, n_observers
from nd4py._core.observing.panic cimport panic_kinds
from nd4py._core.upcalls cimport upcalls
from nd4py._mem.free_threads cimport Section, enter_own

from ..._mem.errors import belongs_to_process
from ..._mem.sizes import human
from ..array.exits import refuse_tracked
from ..array.released import type_name
from ..devices import UnsupportedOnDevice, backends
from .captured import capture_call
from .result_structure import flattened

cdef enum:
    MOST_KINDS = 16                      # of inputs that a graph remembers

PLAIN = (bool, int, float, complex, str, bytes, type(None))


cdef class Graph:
    """The launches of a function, which a call repeats without running the function; see `nd4py.capture`.

    graph(*inputs): what `function(*inputs)` returns, with the same bits, in new arrays
    Inputs of another shape, dtype or layout than before, and other numbers or texts, capture the function again; the 16
    kinds of inputs that were met last are remembered.  While another function is captured, a call runs this one.
    Raises TypeError where it is called, use `nd4py.capture`.
    """

    cdef readonly object function
    cdef list kinds                      # Captured, the one met last in front
    cdef Captured last

    def __init__(self, function: Callable[..., Any], *examples):
        if not callable(function):
            raise TypeError(f"nd4py.capture: a function is needed, given {type_name(function)}")
        self.function, self.kinds = function, []
        if examples:
            self.captured_for(tuple([as_input(item) for item in examples]))

    cdef Captured latest(self):
        """What was captured for the inputs met last, or None; another thread may be about to replace it."""
        cdef Section section
        enter_own(&section, <PyObject*>self)
        return self.last

    def __call__(self, *inputs) -> Any:
        cdef Captured last = self.latest()
        if n_captures and is_recording():
            return self.function(*inputs)
        if panic_kinds:                  # which operation is it?
            return self.function(*[as_input(item) for item in inputs])
        if last is None or not last.takes(inputs):
            inputs = tuple([as_input(item) for item in inputs])
            last = self.captured_for(inputs)
        return replayed(self, last, inputs)

    def repeated(self, item: Any) -> Any:
        """What a call with one array returns where it is like the one that was met last, else None.

        Raises what a call raises.

        >>> import nd4py as nd
        >>> graph = nd.capture(lambda x: x * 2, nd.ones(3))
        >>> graph.repeated(nd.arange(3.0)), graph.repeated(nd.ones(4))
        (array([0., 2., 4.], dtype=float64), None)
        """
        cdef Captured last = self.latest()
        if last is None or panic_kinds or (n_captures and is_recording()):
            return None
        if isinstance(item, numpy.ndarray):
            item = upcalls.asarray(item)
        cdef tuple inputs = (item,)
        return replayed(self, last, inputs) if last.takes(inputs) else None

    cdef Captured captured_for(self, tuple inputs):
        """The launches for inputs of this kind, recorded if need be."""
        cdef Captured found = None, kind
        for kind in self.known():
            if kind.takes(inputs):
                found = kind
        if found is None:
            found = capture_call(self.function, inputs)
        self.remember(found)
        return found

    cdef list known(self):
        """What was captured so far."""
        cdef Section section
        enter_own(&section, <PyObject*>self)
        return self.kinds

    cdef int remember(self, Captured found) except -1:
        """What was met last comes first, and what was captured with other loops than today's goes."""
        cdef Section section
        enter_own(&section, <PyObject*>self)
        others = [kind for kind in self.kinds if kind is not found and (<Captured>kind).loop_choices == loop_choices]
        self.kinds = ([found] + others)[:MOST_KINDS]
        self.last = found
        return 0

    @property
    def n_captures(self) -> int:
        """How many kinds of inputs have launches."""
        return len(self.known())

    @property
    def loop_choices(self) -> int:
        """How often this process has chosen loops: instruction sets, and whether helpers are on."""
        return loop_choices

    @property
    def n_launches(self) -> int:
        """The launches for the inputs met last; 0 before the first."""
        return 0 if self.latest() is None else len(self.latest().replay.launches)

    @property
    def workplace_bytes(self) -> int:
        """The memory that each thread needs for the inputs met last, beside inputs and results."""
        return 0 if self.latest() is None else self.latest().replay.workplace_bytes

    def summary(self) -> str:
        """A table of the launches for the inputs met last: what each does for which line of the program, the bytes of
        the arrays it reads and writes, and the time it took when the graph was checked.  Raises nothing."""
        cdef Launch launch
        if self.latest() is None:
            return "nothing is captured yet: call the graph, or give nd4py.capture examples"
        rows = [("launch", "bytes", "microseconds", "of")]
        total = 0.0
        for launch in self.latest().replay.launches:
            rows.append((launch.driver, human(launch.traffic), f"{launch.nanoseconds / 1e3:.1f}", launch.origin))
            total += launch.nanoseconds
        widths = [max([len(row[i]) for row in rows]) for i in range(3)]
        lines = [
            f"{row[0].ljust(widths[0])}  {row[1].rjust(widths[1])}  {row[2].rjust(widths[2])}  {row[3]}" for row in rows
        ]
        return "\n".join(lines + [
            f"{self.n_launches} launches, {total / 1e3:.1f} microseconds, {human(self.workplace_bytes)} in between"
        ])

    def __repr__(self):
        return f"<Graph of {getattr(self.function, '__name__', self.function)}: {self.n_captures} kinds of inputs>"

    def __reduce_ex__(self, protocol):
        raise belongs_to_process("a graph", "capture the function there")


cdef inline object replayed(Graph graph, Captured captured, tuple inputs):
    """What the launches make of inputs."""
    return captured.call(inputs) if n_observers == 0 else observed(graph, captured, inputs)


cdef object observed(Graph graph, Captured captured, tuple inputs):
    """The same, as one operation that observers are told of; its parts are the launches."""
    cdef Operation operation = begun(GRAPH, f"graph of {getattr(graph.function, '__name__', 'a function')}")
    cdef Launch launch
    result = captured.call(inputs)
    if operation is not None:
        parts, leaves = [], []
        for launch in captured.replay.launches:
            parts.append((launch.driver, f" for {launch.origin}"))
        operation.parts = tuple(parts)
        flattened(result, is_array, leaves)
        operation.finish(inputs, tuple(leaves))
    return result


cdef object as_input(object item):
    """An input as an array of the host, or a plain value.  Raises TypeError."""
    if is_deferred(item):
        item = materialized(item)
    if isinstance(item, numpy.ndarray):
        item = upcalls.asarray(item)
    if type(item) is NDArray:
        refuse_tracked(item)
        return item
    if type(item) in PLAIN:
        return item
    if type(item) in backends:
        raise UnsupportedOnDevice(
            f"nd4py.capture records launches of the host, and an input is on {item.device}; on devices use "
            "nd4py.cuda.Graph(step), which runs the same launches again on the same arrays"
        )
    raise TypeError(f"a graph takes arrays, numbers and text, given {type_name(item)}; convert it with nd4py.asarray")
