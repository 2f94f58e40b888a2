"""The oneDNN helper beside the built-in convolutions: the same calls, taking turns, as a table of medians.

    python asv_bench/compare_helpers.py --threads 2 --rounds 5

The helper is used for every shape here, also where nd4py would choose the built-in path.
"""

import argparse
import statistics
import time

import nd4py as nd
from nd4py.cpu.conv import conv
from nd4py.cpu.conv.window_sizes import Window
from nd4py.cpu.onednn import onednn

SECONDS = 0.01  # of one timed batch of calls

# name: shapes of x and w, padding, stride, groups
LAYERS = {
    "LeNet 1": ((128, 1, 28, 28), (20, 1, 5, 5), 0, 1, 1),
    "LeNet 2": ((128, 20, 12, 12), (50, 20, 5, 5), 0, 1, 1),
    "ResNet stem": ((8, 3, 224, 224), (64, 3, 7, 7), 3, 2, 1),
    "ResNet 56 x 56, 64": ((8, 64, 56, 56), (64, 64, 3, 3), 1, 1, 1),
    "ResNet 28 x 28, 128": ((8, 128, 28, 28), (128, 128, 3, 3), 1, 1, 1),
    "ResNet 14 x 14, 256": ((8, 256, 14, 14), (256, 256, 3, 3), 1, 1, 1),
    "ResNet 7 x 7, 512": ((8, 512, 7, 7), (512, 512, 3, 3), 1, 1, 1),
    "one image, 14 x 14, 256": ((1, 256, 14, 14), (256, 256, 3, 3), 1, 1, 1),
    "1 x 1, 14 x 14, 256 to 1024": ((8, 256, 14, 14), (1024, 256, 1, 1), 0, 1, 1),
    "1 x 1, 14 x 14, 1024 to 256": ((8, 1024, 14, 14), (256, 1024, 1, 1), 0, 1, 1),
    "strided, 56 x 56, 64 to 128": ((8, 64, 56, 56), (128, 64, 3, 3), 1, 2, 1),
    "16 channels, 56 x 56": ((8, 16, 56, 56), (16, 16, 3, 3), 1, 1, 1),
    "20 to 32 channels, 28 x 28": ((8, 20, 28, 28), (32, 20, 3, 3), 1, 1, 1),
    "72 channels, 28 x 28": ((8, 72, 28, 28), (72, 72, 3, 3), 1, 1, 1),
    "1 x 1, 56 x 56, 256 to 64": ((8, 256, 56, 56), (64, 256, 1, 1), 0, 1, 1),
    "4 groups of 16, 56 x 56": ((8, 64, 56, 56), (64, 16, 3, 3), 1, 1, 4),
    "8 groups of 16, 28 x 28": ((8, 128, 28, 28), (128, 16, 3, 3), 1, 1, 8),
    "32 groups of 4, 28 x 28": ((8, 128, 28, 28), (128, 4, 3, 3), 1, 1, 32),
    "depthwise, 56 x 56, 128": ((8, 128, 56, 56), (128, 1, 3, 3), 1, 1, 128),
    "depthwise, 14 x 14, 512": ((8, 512, 14, 14), (512, 1, 3, 3), 1, 1, 512),
    "depthwise 5 x 5, 28 x 28, 128": ((8, 128, 28, 28), (128, 1, 5, 5), 2, 1, 128),
    "volume, 16 x 32 x 32, 16 to 32": ((2, 16, 16, 32, 32), (32, 16, 3, 3, 3), 1, 1, 1),
    "volume, 8 x 14 x 14, 64": ((2, 64, 8, 14, 14), (64, 64, 3, 3, 3), 1, 1, 1),
    "volume, 16 x 64 x 64, 3 to 16": ((1, 3, 16, 64, 64), (16, 3, 3, 3, 3), 1, 1, 1),
    "depthwise volume, 8 x 14 x 14, 32": ((2, 32, 8, 14, 14), (32, 1, 3, 3, 3), 1, 1, 32),
}


def calls_of(layer):
    """Forward, the gradient of x and the gradient of w, as functions without arguments."""
    x_shape, w_shape, padding, stride, groups = LAYERS[layer]
    n = len(x_shape) - 2
    window = Window("layer", x_shape, w_shape[0], w_shape[2:], (stride,) * n, (padding,) * 2 * n, (1,) * n, groups)
    random = nd.random.Generator(1)
    x, w = (random.normal(size=shape, dtype="float32") for shape in (x_shape, w_shape))
    dy = random.normal(size=conv.convolution(x, w, None, window).shape, dtype="float32")
    return {
        "forward": lambda: conv.convolution(x, w, None, window),
        "gradient of x": lambda: conv.convolution_input_gradient(dy, w, window),
        "gradient of w": lambda: conv.convolution_weight_gradient(x, dy, window),
    }


def seconds(call):
    """Mean seconds of a call, over SECONDS."""
    call()
    n_calls, start = 0, time.perf_counter()
    while time.perf_counter() < start + SECONDS:
        call()
        n_calls += 1
    return (time.perf_counter() - start) / n_calls


def compare(call, rounds):
    """Median seconds with the helper and without it."""
    times = {True: [], False: []}
    for _ in range(rounds):
        for wanted, measured in times.items():
            nd.helpers(wanted)
            measured.append(seconds(call))
    return statistics.median(times[True]), statistics.median(times[False])


def main():
    parser = argparse.ArgumentParser(description="Time the helper beside the built-in path; prints a markdown table.")
    parser.add_argument("--threads", type=int, default=nd.thread_count())
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    onednn.use_everywhere(True)
    print(f"{nd.config()['helpers']}, {options.threads} threads\n")
    print("| layer | work | helper | built in | helper / built in |\n|---|---|---:|---:|---:|")
    with nd.threads(options.threads):
        for layer in LAYERS:
            for work, call in calls_of(layer).items():
                helped, built_in = compare(call, options.rounds)
                print(
                    f"| {layer} | {work} | {helped * 1e3:.2f} ms | {built_in * 1e3:.2f} ms | {helped / built_in:.2f} |"
                )


if __name__ == "__main__":
    main()
