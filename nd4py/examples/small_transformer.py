"""Teach a small transformer a text, in which each character sees those before it, and let it write.

    python -m nd4py.examples.small_transformer [--text FILE] [--epochs N] [--units N] [--length N] [--seed N]

Without --text it reads the source of Python's own module `random`.
"""

from nd4py import nn

from .character_lstm import parser
from .command_line import run
from .texts import bits, learn, read, written

N_LAYERS, N_HEADS = 2, 4


def main(arguments=None):
    """Run the program.  Returns the bits that a character of the held-out end of the text takes."""
    return run(train_and_write, parser("small_transformer", units=64, epochs=20), arguments)


def train_and_write(options):
    """Train on the text, print how well it is known and what the network writes."""
    text = read(options.text, is_one_hot=False)
    net = network(len(text.characters), options.units, options.seed)
    print(f"{text}; {net.num_params():,} parameters")
    learn(net, text, 16, options.epochs, options.seed)
    print(written(net, text.characters, options.length, options.seed, is_one_hot=False))
    return bits(net, text.test)


def network(n_characters, n_units, seed):
    """Characters and their places as rows of numbers, two layers of attention to what came before, a loss per step."""
    attention = [nn.TransformerEncoderLayer(N_HEADS, activation="gelu", norm_first=True, causal=True)] * N_LAYERS
    return nn.MultiLayerNetwork(
        [
            nn.EmbeddingSequenceLayer(n_characters, n_units),
            nn.PositionEncodingLayer(),
            *attention,
            nn.LayerNormalization(),
            nn.RnnOutputLayer(n_characters),
        ],
        input_type=nn.InputType.recurrent(1),
        updater=nn.Adam(nn.CosineSchedule(3e-3, 2000)),
        seed=seed,
    )


if __name__ == "__main__":
    main()
