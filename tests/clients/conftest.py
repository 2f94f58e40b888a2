"""Libraries that know nothing of nd4py, on its arrays: `SCIPY_ARRAY_API=1 python -m pytest tests/clients`.

SciPy reads that variable when it is imported, so these tests run in a process of their own; the extra `test-clients`
installs the libraries.
"""

import os

os.environ.setdefault("KERAS_BACKEND", "torch")  # Keras looks when it is first imported
if os.environ.get("SCIPY_ARRAY_API") != "1":
    collect_ignore_glob = ["test_*", "*/test_*"]
