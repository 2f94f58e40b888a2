"""What ND4J and DL4J promise of data, and what is claimed of their speed: where each is tested, and those tested here.

The numbers are those of the project's list.
"""

import time

import numpy as np
import pytest
from acceptance.named_tests import missing

import nd4py as nd
from nd4py import data, nn, train

TESTED = {
    "D1": [
        "test_data_dataset.py::test_split_takes_the_first_rows_for_training",
        "test_data_dataset.py::test_split_sizes_out_of_range",
        "test_data_dataset.py::test_shuffle_moves_rows_together_and_repeats",
        "test_data_dataset.py::test_batch_by_covers_every_row_once",
        "test_data_dataset.py::test_merge_concatenates_and_checks_rows",
        "test_data_dataset.py::test_masks_follow_their_rows_through_every_method",
        "test_data_dataset.py::test_sequences_of_several_lengths_are_padded_and_masked",
        "test_data_dataset.py::test_targets_that_are_the_features_are_stored_once",
        "test_data_dataset.py::test_several_inputs_are_saved_split_and_merged_with_their_masks",
    ],
    "D2": [
        "test_data_acceptance.py::test_d2_two_passes_give_the_same_data",
        "test_data_iterators.py::test_each_pass_has_a_new_order_and_a_seed_repeats_them",
    ],
    "D3": [
        "test_data_asynchronous.py::test_the_same_batches_in_the_same_order_each_time",
        "test_data_asynchronous.py::test_reads_no_further_ahead_than_the_queue_holds",
        "test_data_asynchronous.py::test_reset_ends_the_pass_and_resets_the_base",
        "test_data_asynchronous.py::test_closed_for_good",
    ],
    "D4": [
        "test_data_asynchronous.py::test_an_exception_at_item_7_arrives_after_six_items",
        "test_data_asynchronous.py::test_a_waiting_reader_is_released",
    ],
    "D5": ["test_data_acceptance.py::test_d5_batches_that_are_kept_stay_as_they_were"],
    "D6": [
        "test_data_asynchronous.py::test_who_must_not_be_read_ahead_is_refused",
        "test_data_iterators.py::test_shield_passes_everything_through_but_asks_not_to_be_read_ahead",
        "test_data_iterator_family.py::test_shielded_batches_outlive_workspaces",
    ],
    "D7": [
        "test_data_mnist.py::test_reads_the_published_names",
        "test_data_mnist.py::test_shuffled_by_the_seed_with_a_smaller_last_batch",
        "test_data_mnist.py::test_missing_files_are_named",
    ],
    "D8": [
        "test_data_records.py::test_csv_dialects",
        "test_data_records.py::test_batches_of_any_size_hold_the_rows_in_order",
        "test_data_record_sequences.py::test_images_in_order_with_the_labels_of_their_folders",
    ],
    "D9": [
        "test_data_normalizers.py::test_standardized_columns_have_mean_0_and_deviation_1",
        "test_data_normalizers.py::test_the_size_of_batches_makes_no_difference",
        "test_data_normalizers.py::test_a_constant_column_becomes_0_or_the_least",
        "test_data_normalizers.py::test_revert_undoes_transform",
        "test_data_normalizers.py::test_pixels",
        "test_data_normalizers.py::test_files_give_an_equal_normalizer",
        "test_data_normalizers.py::test_masked_steps_count_in_no_statistics_and_become_0",
        "test_data_multi_normalizer.py::test_each_array_is_scaled_by_itself",
        "test_data_pre_processors.py::test_files",
    ],
    "D10": [
        "test_data_acceptance.py::test_d10_a_fast_source_is_not_waited_for",
        "test_train_listeners.py::test_performance_line",
        "test_train_listeners.py::test_time_spent_waiting_for_data_is_noted",
    ],
    "D11": [
        "test_data_iterator_family.py::test_folds_test_every_example_once",
        "test_data_iterator_family.py::test_epochs_and_early_ends_are_counted",
        "test_data_iterator_family.py::test_samples_come_again_and_masks_follow",
        "test_data_iterator_family.py::test_parts_divide_the_batches",
        "test_data_iterator_family.py::test_kept_batches_are_made_once",
        "test_data_iterator_family.py::test_sources_take_turns",
    ],
}
# What of the claims is tested; C9 and C11 are compared in `asv_bench`, and C13 and C14 are advice.
CLAIMS = {
    "C1": ["test_memory_acceptance.py::test_m4_requests_are_served_in_nanoseconds"],
    "C2": [
        "test_memory_pool.py::test_training_with_fixed_batches_hits",
        "test_memory_pool.py::test_training_with_varying_batches_hits_in_little_memory",
    ],
    "C3": [
        "test_caches.py::test_all_look_ups_hit_from_the_second_iteration_on",
        "test_caches.py::test_caches_are_bounded",
    ],
    "C4": [
        "test_combination.py::test_g3_a_chain_of_four_is_one_pass",
        "test_combination.py::test_g3_a_pair_in_place_is_one_pass",
    ],
    "C5": [
        "test_data_acceptance.py::test_c5_half_precision_has_half_the_bytes",
        "test_network_states.py::test_half_precision_keeps_parameters_in_single",
    ],
    "C6": [
        "test_nn_workspaces.py::test_nothing_is_taken_from_the_system_once_it_is_learned",
        "test_nn_workspaces.py::test_memory_is_flat_over_ten_thousand_iterations",
    ],
    "C7": ["test_data_acceptance.py::test_d10_a_fast_source_is_not_waited_for"],
    "C8": [
        "test_parallel_networks.py::test_k_workers_with_batch_b_equal_one_network_with_batch_kb",
        "test_parallel_acceptance.py::test_p18_two_workers_are_faster_than_one",
    ],
    "C10": [
        "test_operations.py::test_map_matches_reference",  # on every instruction set of the processor
        "test_build.py::test_which_instruction_sets_are_built",
    ],
    "C12": ["test_memory_acceptance.py::test_a20_a_small_operation_costs_at_most_twice_numpy"],
}


