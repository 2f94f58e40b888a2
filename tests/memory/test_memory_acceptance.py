"""What ND4J's memory promises, by the numbers of the project's list: where each is tested, and the ones tested here."""

import operator
import statistics

import numpy as np
import pytest
from acceptance.named_tests import missing
from benchmarks.ratios import ratio

import nd4py as nd
from nd4py._mem.arena.arena_measures import time_arena
from nd4py._mem.pool.pool_measures import time_pool

TESTED = {
    "A13": ["test_caches.py::test_tensors_along_dimension"],
    "A17": [
        "test_arrays.py::test_equal_layouts_share_one_shape_info",
        "test_caches.py::test_all_look_ups_hit_from_the_second_iteration_on",
        "test_caches.py::test_caches_are_bounded",
    ],
    "A18": ["test_caches.py::test_all_look_ups_hit_from_the_second_iteration_on"],
    "A19": ["test_caches.py::test_constants_are_shared", "test_caches.py::test_threads_agree"],
    "A20": ["test_memory_acceptance.py::test_a20_a_small_operation_costs_at_most_twice_numpy"],
    "M1": [
        "test_memory_pool.py::test_a_fixed_loop_hits",
        "test_memory_pool.py::test_training_with_fixed_batches_hits",
    ],
    "M2": ["test_memory_pool.py::test_training_with_varying_batches_hits_in_little_memory"],
    "M3": [
        "test_memory_limits.py::test_longer_blocks_are_really_freed",
        "test_memory_limits.py::test_limits_hold_for_any_requests",
    ],
    "M4": ["test_memory_acceptance.py::test_m4_requests_are_served_in_nanoseconds"],
    "M5": ["test_memory_pool.py::test_memory_goes_at_once_without_a_collection"],
    "M6": ["test_memory_pool.py::test_a_cycle_goes_with_a_collection"],
    "M7": [
        "test_memory_pool.py::test_close_gives_back_and_refuses",
        "test_released_arrays.py::test_closing_gives_the_memory_back_at_once",
        "test_released_arrays.py::test_arrays_that_cannot_be_closed",
    ],
    "M8": [
        "test_memory_limits.py::test_more_than_the_limit_is_a_memory_error",
        "test_memory_limits.py::test_percentages",
        "test_memory_acceptance.py::test_m8_limits_by_size_and_share",
    ],
    "M9": ["test_memory_limits.py::test_physical_limit"],
    "M10": ["test_nn_workspaces.py::test_memory_is_known_before_training", "test_memory_limits.py::test_report"],
    "M11": [
        "test_workspace_configuration.py::test_fields_and_defaults",
        "test_workspace_configuration.py::test_enum_has_the_names",
    ],
    "M12": [
        "test_workspaces.py::test_nesting_restores_the_outer_one",
        "test_workspaces.py::test_entering_the_current_one_again_resets_nothing",
        "test_workspaces.py::test_scope_out_restores_what_was_current_also_when_it_was_borrowed",
    ],
    "M13": [
        "test_workspace_policies.py::test_size_learned_in_the_first_scope",
        "test_workspace_policies.py::test_learning_over_time_takes_the_largest",
        "test_workspace_policies.py::test_learning_over_time_by_hand",
        "test_workspace_policies.py::test_no_learning_spills_for_ever",
    ],
    "M14": [
        "test_workspace_policies.py::test_external_spills_what_does_not_fit",
        "test_workspace_policies.py::test_reallocate_grows_without_adding_more_each_time",
        "test_workspace_policies.py::test_fail_leaves_everything_as_it_was",
    ],
    "M15": [
        "test_workspace_policies.py::test_size_learned_in_the_first_scope",
        "test_workspace_policies.py::test_initial_size_is_there_at_once",
    ],
    "M16": [
        "test_workspace_circular.py::test_arrays_live_until_their_block_comes_round",
        "test_workspace_circular.py::test_blocks_never_overlap_what_is_alive",
    ],
    "M17": ["test_workspaces.py::test_scope_out"],
    "M18": [
        "test_attached_arrays.py::test_copies_keep_values_and_dtype_and_go_where_they_should",
        "test_attached_arrays.py::test_detach_survives",
        "test_attached_arrays.py::test_leverage",
        "test_attached_arrays.py::test_leverage_to",
        "test_attached_arrays.py::test_migrate",
    ],
    "M19": [
        "test_released_arrays.py::test_function_refuses",
        "test_released_arrays.py::test_message_says_what_where_when_and_what_to_do",
        "test_attached_arrays.py::test_copies_of_stale_arrays_are_refused",
    ],
    "M20": [
        "test_workspace_manager.py::test_spill_everything",
        "test_workspace_manager.py::test_bypass_everything",
    ],
    "M21": [
        "test_workspace_files.py::test_content_stays_from_scope_to_scope",
        "test_workspace_files.py::test_file_can_be_deleted_after_destroying",
        "test_workspace_files.py::test_what_does_not_fit_spills",
    ],
    "M22": ["test_workspace_configuration.py::test_policies_of_mirroring_are_the_same_here"],  # of the CPU
    "M23": ["test_workspaces.py::test_twenty_threads_have_twenty_workspaces"],
    "M24": [
        "test_workspace_policies.py::test_no_memory_is_taken_once_the_size_is_known",
        "test_nn_workspaces.py::test_nothing_is_taken_from_the_system_once_it_is_learned",
    ],
    "M25": ["test_nn_workspaces.py::test_memory_is_flat_over_ten_thousand_iterations"],
    "M26": ["test_workspace_manager.py::test_statistics_print"],
    "M27": [
        "test_nn_workspaces.py::test_memory_is_flat_over_ten_thousand_iterations",
        "test_memory_pool.py::test_memory_goes_at_once_without_a_collection",
    ],
}


