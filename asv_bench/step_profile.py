"""Where nd4py's LeNet step spends its time: the pieces alone, then the whole step."""

import statistics
from itertools import repeat

import lenet_step
from peer_libraries import Nd4py
from peer_report import unit
from peer_timing import Timer

BATCH = 128


def pieces(nd):
    """(name, function, arguments) of every differentiated piece of the step, in order."""
    random = nd.random.Generator(1)

    def normal(*shape):
        return random.normal(size=shape, dtype="float32")

    weights_1, weights_2 = normal(20, 1, 5, 5), normal(50, 20, 5, 5)
    labels = nd.one_hot(random.integers(0, 10, (BATCH,)), 10, dtype="float32")
    yield "convolution 1", nd.conv2d, (normal(BATCH, 1, 28, 28), weights_1, normal(20)), (1, 2)
    yield "pooling 1", lambda x: nd.max_pool2d(x, (2, 2)), (normal(BATCH, 20, 24, 24),), (0,)
    yield "convolution 2", nd.conv2d, (normal(BATCH, 20, 12, 12), weights_2, normal(50)), (0, 1, 2)
    yield "pooling 2", lambda x: nd.max_pool2d(x, (2, 2)), (normal(BATCH, 50, 8, 8),), (0,)
    yield (
        "dense + relu",
        lambda x, w, b: nd.relu(x @ w + b),
        (normal(BATCH, 800), normal(800, 500), normal(500)),
        (0, 1, 2),
    )
    yield (
        "output + loss",
        lambda x, w, b: -nd.sum(labels * nd.log_softmax(x @ w + b)),
        (normal(BATCH, 500), normal(500, 10), normal(10)),
        (0, 1, 2),
    )


def measured(options, call, n_threads):
    """Median seconds of one call."""

    def batch(n_calls):
        for _ in repeat(None, n_calls):
            call()

    return statistics.median(Timer(Nd4py(), batch, n_threads).seconds() for _ in range(options.rounds))


def profile(options):
    """Lines of a markdown table: forward, and forward with backward, of each piece; then update and whole step."""
    nd = Nd4py().module
    yield "| piece | threads | forward | with gradients |"
    yield "|---|---:|---:|---:|"
    for n_threads in options.threads:
        total = 0.0
        for name, call, arguments, argnums in pieces(nd):
            forward = measured(options, lambda call=call, arguments=arguments: call(*arguments), n_threads)
            gradient = nd.grad(lambda *xs, call=call: nd.sum(call(*xs)), argnums=argnums)
            both = measured(options, lambda gradient=gradient, xs=arguments: gradient(*xs), n_threads)
            total += both
            yield f"| {name} | {n_threads} | {unit(forward)} | {unit(both)} |"
        update = measured(options, updater(nd), n_threads)
        step = measured(options, lenet_step.nd4py_step(BATCH), n_threads)
        yield f"| update | {n_threads} | {unit(update)} | |"
        yield f"| sum of the pieces | {n_threads} | | {unit(total + update)} |"
        yield f"| whole step | {n_threads} | | {unit(step)} |"


def updater(nd):
    """A function that runs the updater's row over LeNet's 431,080 parameters."""
    gradient, velocity = nd.ones(431_080, dtype="float32"), nd.zeros(431_080, dtype="float32")
    out = (velocity, nd.zeros(431_080, dtype="float32"))
    return lambda: nd.nesterovs_step(gradient, velocity, lr=lenet_step.RATE, momentum=lenet_step.MOMENTUM, out=out)
