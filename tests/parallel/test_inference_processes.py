"""Inference by processes: the bits of threads, and nobody waits for ever or for a wrong answer when processes die."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from train_cases import process_layers
from train_cases.process_layers import FATAL, SLOW, WRONG, network

import nd4py as nd
from nd4py.parallel import ClosedError, ModelServer, ParallelInference
from nd4py.parallel.processes import process_pool

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals that end a process at once")
X = np.random.default_rng(1).random((40, 1, 4)).astype("float32")


@pytest.fixture(scope="module")
def net():
    return network()


@pytest.fixture(scope="module")
def inference(net):
    with ParallelInference(net, processes=2, queue_limit=1000) as inference:
        yield inference


def row(first):
    return nd.asarray([[first, 0.5, 0.5, 0.5]], dtype="float32")


def kill(process_id):
    """Kill a process that may be dead already."""
    with suppress(ProcessLookupError):
        os.kill(process_id, signal.SIGKILL)


def ids(inference):
    return inference._team._pool.process_ids()


def until(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.005)


def is_gone(process_id):
    """Whether a process has ended, or only its parent has not looked yet."""
    try:
        return ") Z " in Path(f"/proc/{process_id}/stat").read_text()
    except OSError:
        return True


def test_answers_are_those_of_the_network(net, inference):
    wanted = [net.output(x).tobytes() for x in X]
    with ThreadPoolExecutor(4) as pool:
        assert [y.tobytes() for y in pool.map(inference.output, X)] == wanted
    assert [future.result(30).tobytes() for future in [inference.submit(x) for x in X]] == wanted
    answer = inference.output(X[0])
    answer[0, 0] = 7.0  # nobody else's
    assert inference.output(X[0]).tobytes() == wanted[0]


@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="the system does not tell who has memory without a name")
def test_parameters_are_in_memory_that_is_shared_and_cannot_be_written(net, inference):
    other = network(5)
    for each in (other, net, other, net):
        inference.update_model(each)
        assert inference.output(X[0]).tobytes() == each.output(X[0]).tobytes()
    used = [line for process in ids(inference) for line in memory_without_names(process)]
    assert used
    assert {line.split()[1] for line in used} == {"r--s"}
    assert max(len(memory_without_names(process)) for process in ids(inference)) <= 2
    with pytest.raises(ValueError, match="read-only"):
        inference._service.snapshot._network.params()[0] = 1.0


def memory_without_names(process_id):
    return [line for line in Path(f"/proc/{process_id}/maps").read_text().splitlines() if "memfd:nd4py" in line]


def test_a_process_that_is_killed_in_a_batch_is_replaced_and_its_request_run_again(net, inference):
    slow = inference.submit(row(SLOW))
    until(slow.running)
    time.sleep(0.1)
    before = ids(inference)
    wanted = [net.output(x).tobytes() for x in X]
    for process_id in before:
        os.kill(process_id, signal.SIGKILL)
    assert [inference.output(x, timeout=20).tobytes() for x in X] == wanted
    assert slow.result(20).tobytes() == net.output(row(SLOW)).tobytes()
    assert len(set(ids(inference)) - set(before)) >= 1


def test_a_request_that_kills_processes_fails_and_no_other_does(net, inference):
    fatal = inference.submit(row(FATAL))
    others = [inference.submit(x) for x in X]
    with pytest.raises(RuntimeError, match="the process that computed this request was ended by signal SIGKILL"):
        fatal.result(30)
    for x, future in zip(X, others, strict=True):
        assert future.result(30).tobytes() == net.output(x).tobytes()


def test_a_request_that_no_process_had_taken_yet_does_not_count_their_deaths(net):
    with ParallelInference(net, processes=1) as inference:
        inference.output(X[0])
        (process,) = ids(inference)
        os.kill(process, signal.SIGSTOP)
        future = inference.submit(X[1])
        until(future.running)
        for _ in range(3):  # more than the two that one request may kill
            time.sleep(0.05)  # the request lies in the pipe, or in that of a process that starts
            os.kill(process, signal.SIGKILL)
            until(lambda dead=process: ids(inference) not in ([], [dead]))
            (process,) = ids(inference)
            os.kill(process, signal.SIGSTOP)
        os.kill(process, signal.SIGCONT)
        assert future.result(20).tobytes() == net.output(X[1]).tobytes()


def test_idle_processes_may_be_killed_at_any_time(net, inference):
    rng, wanted = random.Random(2), [net.output(x).tobytes() for x in X]
    for number in range(12):
        for process_id in ids(inference)[: rng.choice((1, 2))]:
            kill(process_id)
        time.sleep(rng.choice((0.0, 0.0001, 0.001, 0.01)))  # before and after it is known to be dead
        assert inference.output(X[number], timeout=20).tobytes() == wanted[number]


@pytest.mark.parametrize("statuses, told", [([-9], "was ended by signal SIGKILL"), ([], "has ended")])
def test_another_thread_may_be_about_to_note_how_a_process_ended(statuses, told, monkeypatch):
    monkeypatch.setattr(process_pool, "STATUS_SECONDS", 0.05)
    process, found = process_pool.Process(), [None, None, *statuses]
    ended = mock.Mock(spec_set=["kill", "join", "exitcode"])
    type(ended).exitcode = property(lambda _: found.pop(0) if found else (statuses or [None])[-1])
    process._process, process._connection, process.id = ended, mock.Mock(), 1
    process.end()
    assert (process.last_end, process.id) == (told, None)


def test_errors_of_layers_arrive_with_the_lines_they_came_from(inference):
    with pytest.raises(LookupError, match="a row begins with -3") as found:
        inference.output(row(WRONG))
    assert "process_layers.py" in found.value.__notes__[0]
    before = ids(inference)
    with pytest.raises(ValueError, match=r"expects \(batch, 4\)"):
        inference.output(nd.ones((1, 3)))
    assert ids(inference) == before


def test_closing_fails_what_is_computed():
    inference = ParallelInference(network(), processes=1)
    slow = inference.submit(row(SLOW))
    until(slow.running)
    (process,) = ids(inference)
    inference.close(wait=False)
    with pytest.raises(ClosedError):
        slow.result(10)
    assert is_gone(process)
    with pytest.raises(ClosedError):
        inference.output(X[0])


@pytest.mark.parametrize("ending", ["returns", "killed"])
def test_processes_end_with_the_process_that_asks_them(ending):
    command = [sys.executable, process_layers.__file__, ending]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    children = [int(word) for word in process.stdout.readline().split()]
    assert len(children) == 2
    if ending == "killed":
        process.kill()
    _, errors = process.communicate(timeout=30)
    assert errors == ""
    assert process.returncode == (-signal.SIGKILL if ending == "killed" else 0)
    until(lambda: all(map(is_gone, children)))


def test_a_program_that_cannot_be_imported_is_told_so(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "from nd4py import nn, parallel\n"
        "net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))\n"
        "parallel.ParallelInference(net, processes=1).output([[1.0, 2.0, 3.0, 4.0]])\n"
    )
    found = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=60)
    assert found.returncode == 1
    assert "`if __name__ == '__main__':`" in found.stderr.splitlines()[-1]


def test_settings_that_contradict_each_other_are_refused(net):
    with pytest.raises(ValueError, match="processes take the place of workers, got both"):
        ParallelInference(net, workers=1, processes=1)
    with pytest.raises(ValueError, match="mode in_place computes in the thread of the caller"):
        ParallelInference(net, "in_place", processes=1)
    with pytest.raises(ValueError, match="processes take the place of n_threads"):
        ModelServer(1, processes=1)
    with pytest.raises(ValueError, match="processes must be at least 1, got 0"):
        ModelServer(processes=0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
def test_a_fork_has_processes_of_its_own(net, inference):
    wanted, before = net.output(X[0]).tobytes(), ids(inference)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            is_right = inference.output(X[0]).tobytes() == wanted
            is_own = not set(ids(inference)) & set(before)
            inference.close()
            status = 0 if is_right and is_own else 2
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    assert ids(inference) == before
    assert inference.output(X[0]).tobytes() == wanted


@pytest.mark.slow
def test_processes_are_killed_a_hundred_times_under_traffic(net):
    rng, wanted, is_over, n_answers = random.Random(1), [net.output(x).tobytes() for x in X], threading.Event(), []
    other = network(9)
    wanted_of_other = [other.output(x).tobytes() for x in X]

    def ask():
        n = 0
        while not is_over.is_set():
            for i, x in enumerate(X):
                try:
                    answer = inference.output(x, timeout=60)
                except RuntimeError as error:  # two of its processes in a row were killed
                    assert "the process that computed this request" in str(error)
                    continue
                assert answer.tobytes() in (wanted[i], wanted_of_other[i])
                n += 1
        n_answers.append(n)

    with ParallelInference(net, processes=2, queue_limit=1000) as inference, ThreadPoolExecutor(4) as pool:
        asking = [pool.submit(ask) for _ in range(4)]
        for number in range(100):
            time.sleep(rng.uniform(0.0, 0.3))
            if running := ids(inference):
                kill(rng.choice(running))
            if number % 10 == 0:
                inference.update_model(other if number % 20 == 0 else net)
        is_over.set()
        for each in asking:
            each.result(90)
    assert min(n_answers) > 0
