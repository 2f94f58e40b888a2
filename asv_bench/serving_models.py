"""Threads asking one or many models of a process for single examples: answers a second and latency.

    python asv_bench/serving_models.py --rounds 5 --models 1,2,8,64

nd4py answers by one `ModelServer`, with least_rows of 1 and of 2, and by networks that each wait for their callers;
onnxruntime by a session for each model that computes a call in the thread of its caller, which was faster than two
threads for each.  All take turns within every round; rates and latencies are medians of the rounds, and the span of the
rates says how busy the machine was.
"""

import argparse
import os
import statistics

from peer_networks import nd4py_network, onnx_session
from peer_work.networks import examples, weights
from serving_threads import WARM_CALLS, turn

N_CLIENTS = 8


def served(networks, least_rows):
    """A call for each client, each of which asks one model after the other."""
    from nd4py.parallel import ModelServer

    server = ModelServer()
    for number, network in enumerate(networks):
        server.add(f"{number}", network, least_rows=least_rows)
    return [lambda x, name=f"{number}": server.output(name, x) for number in range(len(networks))]


def made_calls(name, n_models):
    """{label: a function of an example for each model}."""
    import nd4py as nd

    arrays = list(weights(name).values())
    networks = [nd4py_network(name, [nd.asarray(array) for array in arrays]) for _ in range(n_models)]
    sessions = [onnx_session(name, arrays, 1) for _ in range(n_models)]
    return {
        "nd4py, server": served(networks, 1),
        "nd4py, server, least_rows=2": served(networks, 2),
        "nd4py, networks": [network.output for network in networks],
        "onnxruntime": [lambda x, session=session: session.run(None, {"x": x}) for session in sessions],
    }


def in_turns(calls, first, x):
    """A function that calls one model after the other, beginning with the number `first`."""
    number = first

    def call():
        nonlocal number
        number = (number + 1) % len(calls)
        calls[number](x)

    return call


def measured(name, n_models, rounds):
    """{label: [(answers a second, seconds at 50 %, at 99 %) of each round]}."""
    every, x = made_calls(name, n_models), examples(1)
    clients = {label: [in_turns(calls, i, x) for i in range(N_CLIENTS)] for label, calls in every.items()}
    for calls in every.values():
        for call in calls:
            for _ in range(WARM_CALLS):
                call(x)
    for of_label in clients.values():
        turn(of_label)
    found = {label: [] for label in every}
    for _ in range(rounds):
        for label, rows in found.items():
            rate, taken = turn(clients[label])
            rows.append((rate, taken[len(taken) // 2], taken[len(taken) * 99 // 100]))
    return found


def main():
    parser = argparse.ArgumentParser(description="Serve single examples of many models; prints a markdown table.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--models", default="1,2,8,64")
    parser.add_argument("--networks", default="LeNet,MLP")
    options = parser.parse_args()
    print("| network | models | by | answers a second | lowest to highest | p50 ms | p99 ms |")
    print("|---|---:|---|---:|---:|---:|---:|")
    for name in options.networks.split(","):
        for n_models in map(int, options.models.split(",")):
            for label, rows in measured(name, n_models, options.rounds).items():
                rate, half, late = (statistics.median(column) for column in zip(*rows, strict=True))
                rates = [row[0] for row in rows]
                print(
                    f"| {name} | {n_models} | {label} | {rate:,.0f} | {min(rates):,.0f} to {max(rates):,.0f} "
                    f"| {1e3 * half:.2f} | {1e3 * late:.1f} |",
                    flush=True,
                )
    os._exit(0)  # sessions of onnxruntime take long to end beside threads that wait


if __name__ == "__main__":
    main()
