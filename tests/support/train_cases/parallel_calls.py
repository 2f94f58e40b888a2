"""A call of every public name of `nd4py.parallel`."""

from data_cases.data_calls import examples, prefixed
from public_calls import call, of, x

import nd4py as nd
from nd4py import data, parallel


def parallel_calls(network):
    """The calls by their names; `network` makes a new network."""

    def served():
        (server := parallel.ModelServer()).add("net", network())
        return server

    return {
        "ClosedError": lambda: call(parallel.ClosedError, "late"),
        "QueueFullError": lambda: call(parallel.QueueFullError, "late"),
        "AdaptiveThresholdAlgorithm": lambda: call(parallel.AdaptiveThresholdAlgorithm, 1e-3, decay_rate=0.5),
        **prefixed(
            "AdaptiveThresholdAlgorithm", of(parallel.AdaptiveThresholdAlgorithm, following=lambda: (1e-3, 0.5))
        ),
        "EncodedUpdate": lambda: call(parallel.EncodedUpdate, nd.asarray([1], dtype=nd.int32), 0.1, 3, "float32", 1),
        **prefixed("EncodedUpdate", of(lambda: parallel.threshold_encode(x(3), 0.1), decode=lambda: ())),
        "FixedThresholdAlgorithm": lambda: call(parallel.FixedThresholdAlgorithm, 1e-3),
        **prefixed("FixedThresholdAlgorithm", of(parallel.FixedThresholdAlgorithm, following=lambda: (1e-3, 0.5))),
        "ResidualClippingPostProcessor": lambda: call(parallel.ResidualClippingPostProcessor, 5.0, frequency=2),
        **prefixed(
            "ResidualClippingPostProcessor",
            of(parallel.ResidualClippingPostProcessor, processed=lambda: (x(3), 0.1, 0)),
        ),
        "TargetSparsityThresholdAlgorithm": lambda: call(parallel.TargetSparsityThresholdAlgorithm, 0.1),
        **prefixed(
            "TargetSparsityThresholdAlgorithm",
            of(parallel.TargetSparsityThresholdAlgorithm, following=lambda: (1e-3, 0.5)),
        ),
        "ThresholdAlgorithm.following": lambda: call(parallel.FixedThresholdAlgorithm().following, 1e-3, 0.5),
        "threshold_encode": lambda: call(parallel.threshold_encode, x(3), 0.1),
        "ServiceStatistics": lambda: call(parallel.ServiceStatistics, queue_length=1),
        "ServiceStatistics.latency": lambda: call(parallel.ServiceStatistics(latency_counts=(0, 1)).latency, 0.5),
        **prefixed("ModelServer", of(
            served, add=lambda: ("other", network()), remove=lambda: ("net",), statistics=lambda: ("net",),
            output=lambda: ("net", x(1, 4)), submit=lambda: ("net", x(1, 4)), update_model=lambda: ("net", network()),
            aoutput=lambda: ("net", x(1, 4)), check_room=lambda: ("net",), close=lambda: (),
        )),
        **prefixed("ParallelInference", of(
            lambda: parallel.ParallelInference(network(), "in_place"), output=lambda: (x(1, 4),),
            submit=lambda: (x(1, 4),), update_model=lambda: (network(),), aoutput=lambda: (x(1, 4),), close=lambda: (),
        )),
        "DaskInference": lambda: call(parallel.DaskInference, network(), batch_size=2),
        **prefixed("DaskInference", of(lambda: parallel.DaskInference(network()), output=lambda: ([[[1.0] * 4]],))),
        "DaskRound": lambda: call(parallel.DaskRound, 0, 5, 0.5, 64, 0.1, ("here",), (0.1,)),
        "DaskTrainer": lambda: call(parallel.DaskTrainer, None, network(), batch_size=2),
        **prefixed("DaskTrainer", of(
            lambda: parallel.DaskTrainer(None, network()), fit=lambda: ([examples],), stop_fit=lambda: (),
        )),
        "ModelServer": lambda: call(parallel.ModelServer, 1),
        "ParallelInference": lambda: call(parallel.ParallelInference, network(), workers=1),
        "ParallelWrapper": lambda: call(parallel.ParallelWrapper, network(), workers=2),
        "ParallelWrapper.fit": lambda: call(
            parallel.ParallelWrapper(network(), workers=1).fit, data.ListDataSetIterator([examples()]), 1
        ),
        "average": lambda: call(parallel.average, [x(3), x(3)]),
        "average_and_propagate": lambda: call(
            parallel.average_and_propagate, [network()], [network(), network()], updaters=True
        ),
    }  # fmt: skip
