"""Teach LSTMs a text, character by character, and let them write.

    python -m nd4py.examples.character_lstm [--text FILE] [--epochs N] [--units N] [--length N] [--seed N]

Without --text they read the source of Python's own module `random`.
"""

import argparse
from pathlib import Path

from nd4py import nn, zoo

from .command_line import positive, run
from .texts import DEFAULT, bits, learn, read, written


def main(arguments=None):
    """Run the program.  Returns the bits that a character of the held-out end of the text takes."""
    return run(train_and_write, parser("character_lstm", units=128, epochs=20), arguments)


def parser(name, *, units, epochs):
    """What the command line of a program that writes may say."""
    found = argparse.ArgumentParser(prog=f"python -m nd4py.examples.{name}", description="Learn a text and write on.")
    found.add_argument("--text", metavar="FILE", type=Path, default=DEFAULT, help="the text to learn")
    found.add_argument("--epochs", type=positive, default=epochs, help=f"passes over the text ({epochs})")
    found.add_argument("--units", type=positive, default=units, help=f"numbers of a layer's steps ({units})")
    found.add_argument("--length", type=positive, default=200, help="characters to write (200)")
    found.add_argument("--seed", type=int, default=1, help="of the first weights and of the writing (1)")
    return found


def train_and_write(options):
    """Train on the text, print how well it is known and what the network writes."""
    text = read(options.text, is_one_hot=True)
    model = zoo.TextGenerationLSTM(n_characters=len(text.characters), n_units=options.units)
    net = model.init(updater=nn.Adam(5e-3), l2=0.0, seed=options.seed)
    print(f"{text}; {net.num_params():,} parameters")
    learn(net, text, 16, options.epochs, options.seed)
    print(written(net, text.characters, options.length, options.seed, is_one_hot=True))
    return bits(net, text.test)


if __name__ == "__main__":
    main()
