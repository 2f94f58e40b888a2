"""One network that learns two things of sequences of different lengths: which digit it is, and how much ink there is.

    python -m nd4py.examples.two_tasks [--epochs N] [--seed N]

The scanned digits that come with scikit-learn are read row by row, down to the last row with ink; a mask says where
each of them ends.
"""

import argparse

import numpy as np

import nd4py as nd
from nd4py import data, nn

from .command_line import positive, run

SIZE = 28


def main(arguments=None):
    """Run the program.  Returns the accuracy of the digits, and the mean error of the share of ink."""
    return run(train_and_test, parser(), arguments)


def parser():
    """What the command line may say."""
    found = argparse.ArgumentParser(prog="python -m nd4py.examples.two_tasks", description=__doc__.split("\n")[0])
    found.add_argument("--epochs", type=positive, default=25, help="passes over the training scans (25)")
    found.add_argument("--seed", type=int, default=1, help="of the first weights (1)")
    return found


def train_and_test(options):
    """Train a graph with two outputs, print how good both are."""
    train, test = (examples(next(iter(data.DigitsDataSetIterator(2000, part, seed=None)))) for part in (True, False))
    net = network(options.seed)
    for epoch in range(options.epochs):
        train.shuffle(options.seed + epoch)
        for part in train.batch_by(32):
            net.fit(part)
    digits, ink = net.output(*test.features, mask=test.features_masks[0])
    wanted_digits, wanted_ink = test.labels
    accuracy = float(nd.mean(nd.argmax(digits, axis=1) == nd.argmax(wanted_digits, axis=1), dtype="float64"))
    there = nd.expand_dims(test.features_masks[0], -1)
    error = float(nd.sum(nd.abs(ink - wanted_ink) * there) / nd.sum(there))
    print(f"digits: accuracy {accuracy:.3f}; ink so far: mean error {error:.4f}")
    return accuracy, error


def network(seed):
    """A GRU that both outputs read: its last step for the digit, every step for the ink."""
    return nn.ComputationGraph(
        {"rows": nn.InputType.recurrent(SIZE)},
        {
            "memory": (nn.GRU(64), "rows"),
            "end": (nn.LastTimeStepVertex(), "memory"),
            "digit": (nn.OutputLayer(10), "end"),
            "ink": (nn.RnnOutputLayer(1, "identity", loss="mse"), "memory"),
        },
        outputs=("digit", "ink"),
        output_weights=(1.0, 0.5),
        updater=nn.Adam(3e-3),
        seed=seed,
    )


def examples(scans):
    """Scans as sequences of rows of pixels; labels: the digit, and after each row the share of the ink so far."""
    rows = np.asarray(scans.features).reshape(-1, SIZE, SIZE)
    ink = rows.sum(axis=2).cumsum(axis=1)
    total = ink[:, -1:]
    mask = np.concatenate([np.ones_like(total), ink[:, :-1] < total], axis=1).astype("float32")
    seen = nd.asarray(mask)
    share = nd.asarray((ink / total)[:, :, None])
    return data.MultiDataSet(
        [nd.asarray(rows)], [scans.labels, share], features_masks=[seen], labels_masks=[None, seen]
    )


if __name__ == "__main__":
    main()
