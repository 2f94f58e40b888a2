"""Captured calls: a function run once on copies of its inputs, and what repeats it on others of their shapes."""

from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.object cimport PyObject
from libc.string cimport memcpy
from nd4py._core.array.array cimport NDArray, new_array, new_from_info, new_view
from nd4py._core.graphs.launch_recording cimport Buffer, Launch, Recorder, extent_of, loop_choices
from nd4py._core.graphs.replay cimport Replay
from nd4py._core.lazy.deferred cimport is_array, is_deferred, materialized
from nd4py._core.lazy.lazy_backend cimport flush
from nd4py._mem.free_threads cimport Section, enter_own
from nd4py._mem.workspace.scopes cimport begin_capture, end_capture, scope_changes

from ..._spec.dtypes import NUMBER
from ..array.released import type_name
from ..devices import backends
from .arena_plan import arena_places, needed_launches, separate_places
from .capture_error import CaptureError
from .result_structure import Leaf, flattened, rebuilt

cdef int BYTE = NUMBER["uint8"]
PATTERNS = (0xCB, 0x34)                  # that memory holds before a replay that is checked


cdef class Output:
    """How one array that the function returned follows from a call."""


cdef class Captured:
    """A function's launches for inputs of certain shapes, dtypes and layouts."""

    cdef bint takes(self, tuple inputs) except -1:
        """Whether the inputs are like those of the capture, and the loops those of today."""
        cdef Py_ssize_t i
        cdef NDArray x
        if len(inputs) != len(self.infos) or self.loop_choices != loop_choices:
            return False
        for i in range(len(inputs)):
            item = inputs[i]
            if self.infos[i] is None:
                if type(item) is not type(self.given[i]) or repr(item) != repr(self.given[i]):
                    return False         # by their texts: 0.0 equals -0.0, and NaN not even itself
                continue
            if type(item) is not NDArray:
                return False
            x = <NDArray>item
            if x.info is not self.infos[i] or x.number != <int>self.given[i] or x.node is not None:
                return False
        return True

    cdef object call(self, tuple inputs):
        """What the function would return for these inputs, which it `takes`."""
        cdef Section section
        enter_own(&section, <PyObject*>self)
        cdef list made = [new_memory(<Output>first) for first in self.owners]
        cdef const char** addresses = <const char**>PyByteArray_AS_STRING(self.addresses)
        cdef Py_ssize_t i
        self.replay.check_constants()
        for i in range(self.n_inputs):   # no Python from here on: the addresses are written by one thread at a time
            addresses[i] = (<NDArray>inputs[i]).data if self.infos[i] is not None else NULL
        for i in range(self.n_new):
            addresses[self.n_inputs + i] = (<NDArray>made[i]).data
        self.replay.run(addresses, self.n_inputs, addresses + self.n_inputs)
        if self.is_lone:
            return result_of(<Output>self.outputs[0], made, inputs)
        return rebuilt(self.skeleton, [result_of(<Output>output, made, inputs) for output in self.outputs])


cdef NDArray new_memory(Output first):
    """Memory that a call writes, as an array of bytes unless the result is all of it."""
    if first.is_whole:
        return new_from_info(first.number, first.info)
    return new_array(BYTE, 1, &first.n_bytes)


cdef object result_of(Output output, list made, tuple inputs):
    cdef NDArray source, view
    if output.source == SAME:
        return output.array
    source = <NDArray>(made[output.slot] if output.source == NEW else inputs[output.slot])
    if output.is_whole:
        return source
    view = new_view(source, source.data + output.offset, output.info)
    view.number = output.number
    return view


def capture_call(function: Callable[..., Any], inputs: tuple[Any, ...]) -> Captured:
    """Run a function once on copies of its inputs, and keep what repeats it.

    Raises CaptureError where that is not possible, and what the function raises.
    """
    cdef Recorder recorder = Recorder()
    cdef list arguments, leaves = []
    cdef Captured captured
    cdef Py_ssize_t choices = loop_choices
    scope_changes()                      # what was deferred before is no part of the graph
    with recorder:
        begin_capture(recorder)
        try:
            arguments = [input_copy(recorder, inputs[i], i) for i in range(len(inputs))]
            skeleton = flattened(function(*arguments), is_leaf, leaves)
            flush(False, True, None)
            leaves = [materialized(x) if is_deferred(x) else x for x in leaves]
        finally:
            end_capture()
        if recorder.error is not None:
            raise recorder.error
        recorder.check_all_known()
        captured = build(recorder, inputs, arguments, leaves, skeleton)
    captured.loop_choices = choices
    return captured


cdef object is_leaf(object item):
    """Whether an item of a result is an array, of a device too."""
    return is_array(item) or type(item) in backends


