"""What ND4J and DL4J promise of devices, workers and inference: where each is tested, and those tested here.

The numbers are those of the project's list.
"""

import hashlib
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import parallel_training
import pytest
from acceptance.named_tests import missing

import nd4py as nd
from nd4py import data, nn, parallel, train

TESTED = {
    "P1": ["test_launch.py::test_threads_are_attached_to_devices_in_turns"],
    "P2": ["test_launch.py::test_one_device_alone_and_banned_ones"],
    "P3": ["test_launch.py::test_access_between_devices", "test_device_arrays.py::test_between_devices"],
    "P4": [
        "test_parallel_wrapper.py::test_average_is_the_mean_in_order_and_checks_its_input",
        "test_parallel_acceptance.py::test_p4_the_mean_is_written_to_all",
        "test_several_devices.py::test_average",
    ],
    "P5": [
        "test_parallel_wrapper.py::test_defaults_are_those_of_deeplearning4j",
        "test_parallel_wrapper.py::test_options_out_of_range",
        "test_shared_gradients.py::test_wrong_settings",
    ],
    "P6": [
        "test_parallel_wrapper.py::test_k_workers_with_batch_b_equal_one_model_with_batch_kb",
        "test_parallel_networks.py::test_k_workers_with_batch_b_equal_one_network_with_batch_kb",
    ],
    "P7": [
        "test_parallel_acceptance.py::test_p7_the_state_of_updaters_is_averaged",
        "test_parallel_networks.py::test_without_averaged_updaters_momentum_differs",
    ],
    "P8": ["test_parallel_wrapper.py::test_one_averaging_every_frequency_rounds_and_one_for_the_remainder"],
    "P9": ["test_parallel_wrapper.py::test_no_replica_is_stale_after_fit"],
    "P10": ["test_examples_lenet_digits.py::test_trains_on_the_digits_and_leaves_its_files"],
    "P11": [
        "test_parallel_faults.py::test_what_a_worker_raises_is_raised_by_fit",
        "test_parallel_faults.py::test_what_the_iterator_raises_is_raised_by_fit",
        "test_parallel_faults.py::test_what_a_listener_raises_is_raised_by_fit",
        "test_parallel_faults.py::test_it_does_not_wait_for_the_others_to_end_their_batches",
    ],
    "P12": [
        "test_shared_gradients.py::test_decoding_gives_what_was_encoded",
        "test_shared_gradients.py::test_what_is_not_sent_waits",
        "test_shared_gradients.py::test_networks_learn_by_updates_of_few_numbers",
    ],
    "P13": [
        "test_early_stopping.py::test_the_best_model_is_given_back",
        "test_early_stopping.py::test_no_improvement",
        "test_early_stopping.py::test_scores_that_are_not_finite_are_the_worst",
        "test_early_stopping.py::test_epochs_between_scores",
        "test_early_stopping.py::test_iteration_conditions",
        "test_early_stopping.py::test_invalid_scores_and_errors",
        "test_early_stopping.py::test_score_calculators",
        "test_early_stopping.py::test_configurations_are_checked",
    ],
    "P14": [
        "test_early_stopping.py::test_workers_of_a_wrapper",
        "test_early_stopping.py::test_higher_scores_can_be_better",
        "test_parallel_acceptance.py::test_p14_workers_find_what_one_network_finds",
    ],
    "P15": [
        "test_parallel_inference.py::test_every_answer_is_that_of_the_network",
        "test_parallel_inference.py::test_batches_form_and_keep_the_bits_of_a_padded_row",
        "test_parallel_inference.py::test_several_inputs_and_outputs",
        "test_parallel_inference.py::test_sequences_of_any_length_and_masks",
        "test_parallel_inference.py::test_an_error_reaches_the_callers_it_belongs_to",
        "test_parallel_inference.py::test_a_full_queue_refuses_at_once",
        "test_inference_processes.py::test_answers_are_those_of_the_network",
    ],
    "P16": [
        "test_parallel_inference.py::test_deadlines",
        "test_parallel_inference.py::test_cancelled_futures_leave_the_queue",
        "test_parallel_inference.py::test_await_and_its_cancellation",
    ],
    "P17": [
        "test_parallel_inference.py::test_updates_under_traffic_are_never_torn",
        "test_inference_processes.py::test_processes_are_killed_a_hundred_times_under_traffic",
        "test_serve_soak.py::test_three_seconds",
    ],
    "P18": ["test_parallel_acceptance.py::test_p18_two_workers_are_faster_than_one"],
}


@pytest.mark.parametrize("number", TESTED)
def test_named_tests_exist(number):
    assert missing(TESTED[number]) == []


