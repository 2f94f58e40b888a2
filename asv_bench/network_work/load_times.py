"""Loading an ONNX file of 100 MB by nd4py and ONNX Runtime: time and memory, each time in a process of its own.

    python asv_bench/network_work/load_times.py --rounds 9

The file is made once, 25 dense layers of 1,024 units, and read once before.  Printed are medians: of the seconds from
the path to what can run, of processor time, and of the largest memory above that of the process before.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

N_LAYERS, SIZE = 25, 1024
MEASURE = """
import sys, time

library, path = sys.argv[1:]

def mib(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name)) / 1024

if library == "nd4py":
    import nd4py.onnx
    load = nd4py.onnx.load
else:
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    load = lambda path: onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
before, start, processor = mib("VmRSS"), time.perf_counter(), time.process_time()
model = load(path)
print(time.perf_counter() - start, time.process_time() - processor, mib("VmHWM") - before)
"""


def write_model(path):
    """A model of dense layers with random weights."""
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    rng, nodes, tensors, value = np.random.default_rng(0), [], [], "x"
    for i in range(N_LAYERS):
        w = rng.normal(size=(SIZE, SIZE)).astype(np.float32) / SIZE**0.5
        tensors += [numpy_helper.from_array(w, f"w{i}"), numpy_helper.from_array(np.zeros(SIZE, np.float32), f"b{i}")]
        nodes.append(helper.make_node("Gemm", [value, f"w{i}", f"b{i}"], [f"v{i}"], transB=1))
        nodes.append(helper.make_node("Relu", [f"v{i}"], [f"r{i}"]))
        value = f"r{i}"
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", SIZE]) for name in ("x", value)]
    graph = helper.make_graph(nodes, "dense", ends[:1], ends[1:], tensors)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)


def measured(library, path):
    """(seconds, seconds of the processor, MiB) of one load."""
    call = [sys.executable, "-c", MEASURE, library, str(path)]
    return [float(word) for word in subprocess.run(call, capture_output=True, text=True, check=True).stdout.split()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=9)
    n_rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.onnx")
        write_model(path)
        size = path.stat().st_size / 2**20
        rows = {"nd4py": [], "onnxruntime": []}
        for _ in range(n_rounds):
            for library, found in rows.items():
                found.append(measured(library, path))
    print(f"a file of {size:.0f} MiB\n\n| library | ms | processor ms | memory / file |\n|---|---:|---:|---:|")
    for library, found in rows.items():
        seconds, processor, mib = (statistics.median(column) for column in zip(*found, strict=True))
        print(f"| {library} | {1e3 * seconds:.0f} | {1e3 * processor:.0f} | {mib / size:.2f} |")


if __name__ == "__main__":
    main()
