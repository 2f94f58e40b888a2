"""Learn digits without their labels: an autoencoder that removes noise, and a variational one that draws new digits.

    python -m nd4py.examples.digit_autoencoders [--epochs N] [--noise SHARE] [--seed N]

The digits are the 1,797 scans that come with scikit-learn.
"""

import argparse

import nd4py as nd
from nd4py import data, nn

from .command_line import positive, run

SIZE, LATENT = 28, 16
GREYS = " .:*#"


def main(arguments=None):
    """Run the program.

    Returns the mean squared errors of noisy test scans, of these after the autoencoder, and of the reconstructions of
    the variational one.
    """
    return run(train_and_draw, parser(), arguments)


def parser():
    """What the command line may say."""
    found = argparse.ArgumentParser(
        prog="python -m nd4py.examples.digit_autoencoders", description=__doc__.split("\n")[0]
    )
    found.add_argument("--epochs", type=positive, default=30, help="passes over the training scans (30)")
    found.add_argument("--noise", type=float, default=0.3, help="the share of pixels that are deleted (0.3)")
    found.add_argument("--seed", type=int, default=1, help="of the first weights and of the noise (1)")
    return found


def train_and_draw(options):
    """Train both, print their errors and a few digits that the variational one draws."""
    train, test = (next(iter(data.DigitsDataSetIterator(2000, part, seed=None))).features for part in (True, False))
    rng = nd.random.Generator(options.seed)
    noisy = nd.where(rng.random(test.shape) < options.noise, nd.float32(0), test)

    denoising = network(nn.AutoEncoder(128, "sigmoid", corruption_level=options.noise, loss="xent"), options.seed)
    variational = network(
        nn.VariationalAutoencoder(LATENT, (128,), (128,), activation="relu", reconstruction_distribution="bernoulli"),
        options.seed,
    )
    for net in (denoising, variational):
        net.pretrain(data.ArrayDataSetIterator(train, train, 32, options.seed), epochs=options.epochs)

    errors = [error(test, each) for each in (noisy, reconstructed(denoising, noisy), reconstructed(variational, test))]
    print(f"mean squared error: {errors[0]:.4f} with noise, {errors[1]:.4f} without it again")
    print(f"from {LATENT} numbers for each digit: {errors[2]:.4f}")
    latent = rng.normal(size=(3, LATENT), dtype="float32")
    drawn = variational.get_layer(0).generate_at_mean_given_z(variational.layer_params(0), latent)
    print(picture(drawn))
    return tuple(errors)


def network(layer, seed):
    """The layer, in a network that trains it."""
    return nn.MultiLayerNetwork(
        [layer, nn.OutputLayer(10)],
        input_type=nn.InputType.feed_forward(SIZE * SIZE),
        updater=nn.Adam(2e-3),
        seed=seed,
    )


def reconstructed(net, x):
    """What the first layer makes of examples."""
    return net.get_layer(0).reconstruct(net.layer_params(0), x)


def error(x, y):
    """The mean squared difference."""
    return float(nd.mean(nd.square(x - y), dtype="float64"))


def picture(rows):
    """Digits side by side, in letters; two rows of pixels share a line."""
    images = rows.reshape((-1, SIZE, SIZE))
    shades = nd.astype(nd.clip(nd.round(images * (len(GREYS) - 1)), 0, len(GREYS) - 1), "int64")[:, ::2]
    lines = nd.permute_dims(shades, (1, 0, 2)).reshape((SIZE // 2, -1)).tolist()
    return "\n".join("".join(GREYS[shade] for shade in line).rstrip() for line in lines)


if __name__ == "__main__":
    main()