cdef object input_copy(Recorder recorder, object item, int number):
    """An array of the layout of an input, with its elements, in memory of the capture; other inputs as they are."""
    cdef NDArray x, base, copy
    cdef Py_ssize_t n_bytes
    cdef char* low
    cdef char* high
    if type(item) is not NDArray:
        return item
    x = <NDArray>item
    extent_of(x, &low, &high)
    n_bytes = high - low
    if x.info.is_contiguous:
        copy = new_from_info(x.number, x.info)
        memcpy(copy.data, low, n_bytes)
    else:
        base = new_array(BYTE, 1, &n_bytes)
        memcpy(base.data, low, n_bytes)
        copy = new_view(base, base.data + (x.data - low), x.info)
        copy.number = x.number
    copy.readonly = x.readonly
    recorder.add_input(copy, number)
    return copy


cdef Captured build(Recorder recorder, tuple inputs, list arguments, list leaves, object skeleton):
    """Lay the launches out, check that they repeat what the function did, and lay them out in little memory."""
    cdef Captured captured = Captured()
    cdef NDArray x
    cdef Buffer buffer
    cdef dict slots = {}                 # of new memory, by buffer
    cdef dict held = {}                  # the input and the byte at which it begins, by buffer
    captured.infos = [(<NDArray>item).info if type(item) is NDArray else None for item in inputs]
    captured.given = [(<NDArray>item).number if type(item) is NDArray else item for item in inputs]
    for i in range(len(arguments)):
        if type(arguments[i]) is NDArray:
            x = <NDArray>arguments[i]
            number = recorder.buffer_at(<size_t>x.data)
            buffer = <Buffer>recorder.buffers[number]
            held[number] = (i, x.data - buffer.data)
    captured.owners, captured.skeleton = [], skeleton
    captured.outputs = [output_of(recorder, leaf, arguments, held, slots, captured.owners) for leaf in leaves]
    captured.is_lone = isinstance(skeleton, Leaf)
    captured.n_inputs, captured.n_new = len(inputs), len(captured.owners)
    captured.addresses = bytearray((captured.n_inputs + captured.n_new + 1) * sizeof(void*))
    launches = needed_launches(recorder.launches, set(slots))
    sizes = [(<Buffer>buffer).n_bytes for buffer in recorder.buffers]
    starts, n_bytes = arena_places(launches, sizes, set(held) | set(slots))
    captured.replay = Replay(recorder, launches, starts, n_bytes, held, slots)
    captured.replay.give_workplace(captured.replay.take_workplace())  # else it would get the check's larger block
    check(recorder, launches, sizes, held, arguments)
    for launch in launches:
        (<Launch>launch).block = (<Launch>launch).addresses = None
    return captured


cdef int check(Recorder recorder, list launches, list sizes, dict held, list arguments) except -1:
    """Raises CaptureError unless the launches make every byte that the function made."""
    starts, n_bytes = separate_places(sizes)
    replay = Replay(recorder, launches, starts, n_bytes, held, {})
    addresses = [<size_t>(<NDArray>item).data if type(item) is NDArray else 0 for item in arguments]
    for pattern in PATTERNS:
        replay.check(recorder, starts, addresses, pattern)
    return 0


cdef Output output_of(Recorder recorder, object leaf, list arguments, dict held, dict slots, list owners):
    """How an array that the function returned follows from a call."""
    cdef Output output = Output()
    cdef NDArray x, given
    cdef Buffer buffer
    cdef Py_ssize_t number
    if type(leaf) in backends:
        raise CaptureError("nd4py.capture: the function returns an array of a device; on devices use "
                           "nd4py.cuda.Graph(step)")
    if type(leaf) is not NDArray:
        type_name(leaf)
    x = <NDArray>leaf
    if x.node is not None:
        raise CaptureError("nd4py.capture: a result is being differentiated; take gradients inside of the function")
    output.info, output.number, output.array = x.info, x.number, None
    number = recorder.buffer_at(<size_t>x.data) if x.attachment != NULL else -1
    if number < 0:
        output.source, output.array = SAME, leaf
        return output
    buffer = <Buffer>recorder.buffers[number]
    recorder.check_known(buffer)
    output.offset = x.data - buffer.data
    if number in held:
        output.source, output.slot = INPUT, held[number][0]
        given = <NDArray>arguments[output.slot]
        output.offset -= held[number][1]
        output.is_whole = output.offset == 0 and x.info is given.info and x.number == given.number
        return output
    output.source, output.n_bytes = NEW, buffer.n_bytes
    output.is_whole = (output.offset == 0 and x.info.is_contiguous
                       and x.info.size * x.info.itemsize == <Py_ssize_t>buffer.n_bytes)
    if number in slots:                  # two results in one memory
        output.slot = slots[number]
        first = <Output>owners[output.slot]
        output.is_whole = output.is_whole and first.is_whole and first.info is output.info and (
            first.number == output.number)
        return output
    output.slot = slots[number] = len(owners)
    owners.append(output)
    return output