@pytest.mark.parametrize("number", TESTED)
def test_named_tests_exist(number):
    assert missing(TESTED[number]) == []


def test_the_list_is_whole():
    assert list(TESTED) == ["A13", "A17", "A18", "A19", "A20", *(f"M{number}" for number in range(1, 28))]


def test_m4_requests_are_served_in_nanoseconds():
    """Median and 90th percentile of batches of a thousand, in native code."""
    ws = nd.Workspace("timed", nd.WorkspaceConfiguration(initial_size="16M"))
    arena = []
    for _ in range(100):
        with ws:
            arena.append(time_arena(ws, 1024, 1000))
    pool = [time_pool(1024, 1000) for _ in range(100)]
    for times, most in ((arena, 100e-9), (pool, 250e-9)):
        assert statistics.median(times) <= most
        assert statistics.quantiles(times, n=10)[-1] <= 4 * most  # others may have the core


def test_timing_an_arena_needs_room_and_an_open_scope():
    ws = nd.Workspace("timed", nd.WorkspaceConfiguration(initial_size=4096))
    with pytest.raises(ValueError, match="'timed' must be open"):
        time_arena(ws, 64, 10)
    with ws, pytest.raises(ValueError, match="no room for 1000 ranges of 64 bytes"):
        time_arena(ws, 64, 1000)


@pytest.mark.parametrize("limit, n_bytes", [("100M", 100 << 20), ("2G", 2 << 30)])
def test_m8_limits_by_size_and_share(limit, n_bytes):
    before = nd.memory.set_limits(maxbytes=limit)
    try:
        assert nd.memory.limits().maxbytes == n_bytes
        with pytest.raises(MemoryError, match=rf"cannot allocate {n_bytes + 8} bytes.*maxbytes is"):
            nd.empty(n_bytes // 8 + 1)
        nd.memory.set_limits(maxbytes="50%")
        half = nd.memory.limits().maxbytes
        with pytest.raises(MemoryError, match="maxbytes is"):
            nd.empty(half // 8 + 1)
    finally:
        nd.memory.set_limits(**vars(before))


def test_a20_a_small_operation_costs_at_most_twice_numpy():
    """`a += 1` on ten elements."""
    ours, theirs = nd.zeros(10), np.zeros(10)
    assert ratio(lambda: operator.iadd(ours, 1), lambda: operator.iadd(theirs, 1)) <= 2
