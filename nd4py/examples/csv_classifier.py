"""Learn the classes of the rows of a CSV file.

    python -m nd4py.examples.csv_classifier [--csv FILE] [--epochs N] [--seed N]

The first line is a header; the last column is the class, the others are numbers.
Without --csv it reads the table of 569 tumours that comes with scikit-learn.
"""

import argparse
import csv
from pathlib import Path

import nd4py as nd
from nd4py import data, nn

from .command_line import positive, run
from .extras import extra

TRAIN_SHARE = 0.75


def main(arguments=None):
    """Run the program.  Returns the accuracy on rows that were not trained on."""
    return run(train_and_test, parser(), arguments)


def parser():
    """What the command line may say."""
    found = argparse.ArgumentParser(prog="python -m nd4py.examples.csv_classifier", description=__doc__.split("\n")[0])
    found.add_argument("--csv", metavar="FILE", type=Path, help="a header, then numbers and in the last column a class")
    found.add_argument("--epochs", type=positive, default=60, help="passes over the rows (60)")
    found.add_argument("--seed", type=int, default=1, help="of the division and the first weights (1)")
    return found


def train_and_test(options):
    """Train on three quarters of the rows, print how the others are classified."""
    examples, classes = read(options.csv or tumours())
    split = examples.split_test_and_train(TRAIN_SHARE, seed=options.seed)
    normalizer = data.NormalizerStandardize()
    normalizer.fit(split.train)  # of the rows that are trained on: the others are not to be known
    train, test = normalizer.transform(split.train), normalizer.transform(split.test)
    net = nn.MultiLayerNetwork(
        [nn.DenseLayer(32, "relu"), nn.DenseLayer(16, "relu", dropout=0.2), nn.OutputLayer(len(classes))],
        input_type=nn.InputType.feed_forward(examples.features.shape[1]),
        updater=nn.AdamW(3e-3),
        weight_decay=1e-3,
        seed=options.seed,
    )
    net.fit(data.ArrayDataSetIterator(train.features, train.labels, 32, options.seed), options.epochs)
    evaluation = net.evaluate(test)
    print(f"classes: {', '.join(classes)}")
    print(evaluation.stats())
    return evaluation.accuracy()


def read(path):
    """The rows of a CSV file as examples, and the names of the classes."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    try:
        features = [[float(number) for number in row[:-1]] for row in rows]
    except ValueError as error:
        raise ValueError(f"{path}: {error}; all columns but the last must be numbers") from None
    if len({len(row) for row in rows}) != 1:
        raise ValueError(f"{path}: all rows need the same number of columns, and there must be one")
    names = sorted({row[-1] for row in rows})
    labels = nd.one_hot(nd.asarray([names.index(row[-1]) for row in rows]), len(names))
    return data.DataSet(nd.asarray(features, dtype="float32"), labels), names


def tumours():
    """The file of the table that comes with scikit-learn."""
    return Path(extra("sklearn.datasets").__file__).parent / "data" / "breast_cancer.csv"


if __name__ == "__main__":
    main()
