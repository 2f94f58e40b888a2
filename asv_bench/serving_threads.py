"""Networks answering single examples in several threads, each with a network of its own: calls a second and latency.

    OMP_NUM_THREADS=1 python asv_bench/serving_threads.py --rounds 5

Every library has a process of its own and computes a call on one thread.  Libraries and numbers of threads take turns
within every round; "control" computes as long in Python's hashlib, without memory.  A turn during which other processes
were busy is taken again, and a row marked ~ where that was never otherwise.  Rates and latencies are medians of the
rounds; "x alone" is the median ratio of the rates with that many threads and with one.
"""

import argparse
import hashlib
import importlib.util
import multiprocessing
import os
import statistics
import threading
import time

from peer_networks import nd4py_network, onnx_session, torch_inference
from peer_race import MAX_BUSY, seconds_elsewhere
from peer_timing import wait_until_asleep
from peer_work.networks import examples, weights

SECONDS = 0.5  # of one turn
MOST_TRIES = 12  # of a turn, for other processes to be idle
WARM_CALLS = 20


def nd4py_call(name, arrays, x):
    """nd4py replaying a graph."""
    import nd4py as nd

    network = nd4py_network(name, [nd.asarray(array) for array in arrays])
    x = nd.asarray(x, copy=True)
    graph = nd.capture(network.output, x)
    return lambda: graph(x)


def network_call(name, arrays, x):
    """nd4py by the network's own method."""
    import nd4py as nd

    network = nd4py_network(name, [nd.asarray(array) for array in arrays])
    x = nd.asarray(x, copy=True)
    return lambda: network.output(x)


def onnxruntime_call(name, arrays, x):
    """onnxruntime."""
    session = onnx_session(name, arrays, 1)
    return lambda: session.run(None, {"x": x})


def torch_call(name, arrays, x, made=lambda network, x: network):
    """PyTorch as it is; `made` may compile the network for an example."""
    import torch

    torch.set_num_threads(1)
    x = torch.from_numpy(x)
    network = made(torch_inference(name, [torch.from_numpy(array) for array in arrays]), x)

    def call():
        with torch.inference_mode():
            return network(x)

    return call


def traced_call(name, arrays, x):
    """PyTorch by torch.jit."""
    import torch

    return torch_call(name, arrays, x, lambda network, x: torch.jit.freeze(torch.jit.trace(network, x)))


def compiled_call(name, arrays, x):
    """PyTorch by torch.compile."""
    import torch

    return torch_call(name, arrays, x, lambda network, x: torch.compile(network))


def control_call(name, arrays, x):
    """A loop of about as long that touches no memory and runs without the GIL: what the machine has to give."""
    return lambda: hashlib.pbkdf2_hmac("sha256", b"password", b"salt", 100)


MAKERS = {
    "control": control_call,
    "nd4py": nd4py_call,
    "nd4py, network": network_call,
    "onnxruntime": onnxruntime_call,
    "torch": torch_call,
    "torch.jit": traced_call,
    "torch.compile": compiled_call,
}


def is_installed(name):
    package = name.partition(".")[0].partition(",")[0]
    return name == "control" or importlib.util.find_spec(package) is not None


def turn(calls):
    """Call each of `calls` in a thread of its own for SECONDS: calls a second, and sorted seconds of each call."""
    begin, latencies = threading.Barrier(len(calls)), [[] for _ in calls]

    def work(call, taken):
        begin.wait()
        now, end = time.perf_counter(), time.perf_counter() + SECONDS
        while now < end:
            call()
            after = time.perf_counter()
            taken.append(after - now)
            now = after

    threads = [threading.Thread(target=work, args=pair) for pair in zip(calls, latencies, strict=True)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    passed = time.perf_counter() - start
    taken = sorted(seconds for each in latencies for seconds in each)
    return len(taken) / passed, taken


def serve(name, network, most, pipe):
    """Answer a number of threads with the rate and the latencies at 50 and 99 percent of a turn."""
    inputs = weights(network)
    calls = [MAKERS[name](network, list(inputs.values()), examples(1)) for _ in range(most)]
    for call in calls:
        for _ in range(WARM_CALLS):
            call()
    pipe.send("ready")
    while (n_threads := pipe.recv()) is not None:
        rate, taken = turn(calls[:n_threads])
        pipe.send((rate, taken[len(taken) // 2], taken[len(taken) * 99 // 100]))


def measured(network, names, counts, rounds):
    """{(library, threads): [(rate, latency at 50 %, at 99 %, whether others were busy) of each round]}."""
    context, pipes, processes = multiprocessing.get_context("spawn"), {}, []
    for name in names:
        pipes[name], far_end = context.Pipe()
        processes.append(context.Process(target=serve, args=(name, network, max(counts), far_end), daemon=True))
        processes[-1].start()
        pipes[name].recv()
    found = {(name, n): [] for name in names for n in counts}
    for _ in range(rounds):
        for (name, n), rows in found.items():
            rows.append(undisturbed(pipes[name], n, [process.pid for process in processes]))
    for pipe, process in zip(pipes.values(), processes, strict=True):
        pipe.send(None)
        process.join()
    return found


def undisturbed(pipe, n_threads, processes):
    """A turn while other processes were idle, if there is one in MOST_TRIES: what `serve` says, and whether not."""
    for _ in range(MOST_TRIES):
        wait_until_asleep(processes)
        start, elsewhere = time.perf_counter(), seconds_elsewhere(processes)
        pipe.send(n_threads)
        answer = pipe.recv()
        is_busy = seconds_elsewhere(processes) - elsewhere > MAX_BUSY * (time.perf_counter() - start)
        if not is_busy:
            break
    return (*answer, is_busy)


def print_table(network, found):
    """Markdown: a row for each library and number of threads."""
    print(f"| {network} | threads | calls a second | x alone | p50 us | p99 us |\n|---|---:|---:|---:|---:|---:|")
    for (name, n), rows in found.items():
        rate, half, late, busy = (statistics.median(column) for column in zip(*rows, strict=True))
        alone = found[name, min(count for other, count in found if other == name)]
        gain = statistics.median(row[0] / one[0] for row, one in zip(rows, alone, strict=True))
        mark = "~" if busy else ""
        print(f"| {name}{mark} | {n} | {rate:,.0f} | {gain:.2f} | {half * 1e6:,.0f} | {late * 1e6:,.0f} |")
    print(flush=True)


def main():
    parser = argparse.ArgumentParser(description="Serve single examples from threads; prints markdown tables.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", default="1,8", help="numbers of threads, the first is compared with")
    parser.add_argument("--libs", help=f"{', '.join(MAKERS)}, by semicolons; those that are installed if not given")
    parser.add_argument("--networks", default="LeNet,MLP")
    options = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    names = options.libs.split(";") if options.libs else [name for name in MAKERS if is_installed(name)]
    for network in options.networks.split(","):
        counts = [int(n) for n in options.threads.split(",")]
        print_table(network, measured(network, names, counts, options.rounds))


if __name__ == "__main__":
    main()
