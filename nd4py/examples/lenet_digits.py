"""Train a LeNet on handwritten digits with two workers, and show what it has learnt.

    python -m nd4py.examples.lenet_digits [--mnist DIR] [--epochs N] [--workers N] [--batch N] [--output DIR] [--seed N]
        [--tensorboard DIR]

Without --mnist it reads the 1,797 scans that come with scikit-learn, enlarged to 28 x 28 pixels.
"""

import argparse
import sys
from pathlib import Path

import nd4py as nd
from nd4py import data, parallel
from nd4py.train import TensorBoardListener

from .command_line import positive
from .extras import extra
from .lenet import lenet
from .progress import ProgressBar
from .report import find_misread, save_picture

if sys.platform != "win32":
    import resource

DATA_SEED = 12345
# Enough to stay clear of a test accuracy of 0.97; the digits are 40 times fewer.
DIGITS_EPOCHS, MNIST_EPOCHS = 40, 3


def main(arguments=None):
    """Run the program.  Returns the test accuracy."""
    options = parse(arguments)
    try:
        for module in ("tqdm", "matplotlib.figure"):
            extra(module)  # before the training, not after it
        train, test = load_digits(options)
        model = lenet(options.seed)
        options.output.mkdir(parents=True, exist_ok=True)
    except (ImportError, OSError, ValueError) as error:
        raise SystemExit(f"lenet_digits: {error}") from None
    print(f"{train.num_examples():,} training and {test.num_examples():,} test images, {describe_source(options)}")
    print(model.summary())
    progress = fit(model, train, options)
    return finish(model, test, progress, options)


def parse(arguments):
    """The command line as a namespace."""
    parser = argparse.ArgumentParser(prog="python -m nd4py.examples.lenet_digits", description=__doc__.split("\n")[0])
    parser.add_argument("--mnist", metavar="DIR", type=Path, help="folder with the four MNIST files")
    parser.add_argument("--epochs", type=positive, help="passes over the training images (digits 40, MNIST 3)")
    parser.add_argument("--workers", type=positive, default=2, help="replicas trained side by side (2)")
    parser.add_argument("--batch", type=positive, default=128, help="images per worker and iteration (128)")
    parser.add_argument("--output", metavar="DIR", type=Path, default=Path("lenet_digits"), help="(lenet_digits)")
    parser.add_argument("--seed", type=int, default=123, help="of the first weights (123)")
    parser.add_argument("--tensorboard", metavar="DIR", type=Path, help="folder for statistics of training")
    options = parser.parse_args(arguments)
    options.epochs = options.epochs or (DIGITS_EPOCHS if options.mnist is None else MNIST_EPOCHS)
    return options


def load_digits(options):
    """The iterators over training and test images."""
    if options.mnist is None:
        return tuple(data.DigitsDataSetIterator(options.batch, train, seed=DATA_SEED) for train in (True, False))
    return tuple(
        data.MnistDataSetIterator(options.batch, train, seed=DATA_SEED, folder=options.mnist) for train in (True, False)
    )


def describe_source(options):
    """Where the images come from."""
    return "scikit-learn's scans enlarged to 28 x 28" if options.mnist is None else f"MNIST from {options.mnist}"


def fit(model, train, options):
    """Train the model.  Returns the progress bar, which knows scores and times."""
    n_rounds = -(-len(train) // options.workers)
    progress = ProgressBar(options.epochs * n_rounds)
    model.add_listeners(progress)
    if options.tensorboard is not None:
        model.add_listeners(TensorBoardListener(options.tensorboard, statistics=10))
    with parallel.ParallelWrapper(
        model,
        workers=options.workers,
        prefetch_buffer=24,
        averaging_frequency=3,
        report_score_after_averaging=True,
    ) as wrapper:
        try:
            wrapper.fit(train, epochs=options.epochs)
        finally:
            progress.close()
    return progress


def finish(model, test, progress, options):
    """Evaluate, save and print.  Returns the test accuracy."""
    evaluation = model.evaluate(test)
    accuracy = evaluation.accuracy()
    model_path, picture_path = options.output / "lenet_digits.zip", options.output / "lenet_digits.png"
    model.save(model_path)
    save_picture(picture_path, progress.scores, find_misread(model, test), accuracy, test.num_examples())
    print(evaluation.stats())
    print(f"training time  {progress.seconds:.1f} s on {options.workers} workers")
    print(f"speed          {progress.samples_per_second:,.0f} samples/s, ETL {progress.etl_ms:.1f} ms per iteration")
    print(f"peak memory    {describe_memory()}")
    print(f"saved model    {model_path}")
    print(f"picture        {picture_path}")
    print(f"test accuracy {accuracy:.4f}")
    return accuracy


def describe_memory():
    """The most memory the process has had, and the part of it that held arrays."""
    arrays = f"{nd.memory.stats().peak_bytes / 2**20:.0f} MiB in arrays"
    if sys.platform == "win32":
        return arrays
    unit = 1 if sys.platform == "darwin" else 1024
    process_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20
    return f"{process_mib:.0f} MiB in the process, {arrays}"


if __name__ == "__main__":
    main()
