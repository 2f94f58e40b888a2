"""Training steps of convolutional networks beside PyTorch and torch.compile: time and memory.

    python asv_bench/training_blocks.py --rounds 9
    python asv_bench/training_blocks.py --memory

The time is measured in turns, as `sequences.py` does.  The memory is the largest of a process while it takes six
steps, above what it had before the first of them: the network and the batch are there by then.
"""

import subprocess
import sys
from pathlib import Path

from network_work import block_work, turns

MEASURE = """
import sys

sys.path.insert(0, sys.argv[1])
from network_work import block_work


def mib(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name)) / 1024


call = block_work.WORK[sys.argv[2]][sys.argv[3]]()
before = mib("VmRSS")
for _ in range(6):
    call()
print(mib("VmHWM") - before)
"""


def mebibytes(row, library):
    """The largest memory of the steps of a row in one library, in MiB."""
    call = [sys.executable, "-c", MEASURE, str(Path(__file__).parent), row, library]
    return float(subprocess.run(call, check=True, capture_output=True, text=True).stdout)


def print_memory():
    print("| MiB | nd4py | torch | nd4py / torch |")
    print("|---|---:|---:|---:|")
    for row in block_work.WORK:
        ours, theirs = (mebibytes(row, library) for library in ("nd4py", "torch"))
        print(f"| {row} | {ours:.1f} | {theirs:.1f} | {ours / theirs:.2f} |", flush=True)


if __name__ == "__main__":
    if "--memory" in sys.argv:
        print_memory()
    else:
        turns.main(block_work)