@pytest.mark.parametrize("number", [*TESTED, *CLAIMS])
def test_named_tests_exist(number):
    assert missing({**TESTED, **CLAIMS}[number]) == []


def test_the_list_is_whole():
    assert list(TESTED) == [f"D{number}" for number in range(1, 12)]


def examples(n=40):
    rng = np.random.default_rng(5)
    return rng.normal(size=(n, 4)).astype("float32"), np.eye(3, dtype="float32")[rng.integers(0, 3, n)]


ITERATORS = {
    "arrays": lambda x, y: data.ArrayDataSetIterator(x, y, 7),
    "list": lambda x, y: data.ListDataSetIterator(data.DataSet(x, y).batch_by(6)),
    "view": lambda x, y: data.ViewDataSetIterator(data.DataSet(x, y), 9),
    "existing": lambda x, y: data.ExistingDataSetIterator(data.DataSet(x, y).batch_by(8)),
    "caching": lambda x, y: data.CachingDataSetIterator(data.ArrayDataSetIterator(x, y, 7)),
    "asynchronous": lambda x, y: data.AsyncDataSetIterator(data.ArrayDataSetIterator(x, y, 7), 3),
    "shielded": lambda x, y: data.AsyncShieldDataSetIterator(data.ArrayDataSetIterator(x, y, 7)),
    "reconstruction": lambda x, y: data.ReconstructionDataSetIterator(data.ArrayDataSetIterator(x, y, 7)),
    "early end": lambda x, y: data.EarlyTerminationDataSetIterator(data.ArrayDataSetIterator(x, y, 7), 3),
    "records": lambda x, y: data.RecordReaderDataSetIterator(data.CollectionRecordReader(x.tolist()), 7),
}


@pytest.mark.parametrize("make", ITERATORS.values(), ids=ITERATORS)
def test_d2_two_passes_give_the_same_data(make):
    iterator = make(*examples())
    passes = []
    for _ in range(3):
        passes.append([(np.array(batch.features), np.array(batch.labels)) for batch in iterator])
        iterator.reset()
        iterator.reset()
    assert len(passes[0]) > 1
    for other in passes[1:]:
        for one, two in zip(passes[0], other, strict=True):
            assert all(map(np.array_equal, one, two))


@pytest.mark.parametrize("queue_size", [1, 2, 8])
@pytest.mark.parametrize("in_workspace", [False, True])
def test_d5_batches_that_are_kept_stay_as_they_were(queue_size, in_workspace):
    """Nothing is written over: where ND4J's batches of a circular workspace have to be detached, ours are their own."""
    x, y = examples(200)
    source = data.AsyncDataSetIterator(data.ArrayDataSetIterator(x, y, 4), queue_size)
    kept = []
    for batch in source:
        if in_workspace:
            with nd.workspace("step"):
                nd.exp(batch.features + 1.0).block()
        kept.append(batch)
    assert np.array_equal(np.concatenate([np.asarray(batch.features) for batch in kept]), x)
    assert np.array_equal(np.concatenate([np.asarray(batch.labels) for batch in kept]), y)


def test_d10_a_fast_source_is_not_waited_for():
    """Batches that take 30 ms to make, and steps of 60 ms: who waited would wait for 30."""
    waits, lines = [], []

    def made():
        for _ in range(12):
            time.sleep(0.03)
            yield data.DataSet(*examples())

    class Slow(train.TrainingListener):
        def iteration_done(self, model, iteration, epoch):
            waits.append(model.last_etl_ms)
            time.sleep(0.06)

    net = nn.MultiLayerNetwork([nn.OutputLayer(3)], input_type=nn.InputType.feed_forward(4))
    listeners = [Slow(), train.PerformanceListener(4, write=lines.append)]
    net.fit(data.AsyncDataSetIterator(data.ExistingDataSetIterator(made()), 2), listeners=listeners)
    assert len(waits) == 12
    assert np.median(waits[1:]) < 15
    assert all("ETL: " in line for line in lines)


def test_c5_half_precision_has_half_the_bytes():
    sizes = {dtype: nd.zeros((1000, 10), dtype=dtype).nbytes for dtype in ("float16", "bfloat16", "float32")}
    assert sizes["float16"] == sizes["bfloat16"] == sizes["float32"] / 2
