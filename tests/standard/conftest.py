"""Settings of this folder."""

import numpy as np
import pytest

from .subject import NAME


def pytest_itemcollected(item):
    """NumPy warns of what the standard allows, means of nothing for one; nd4py may not."""
    if NAME != "nd4py":
        item.add_marker(pytest.mark.filterwarnings("ignore"))


@pytest.fixture(autouse=True, scope="module")
def quiet_numpy():
    """NumPy is the reference: its remarks on inf and nan are not the subject's."""
    with np.errstate(all="ignore"):
        yield
