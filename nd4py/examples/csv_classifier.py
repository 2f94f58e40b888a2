"""Learn the classes of the rows of a CSV file.

    python -m nd4py.examples.csv_classifier [--csv FILE] [--epochs N] [--seed N]

The first line is a header; the last column is the class, the others are numbers.
Without --csv it reads the table of 569 tumours that comes with scikit-learn.
"""

import argparse
from pathlib import Path

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
    reader = data.CSVRecordReader(path, header=False, skip_lines=1)
    first = next(reader.tables(), None)
    if first is None:
        raise ValueError(f"{path}: there must be one row at least below the header")
    classes = sorted({str(record[-1]) for record in reader})
    return data.RecordReaderDataSetIterator(reader, 32, label=-1, classes=classes).dataset(), classes


def tumours():
    """The file of the table that comes with scikit-learn."""
    return Path(extra("sklearn.datasets").__file__).parent / "data" / "breast_cancer.csv"


if __name__ == "__main__":
    main()
