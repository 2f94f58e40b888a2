"""Replaying: the launches of a graph run one after the other, without Python.

Design: a call works in a workplace: the blocks of all launches and the memory of all arrays in between, one piece of
memory.  What stays the same is written there once; a call writes the addresses of its inputs and results and runs.  So
several threads replay one graph at a time, each in a workplace of its own, and workplaces are kept for the next calls.
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.string cimport memcmp, memcpy, memset
from nd4py._core.array.array cimport NDArray
from nd4py._core.array.array_base cimport owner_of
from nd4py._core.graphs.launch_recording cimport BAD_INDEX, BLOCK, BUFFER, Buffer, Launch, Recorder, extent_of
from nd4py._core.lazy.deferred cimport is_deferred, materialized
from nd4py._core.threads.threads cimport goes_on, raise_if_stopped
from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py._mem.workspace.held_memory cimport Hold, holds, is_held
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from ..._mem.diagnostics.memory_wants import out_of_memory
from ..array.released import type_name
from .launch_recording import REMEDY

cdef enum:
    ALIGNMENT = 64
    MOST_HELD = 32                       # addresses; more than a hold takes stand for all memory


cdef class Patches:
    """A growing array of patches."""

    def __cinit__(self):
        self.memory = bytearray()
        self.n = 0

    cdef int append(self, size_t field, Py_ssize_t number, Py_ssize_t offset) except -1:
        cdef Patch patch = Patch(field, number, offset)
        self.memory.extend((<const char*>&patch)[:sizeof(Patch)])
        self.items = <Patch*>PyByteArray_AS_STRING(self.memory)
        self.n += 1
        return 0


cdef class Replay:
    """Launches that were recorded, with their addresses laid out anew.

    starts: where in the arena each buffer lies, by its number    inputs: (number of the input, byte at which it begins)
    of buffers that hold one    outputs: the number of the result of buffers that are one
    """

    def __init__(self, Recorder recorder, list launches, dict starts, size_t arena_bytes, dict inputs, dict outputs):
        cdef Launch launch
        cdef Step step
        self.launches, self.arena_bytes = launches, arena_bytes
        self.template, self.step_memory = bytearray(ALIGNMENT), bytearray()
        self.inside, self.absolute, self.of_inputs, self.of_outputs = Patches(), Patches(), Patches(), Patches()
        self.constants = [array for array, _, _ in recorder.constants]
        self.constant_data = [<size_t>(<NDArray>array).data for array in self.constants]
        self.of_kept, self.keep_memory = Patches(), bytearray()
        for launch in launches:
            step = Step(launch.run, len(self.template))
            self.template.extend(launch.block)
            self.template.extend(bytes((ALIGNMENT - len(self.template) % ALIGNMENT) % ALIGNMENT))
            self.step_memory.extend((<const char*>&step)[:sizeof(Step)])
        self.steps = <Step*>PyByteArray_AS_STRING(self.step_memory)
        self.n_steps = len(launches)
        self.block_bytes = len(self.template)
        self.generation = 0
        for i in range(self.n_steps):
            launch = <Launch>launches[i]
            for address in launch.addresses:
                if address[1] == BLOCK or address[1] == BUFFER:
                    self.place(self.steps[i].block, address, starts, inputs, outputs)
                else:
                    start = <Py_ssize_t>recorder.constants[address[2]][1] - <Py_ssize_t>self.constant_data[address[2]]
                    self.absolute.append(self.steps[i].block + <size_t>address[0], address[2], address[3] + start)
            if len(launch.constants_kept()) == 1:
                self.add_keep(i, launch)
        self.keeps = <Keep*>PyByteArray_AS_STRING(self.keep_memory)
        if self.kept_bytes:
            self.kept_data = <char*>pool_allocate(self.kept_bytes)
            if self.kept_data == NULL:
                raise out_of_memory(self.kept_bytes, "what a graph keeps of its weights")

    cdef int add_keep(self, Py_ssize_t i, Launch launch) except -1:
        """Give a launch room for what it keeps."""
        cdef Keep keep = Keep(launch.prepare, self.steps[i].block, self.kept_bytes, launch.constants_kept()[0], 0, 0,
                              False)
        self.keep_memory.extend((<const char*>&keep)[:sizeof(Keep)])
        self.of_kept.append(self.steps[i].block + launch.kept_field, 0, self.kept_bytes)
        self.kept_bytes += (launch.kept_bytes + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
        self.n_keeps += 1
        return 0

    cdef void refresh(self, char* workplace) noexcept:
        """Make what is kept anew where the array it is made of was written since, or may have been.

        With the GIL: nobody else makes it meanwhile.  While somebody computes with the array, perhaps writing it, the
        next call looks again.
        """
        cdef NDArray x, owner
        cdef Keep* keep
        cdef char* low
        cdef char* high
        cdef Py_ssize_t i
        for i in range(self.n_keeps):
            keep = &self.keeps[i]
            x = <NDArray>self.constants[keep.constant]
            owner = <NDArray>owner_of(x)
            if keep.is_made and keep.version == owner.version and keep.n_shared == owner.n_shared:
                continue
            extent_of(x, &low, &high)
            keep.is_made = ((owner.block != NULL or owner.attachment != NULL) and owner.n_shares == 0
                            and not is_held(low, high))
            keep.version, keep.n_shared = owner.version, owner.n_shared
            keep.prepare(workplace + keep.block)

    cdef int place(self, size_t block, tuple address, dict starts, dict inputs, dict outputs) except -1:
        """Note what an address of a block is to be."""
        cdef size_t field = block + <size_t>address[0]
        number, offset = address[2], address[3]
        if address[1] == BLOCK:
            return self.inside.append(field, 0, block + <Py_ssize_t>offset)
        if number in inputs:
            return self.of_inputs.append(field, inputs[number][0], offset - inputs[number][1])
        if number in outputs:
            return self.of_outputs.append(field, outputs[number], offset)
        return self.inside.append(field, 0, self.block_bytes + <Py_ssize_t>starts[number] + <Py_ssize_t>offset)

    def __dealloc__(self):
        self.forget_workplaces()
        if self.kept_data != NULL:
            pool_release(self.kept_data, self.kept_bytes)

    cdef void forget_workplaces(self) noexcept:
        while self.n_kept > 0:
            self.n_kept -= 1
            pool_release(self.kept[self.n_kept], self.block_bytes + self.arena_bytes)

    @property
    def workplace_bytes(self) -> int:
        """What each thread that replays the graph needs beside inputs and results."""
        return self.block_bytes + self.arena_bytes

    cdef char* take_workplace(self) except NULL:
        cdef char* workplace
        cdef size_t data
        cdef Py_ssize_t i
        if self.n_kept > 0:
            self.n_kept -= 1
            return self.kept[self.n_kept]
        workplace = <char*>pool_allocate(self.block_bytes + self.arena_bytes)
        if workplace == NULL:
            raise out_of_memory(self.block_bytes + self.arena_bytes, "a graph to work in")
        memcpy(workplace, PyByteArray_AS_STRING(self.template), self.block_bytes)
        for i in range(self.inside.n):
            (<char**>(workplace + self.inside.items[i].field))[0] = workplace + self.inside.items[i].offset
        for i in range(self.absolute.n):
            data = <size_t>self.constant_data[self.absolute.items[i].number] + self.absolute.items[i].offset
            (<size_t*>(workplace + self.absolute.items[i].field))[0] = data
        for i in range(self.of_kept.n):
            (<char**>(workplace + self.of_kept.items[i].field))[0] = self.kept_data + self.of_kept.items[i].offset
        (<Py_ssize_t*>workplace)[0] = self.generation
        return workplace

    cdef void give_workplace(self, char* workplace) noexcept:
        if self.n_kept < MOST_KEPT and (<Py_ssize_t*>workplace)[0] == self.generation:
            self.kept[self.n_kept] = workplace
            self.n_kept += 1
        else:
            pool_release(workplace, self.block_bytes + self.arena_bytes)

    cdef int check_constants(self) except -1:
        """Find the arrays that the graph reads; one that was written by a deferred operation may have moved.

        Raises the error of one that has lost its memory.
        """
        cdef Py_ssize_t i
        for i in range(len(self.constants)):
            array = self.constants[i]
            if type(array) is not NDArray:
                if is_deferred(array):
                    materialized(array)
                else:
                    type_name(array)
            if <size_t>(<NDArray>array).data != <size_t>self.constant_data[i]:
                self.constant_data[i] = <size_t>(<NDArray>array).data
                self.generation += 1
                self.forget_workplaces()
        return 0

    cdef int run(self, const char** inputs, Py_ssize_t n_inputs, const char** outputs) except -1:
        """Run all launches on these addresses, after `check_constants`.

        Raises MemoryError, IndexError, and what a signal's handler raised.
        """
        cdef size_t missing = 0
        cdef Py_ssize_t i, n_held = 0
        cdef const char* held[MOST_HELD]
        cdef char* workplace
        cdef Hold hold
        for i in range(n_inputs):
            if n_held < MOST_HELD:
                held[n_held] = inputs[i]
                n_held += 1
        for i in range(len(self.constants)):
            if n_held < MOST_HELD:
                held[n_held] = (<NDArray>self.constants[i]).data
                n_held += 1
        workplace = self.take_workplace()
        patch(workplace, self.of_inputs, inputs)
        patch(workplace, self.of_outputs, outputs)
        self.refresh(workplace)
        hold.add_all(holds, held, n_held)
        with nogil:
            for i in range(self.n_steps):
                if i > 0 and not goes_on():
                    break
                missing = self.steps[i].run(workplace + self.steps[i].block)
                if missing:
                    break
        self.give_workplace(workplace)
        if missing:
            self.fail(i, missing)
        return raise_if_stopped()

    cdef int fail(self, Py_ssize_t i, size_t missing) except -1:
        """Raises the error of a launch that has returned `missing`."""
        if missing == BAD_INDEX:
            raise IndexError(f"an index is out of range in the graph: {(<Launch>self.launches[i]).origin}")
        raise out_of_memory(missing, "a graph to work in")

    def check(self, Recorder recorder: Recorder, dict starts: dict[int, int], list inputs: list[int],
              int pattern) -> None:
        """Compare every array of a replay, whose memory held `pattern` before, with that of the capture.

        inputs: addresses.  Raises CaptureError where the launches do not make the same bytes.
        """
        cdef Buffer buffer
        cdef char* workplace = self.take_workplace()
        cdef Py_ssize_t i
        cdef size_t missing
        cdef double start
        cdef bytearray given = bytearray(len(inputs) * sizeof(void*) + 1)
        cdef const char** first = <const char**>PyByteArray_AS_STRING(given)
        for i in range(len(inputs)):
            first[i] = <const char*><size_t>inputs[i]
        try:
            memset(workplace + self.block_bytes, pattern, self.arena_bytes)
            patch(workplace, self.of_inputs, first)
            self.refresh(workplace)
            for i in range(self.n_steps):
                start = now()
                missing = self.steps[i].run(workplace + self.steps[i].block)
                if missing:
                    self.fail(i, missing)
                (<Launch>self.launches[i]).nanoseconds = now() - start
            raise_if_stopped()
            for number in {number for launch in self.launches for number in launch.written}:
                buffer = <Buffer>recorder.buffers[number]
                if memcmp(buffer.data, workplace + self.block_bytes + <size_t>starts[number], buffer.n_bytes):
                    recorder.refuse(f"{buffer.origin} cannot be captured yet; {REMEDY}")
        finally:
            self.give_workplace(workplace)


cdef inline void patch(char* workplace, Patches patches, const char** arrays) noexcept:
    cdef Py_ssize_t i
    for i in range(patches.n):
        (<const char**>(workplace + patches.items[i].field))[0] = (
            arrays[patches.items[i].number] + patches.items[i].offset
        )


cdef double now() noexcept:
    """Nanoseconds."""
    cdef timespec time
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1e9 + time.tv_nsec
