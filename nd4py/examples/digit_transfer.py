"""Use what a network has learnt of the digits 0 to 6 to learn 7, 8 and 9 from a few examples.

    python -m nd4py.examples.digit_transfer [--examples N] [--epochs N] [--seed N]

The digits are the 1,797 scans that come with scikit-learn.
"""

import argparse

import nd4py as nd
from nd4py import data, nn

from .command_line import positive, run

KNOWN = 7  # the digits below are learnt first


def main(arguments=None):
    """Run the program.  Returns the accuracies on 7 to 9 of the network that was taken over, and of a new one."""
    return run(train_and_compare, parser(), arguments)


def parser():
    """What the command line may say."""
    found = argparse.ArgumentParser(prog="python -m nd4py.examples.digit_transfer", description=__doc__.split("\n")[0])
    found.add_argument("--examples", type=positive, default=12, help="scans of 7, 8 and 9 to learn from (12)")
    found.add_argument("--epochs", type=positive, default=10, help="passes over the digits 0 to 6 (10)")
    found.add_argument("--seed", type=int, default=1, help="of the first weights (1)")
    return found


def train_and_compare(options):
    """Train on 0 to 6, then learn 7 to 9 with the first convolution as it is, and with a new network."""
    train, test = (next(iter(data.DigitsDataSetIterator(2000, part, seed=None))) for part in (True, False))
    first = network(KNOWN, options.seed)
    examples = digits_of(train, 0, KNOWN)
    first.fit(data.ArrayDataSetIterator(examples.features, examples.labels, 32, options.seed), options.epochs)
    print(f"0 to 6: accuracy {first.evaluate(digits_of(test, 0, KNOWN)).accuracy():.3f}")

    few, rest = digits_of(train, KNOWN, 10, options.examples), digits_of(test, KNOWN, 10)
    taken_over = (
        nn.TransferLearning(first)
        .set_feature_extractor(1)  # the first convolution and its pooling stay as they are
        .n_out_replace(5, 10 - KNOWN)  # a new output layer
        .fine_tune(updater=nn.Adam(3e-3))
        .build()
    )
    accuracies = []
    for name, net in (("taken over", taken_over), ("new", network(10 - KNOWN, options.seed + 1))):
        for _ in range(100):
            net.fit_batch(few.features, few.labels)
        accuracies.append(net.evaluate(rest).accuracy())
        print(f"7 to 9 from {few.num_examples()} examples, {name}: accuracy {accuracies[-1]:.3f}")
    return tuple(accuracies)


def network(n_classes, seed):
    """A small convolutional network."""
    return nn.MultiLayerNetwork(
        [
            nn.ConvolutionLayer(5, 16, activation="relu"),
            nn.SubsamplingLayer("max"),
            nn.ConvolutionLayer(3, 32, activation="relu"),
            nn.SubsamplingLayer("max"),
            nn.DenseLayer(64, "relu"),
            nn.OutputLayer(n_classes),
        ],
        input_type=nn.InputType.convolutional_flat(28, 28, 1),
        updater=nn.Adam(1e-3),
        seed=seed,
    )


def digits_of(examples, first, stop, n=None):
    """The scans of the digits from `first` to below `stop`, at most `n` of them, with labels for these alone."""
    classes = nd.argmax(examples.labels, axis=1)
    chosen = nd.nonzero((classes >= first) & (classes < stop))[0][:n]
    return data.DataSet(examples.features[chosen], nd.one_hot(classes[chosen] - first, stop - first))


if __name__ == "__main__":
    main()