def test_the_list_is_whole():
    assert list(TESTED) == [f"P{number}" for number in range(1, 19)]


def network(updater, seed=1):
    layers = [nn.DenseLayer(6, activation="tanh"), nn.OutputLayer(3)]
    kind = nn.InputType.feed_forward(5)
    return nn.MultiLayerNetwork(layers, input_type=kind, updater=updater, seed=seed, dtype="float64")


def batches(n, size=4):
    rng = np.random.default_rng(6)
    return [data.DataSet(rng.normal(size=(size, 5)), np.eye(3)[rng.integers(0, 3, size)]) for _ in range(n)]


def test_p4_the_mean_is_written_to_all():
    nets = [network(nn.Nesterovs(0.1), seed) for seed in range(3)]
    for net, batch in zip(nets, batches(3), strict=True):
        net.fit_batch(batch.features, batch.labels)
    params = [np.array(net.params()) for net in nets]
    states = [np.array(net.updater_state()) for net in nets]
    parallel.average_and_propagate(nets[:2], nets, updaters=True)
    for net in nets:
        np.testing.assert_allclose(net.params(), (params[0] + params[1]) / 2, rtol=1e-15)
        np.testing.assert_allclose(net.updater_state(), (states[0] + states[1]) / 2, rtol=1e-15)
    before = np.array(nets[0].params())
    parallel.average_and_propagate(nets[:1], nets[:1], updaters=True)
    assert np.asarray(nets[0].params()).tobytes() == before.tobytes()


def test_p7_the_state_of_updaters_is_averaged():
    given = batches(2)
    alone = [network(nn.Nesterovs(0.1, momentum=0.9)) for _ in given]
    for net, batch in zip(alone, given, strict=True):
        net.fit_batch(batch.features, batch.labels)
    states = [np.asarray(net.updater_state()) for net in alone]
    for is_averaged, wanted in ((True, (states[0] + states[1]) / 2), (False, states[0])):
        net = network(nn.Nesterovs(0.1, momentum=0.9))
        with parallel.ParallelWrapper(net, workers=2, average_updaters=is_averaged) as wrapper:
            wrapper.fit(given)
        np.testing.assert_allclose(net.updater_state(), wanted, rtol=1e-13, atol=1e-16)


def test_p14_workers_find_what_one_network_finds():
    """Two separable classes, accuracy as the score, which is better when it is higher."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=(80, 5))
    which = (x[:, 0] > 0).astype(int)
    x[:, 0] += 2.0 * (2 * which - 1)
    labels = np.eye(3)[which]
    whole = data.DataSet(x, labels)

    def found(trainer):
        configuration = train.EarlyStoppingConfiguration(
            score_calculator=train.EvaluationScoreCalculator(whole, "accuracy"),
            epoch_conditions=[train.BestScoreEpochTerminationCondition(0.999), train.MaxEpochsTerminationCondition(60)],
        )
        return train.EarlyStoppingTrainer(configuration, trainer, data.ArrayDataSetIterator(x, labels, 10)).fit()

    alone = found(network(nn.Sgd(0.5)))
    with parallel.ParallelWrapper(network(nn.Sgd(0.5)), workers=2) as wrapper:
        together = found(wrapper)
    for result in (alone, together):
        assert result.best_model_score == max(result.scores.values()) == 1.0
        assert result.termination_reason == "EpochTerminationCondition"
        assert "BestScore" in result.termination_details


def gain_of_hashing():
    """How much faster two threads hash than one: 2 where two cores have nothing else to do."""
    content = bytes(1 << 20)

    def hash_it(n):
        for _ in range(n):
            hashlib.sha256(content).digest()

    with ThreadPoolExecutor(2) as pool:
        start = time.perf_counter()
        hash_it(200)
        middle = time.perf_counter()
        list(pool.map(hash_it, [100, 100]))
        return (middle - start) / (time.perf_counter() - middle)


@pytest.mark.slow
def test_p18_two_workers_are_faster_than_one():
    """1.5 times on two cores that nobody else uses; docs/guides/several-workers.md has what was measured."""
    given, found = parallel_training.batches(30, 128), parallel_training.ways(2)
    ratios = []
    with nd.threads(2):
        for _ in range(8):
            seconds, is_free = [], gain_of_hashing() > 1.8
            for name in ("one thread", "shared gradients"):
                start = time.perf_counter()
                found[name](given)
                seconds.append(time.perf_counter() - start)
            if is_free and gain_of_hashing() > 1.8:
                ratios.append(seconds[0] / seconds[1])
    if not ratios:
        pytest.skip("others used the cores all the time")
    assert max(ratios) >= 1.5, ratios
