"""Reading, evaluating and saving beside the libraries that do a part of it, and what listeners cost.

    OMP_WAIT_POLICY=passive python asv_bench/training_floors.py
    OMP_WAIT_POLICY=passive python asv_bench/training_floors.py images csv --turns 9

images: a folder of 5,000 JPEG files of 128 x 128, beside Pillow's decoding alone on as many threads; and what of a step
of a LeNet on them is waiting    csv: a million rows as batches, beside pyarrow's read_csv
evaluation: of a million predictions, beside scikit-learn    checkpoint: of 100 MB, beside the disk's own writing
listeners: what `fit` adds to a step of `fit_batch`, by itself and with progress, beside a step of LeNet
The two of a row take turns in one process; times are medians.
"""

import argparse
import io
import os
import statistics
import tempfile
import time
from contextlib import redirect_stderr
from pathlib import Path

import numpy as np
from benchmarks.data import SIDE, decode_by_pillow, write_pictures

import nd4py as nd
from nd4py import data, nn, train

BATCH = 128
N_ROWS, N_COLUMNS = 1_000_000, 10
N_PREDICTIONS = 1_000_000


def race(title, floor, ours, theirs, turns):
    """Print a row of the table: both times, their ratio, and what it may be at most."""
    times = ([], [])
    for turn in range(turns + 1):  # the first is not counted
        for call, kept in zip((ours, theirs), times, strict=True):
            start = time.perf_counter()
            call()
            if turn:
                kept.append(time.perf_counter() - start)
    mine, other = map(statistics.median, times)
    show(title, f"{1e3 * mine:.1f}", f"{1e3 * other:.1f}", mine / other, floor)


def show(title, mine, other, ratio, floor):
    print(
        f"| {title} | {mine} | {other} | {ratio:.3f} | {floor:.3f} | {'yes' if ratio <= floor else 'no'} |", flush=True
    )


def images(turns):
    n_threads = nd.thread_count()
    with tempfile.TemporaryDirectory() as folder:
        write_pictures(folder)
        files = sorted(Path(folder).rglob("*.jpg"))

        def batches():
            reader = data.ImageRecordReader(folder, SIDE, SIDE, n_threads=n_threads)
            return data.RecordReaderDataSetIterator(reader, BATCH, label="label")

        def of_ours():
            for _ in batches():
                pass

        race("images, batches / Pillow", 1.1, of_ours, lambda: decode_by_pillow(files, n_threads), turns)
        net = lenet(nn.InputType.convolutional(SIDE, SIDE, 3))
        source = batches()
        source.pre_processor = data.ImagePreProcessingScaler()
        waits = []

        class Waiting:
            def iteration_done(self, model, iteration, epoch):
                waits.append(model.last_etl_ms)

        start = time.perf_counter()
        net.fit(data.AsyncDataSetIterator(source, 4), listeners=Waiting(), verbose=False)
        step_ms = 1e3 * (time.perf_counter() - start) / len(waits)
        waited_ms = statistics.mean(waits)
        show("images, waiting / LeNet's step", f"{waited_ms:.1f}", f"{step_ms:.1f}", waited_ms / step_ms, 0.05)


def lenet(kind):
    layers = [
        nn.ConvolutionLayer(5, 20), nn.SubsamplingLayer(), nn.ConvolutionLayer(5, 50), nn.SubsamplingLayer(),
        nn.DenseLayer(500, activation="relu"), nn.OutputLayer(10),
    ]  # fmt: skip
    return nn.MultiLayerNetwork(layers, input_type=kind, updater=nn.Nesterovs(1e-4))


def csv(turns):
    import pyarrow.csv

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.csv")
        rng = np.random.default_rng(1)
        with open(path, "w") as file:
            print(*(f"x{i}" for i in range(N_COLUMNS)), "kind", sep=",", file=file)
            for _ in range(0, N_ROWS, 100_000):
                table = np.column_stack([rng.standard_normal((100_000, N_COLUMNS)), rng.integers(0, 3, 100_000)])
                np.savetxt(file, table, "%.6g", ",")

        def of_ours():
            for _ in data.RecordReaderDataSetIterator(data.CSVRecordReader(path), 4096, "kind", classes=3):
                pass

        race("csv, batches / pyarrow", 1 / 0.9, of_ours, lambda: pyarrow.csv.read_csv(path), turns)


