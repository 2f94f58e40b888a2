"""The work that is compared with other libraries on a GPU: its results on simulated devices are the host's."""

import gpu_peers
import pytest
from gpu_work.gpu_libraries import Nd4pyOnDevice
from gpu_work.gpu_rows import rows

pytestmark = pytest.mark.usefixtures("simulator")
ROWS = [row for row in rows() if row.work.family != "networks"]  # these have tests of their own


@pytest.mark.sampled(3)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.title.replace(" ", "-"))
def test_results_are_those_of_the_host(row):
    assert gpu_peers.disagreement(row, [Nd4pyOnDevice("cpu"), Nd4pyOnDevice("cuda:0")]) == ""
