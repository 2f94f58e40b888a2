"""How much of the last cache a process counts on."""

import pytest

from nd4py.cpu.isa.last_cache import last_cache_bytes, told_bytes, usable_bytes

MIB = 1 << 20


@pytest.mark.parametrize(
    "told, n_cores, usable",
    [(480, 2, 96), (480, 16, 128), (480, 64, 480), (32, 2, 32), (32, 64, 32), (16, 4, 16), (0, 1, 0)],
)
def test_a_few_cores_count_on_their_share(told, n_cores, usable):
    assert usable_bytes(told * MIB, n_cores) == usable * MIB


def test_this_process_counts_on_no_more_than_it_is_told():
    assert 0 <= last_cache_bytes() <= told_bytes()