def evaluation(turns):
    from sklearn import metrics

    rng = np.random.default_rng(2)
    labels, scores = rng.integers(0, 10, N_PREDICTIONS), rng.random((N_PREDICTIONS, 10), dtype="float32")
    scores[np.arange(N_PREDICTIONS), labels] += 0.3
    scores /= scores.sum(1, keepdims=True)
    is_one, numbers = labels % 2, rng.standard_normal(N_PREDICTIONS)
    near = numbers + rng.standard_normal(N_PREDICTIONS)

    def told(make, asked, *given):
        found = make()
        found.eval(*given)
        return asked(found)

    rows = {
        "Evaluation, f1": (
            lambda: told(nn.Evaluation, lambda e: e.f1(), nd.asarray(labels), nd.asarray(scores)),
            lambda: metrics.f1_score(labels, scores.argmax(1), average="macro"),
        ),
        "ROC, exact area": (
            lambda: told(nn.ROC, lambda e: e.auc(), nd.asarray(is_one), nd.asarray(scores[:, 0])),
            lambda: metrics.roc_auc_score(is_one, scores[:, 0]),
        ),
        "RegressionEvaluation, R2 and errors": (
            lambda: told(
                nn.RegressionEvaluation,
                lambda e: (e.r_squared(), e.mean_squared_error(), e.mean_absolute_error()),
                nd.asarray(numbers[:, None]), nd.asarray(near[:, None]),
            ),
            lambda: (
                metrics.r2_score(numbers, near), metrics.mean_squared_error(numbers, near),
                metrics.mean_absolute_error(numbers, near),
            ),
        ),
    }  # fmt: skip
    for title, (ours, theirs) in rows.items():
        race(f"{title} / scikit-learn", 0.2, ours, theirs, turns)


def checkpoint(turns):
    net = nn.MultiLayerNetwork(
        [nn.DenseLayer(5000), nn.OutputLayer(10)], input_type=nn.InputType.feed_forward(5000), updater=nn.Sgd(0.1)
    )
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:  # /tmp may be memory
        ours, theirs = Path(folder, "net.zip"), Path(folder, "bytes")
        content = memoryview(bytearray(net.params().tobytes()))

        def of_the_disk():
            with open(theirs, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())

        race(f"checkpoint, {net.params().nbytes / 1e6:.0f} MB / disk", 1 / 0.8, lambda: train.save(net, ours),
             of_the_disk, turns)  # fmt: skip


def listeners(turns):
    rng = np.random.default_rng(1)

    def fitted(net, shape, n_batches, **options):
        x, y = nd.asarray(rng.random((128, *shape), dtype="float32")), nd.one_hot(rng.integers(0, 10, 128), 10)
        batches = [data.DataSet(x, y)] * n_batches

        def by_hand():
            for batch in batches:
                net.fit_batch(batch.features, batch.labels)

        def by_fit():
            with redirect_stderr(io.StringIO()):
                net.fit(batches, **options)

        return by_hand, by_fit

    def seconds(call):
        start = time.perf_counter()
        call()
        return time.perf_counter() - start

    step, _ = fitted(lenet(nn.InputType.convolutional(28, 28, 1)), (1, 28, 28), 10)
    step_ms = 1e3 * min(seconds(step) for _ in range(turns)) / 10
    # What `fit` adds is too little to be seen beside LeNet's steps: it is measured beside the shortest ones.
    for title, options in {"fit": {}, "fit with progress": {"verbose": True}}.items():
        short = nn.MultiLayerNetwork([nn.OutputLayer(10)], input_type=nn.InputType.feed_forward(4))
        by_hand, by_fit = fitted(short, (4,), 1000, **options)
        turns_of = [(seconds(by_hand), seconds(by_fit)) for _ in range(turns + 1)][1:]
        added_ms = min(ours for _, ours in turns_of) - min(theirs for theirs, _ in turns_of)  # of 1,000 steps, seconds
        show(f"{title}, what is added to a step / LeNet's step", f"{added_ms:.4f}", f"{step_ms:.1f}",
             added_ms / step_ms, 0.01)  # fmt: skip


PARTS = {part.__name__: part for part in (images, csv, evaluation, checkpoint, listeners)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], help="all without any")
    parser.add_argument("--turns", type=int, default=5)
    options = parser.parse_args()
    print("| what | ours, ms | peer, ms | ratio | floor | met |\n|---|---:|---:|---:|---:|---|")
    for name in options.parts or PARTS:
        PARTS[name](options.turns)


if __name__ == "__main__":
    main()
