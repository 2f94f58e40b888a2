"""`python -m tests.fuzz`, and `python tests/fuzz`."""

import random
import sys
from pathlib import Path

# Modules of the fuzzer call each other `fuzz`, in every process and in the scripts that are printed.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fuzz import planted, run

if "--planted" in sys.argv:
    only = sys.argv[sys.argv.index("--planted") + 1 :]
    sys.exit(1 if planted.main(random.SystemRandom().randrange(10**9), only="".join(only)) else 0)
sys.exit(run.main())
