"""Settings of this folder."""

import numpy as np
import pytest


@pytest.fixture(autouse=True, scope="module")
def quiet_numpy():
    """NumPy is the reference: its remarks on inf and nan are not the subject's."""
    with np.errstate(all="ignore"):
        yield
