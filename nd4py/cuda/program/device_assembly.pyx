"""Assembly of a chain for its launch: needed steps, renumbered values, kernel key."""

from nd4py._core.lazy.chain cimport (
    CONVERSION, MAX_LINKS, MAX_PARAMS, MAX_SCALARS, MAX_VALUES, Chain, Link, is_link_needed, mark_needed, origin_of,
)
from nd4py.cuda.array.device_array cimport DeviceArray

from ..._core.array.released import type_name
from ..._spec.dtypes import DTYPES
from ..._spec.ops import ALL
from ..._spec.render.cuda_chains import Chain as ChainText
from ..._spec.render.cuda_chains import Step

cdef enum:
    SHORTS_OF_LINK = 8


cdef Assembly assemble(Chain chain, tuple values):
    """What computes some values of a chain."""
    cdef Assembly work = Assembly.__new__(Assembly)
    cdef bint is_value_needed[MAX_VALUES]
    cdef int i
    work.chain, work.values = chain, values
    for i in range(chain.n_values):
        is_value_needed[i] = False
    for value in values:
        is_value_needed[<int>value] = True
    mark_needed(chain, is_value_needed)
    for i in range(chain.n_links):
        work.is_needed[i] = is_link_needed(&chain.links[i], is_value_needed)
    number_anew(work, is_value_needed)
    return work


cdef int number_anew(Assembly work, const bint* is_value_needed) except -1:
    """Arrays, scalars, then results of links; the key and the words on the way."""
    cdef Chain chain = work.chain
    cdef short key[MAX_VALUES + MAX_LINKS * SHORTS_OF_LINK]
    cdef double words[2 * MAX_SCALARS + MAX_PARAMS]
    cdef int i, k, n = 0, n_keys = 0, n_words = 0, n_scalars = 0
    cdef Link* link
    cdef list leaves = []
    for i in range(chain.n_values):
        work.slot[i] = -1
        if is_value_needed[i] and chain.values[i].leaf >= 0:
            work.slot[i], key[n_keys] = n, chain.values[i].number
            n, n_keys = n + 1, n_keys + 1
            item = <object>chain.leaves[chain.values[i].leaf]
            if type(item) is not DeviceArray:            # its workspace ended: raises what using it would
                type_name(item)
            leaves.append(item)
    for i in range(chain.n_values):
        if is_value_needed[i] and chain.values[i].scalar >= 0:
            work.slot[i], key[n_keys] = n, -1 - chain.values[i].number
            n, n_keys, n_scalars = n + 1, n_keys + 1, n_scalars + 1
            for k in range((DTYPES[chain.values[i].number].itemsize + 7) // 8):
                words[n_words] = chain.scalars[chain.values[i].scalar][k]
                n_words += 1
    for i in range(chain.n_links):
        link = &chain.links[i]
        if not work.is_needed[i]:
            continue
        work.n_links += 1
        key[n_keys], key[n_keys + 1] = link.op, computed_number(chain, link)
        key[n_keys + 2] = chain.values[link.result].number
        n_keys += 3
        for k in range(link.n_in):
            key[n_keys] = work.slot[link.operands[k]]
            n_keys += 1
        for k in range(link.n_params):
            words[n_words] = chain.params[link.first_param + k]
            n_words += 1
        for k in range(link.n_out):
            work.slot[link.result + k] = n
            n += 1
    for value in work.values:
        key[n_keys] = work.slot[<int>value]
        n_keys += 1
    work.leaves = leaves
    work.key = (<char*>key)[:n_keys * sizeof(short)]
    work.words = (<char*>words)[:n_words * sizeof(double)]
    return 0


cdef class Assembly:
    """What computes some values of a chain: `leaves`, `words` and `key` as a kernel takes them."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Of all values."""
        return tuple([self.chain.shape[i] for i in range(self.chain.ndim)])

    @property
    def device(self) -> int:
        """The number of the device."""
        return self.chain.home.device

    @property
    def stream(self) -> int:
        """The handle of the stream that the work is given to."""
        return self.chain.home.holder

    @property
    def output_numbers(self) -> list[int]:
        """The dtypes of what is written."""
        return [self.chain.values[<int>value].number for value in self.values]

    def origin_of_output(self, int i) -> str:
        """The operation behind an output, and which line of the user's program called it."""
        return origin_of(&self.chain.links[self.chain.values[<int>self.values[i]].link])

    def text(self) -> Chain:
        """The chain as its kernels are rendered from it."""
        cdef Chain chain = self.chain
        cdef int i, k
        leaves, scalars, steps = [], [], []
        for i in range(chain.n_values):
            if self.slot[i] >= 0 and chain.values[i].leaf >= 0:
                leaves.append(DTYPES[chain.values[i].number].name)
        for i in range(chain.n_values):
            if self.slot[i] >= 0 and chain.values[i].scalar >= 0:
                scalars.append(DTYPES[chain.values[i].number].name)
        for i in range(chain.n_links):
            if self.is_needed[i]:
                link = &chain.links[i]
                operands = tuple([self.slot[link.operands[k]] for k in range(link.n_in)])
                is_row = link.op != CONVERSION
                target = "" if is_row else DTYPES[chain.values[link.result].number].name
                name, number = ALL[link.op].name if is_row else "", computed_number(chain, link)
                steps.append(Step(name, DTYPES[number].name, operands, target))
        outputs = tuple([self.slot[<int>value] for value in self.values])
        return ChainText(tuple(leaves), tuple(scalars), tuple(steps), outputs)

    def steps(self) -> list[tuple[int | None, int, tuple[int, ...], tuple[float, ...], list[int], int, list[int], str]]:
        """(row or None, dtype it computes in, operands, params, numbers of results, dtype of results, what to forget,
        origin) of each link; operands are numbers of values.

        What to forget: values that no later link needs, and that are not written.
        """
        cdef Chain chain = self.chain
        cdef int i, k
        last, found = {}, []
        for i in range(chain.n_links):
            if self.is_needed[i]:
                for k in range(chain.links[i].n_in):
                    last[chain.links[i].operands[k]] = i
        for i in range(chain.n_links):
            if not self.is_needed[i]:
                continue
            link = &chain.links[i]
            used = [link.operands[k] for k in range(link.n_in)]
            made = [link.result + k for k in range(link.n_out)]
            found.append((
                None if link.op == CONVERSION else link.op,
                computed_number(chain, link),
                tuple(used),
                tuple([chain.params[link.first_param + k] for k in range(link.n_params)]),
                made,
                chain.values[link.result].number,
                [value for value in {*used, *made} if last.get(value, i) == i and value not in self.values],
                origin_of(link),
            ))
        return found

    def given(self) -> dict[int, DeviceArray | bytes]:
        """Arrays that are read, and the bytes of scalars, by the numbers of values that `steps` names them by."""
        cdef Chain chain = self.chain
        cdef int i
        found = {}
        for i in range(chain.n_values):
            if self.slot[i] >= 0 and chain.values[i].leaf >= 0:
                found[i] = <object>chain.leaves[chain.values[i].leaf]
            elif self.slot[i] >= 0 and chain.values[i].scalar >= 0:
                found[i] = (<char*>chain.scalars[chain.values[i].scalar])[:DTYPES[chain.values[i].number].itemsize]
        return found

    def written(self) -> tuple[int, ...]:
        """The values that are written, in order, as `steps` names them."""
        return self.values
