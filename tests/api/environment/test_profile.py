"""Profiles: each operation is counted and timed, with its bytes, threads, layout and line; tables, traces and pages."""

import json
import math
import struct
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn

HERE = __file__


def named(profile, name):
    """The records of an operation."""
    return [record for record in profile.records if record.operation == name]


def line_of(text):
    """Where a piece of this file stands, as records say it."""
    lines = Path(HERE).read_text(encoding="utf-8").splitlines()
    (number,) = [i for i, line in enumerate(lines, 1) if text in line and "line_of(" not in line]
    return f"{HERE}, line {number}"


def test_a22_a_profile_counts_invocations_per_operation():
    a, b = nd.ones(5), nd.ones(5)
    with nd.profile() as p:
        for _ in range(7):
            a + b
        for _ in range(3):
            nd.exp(a)
        nd.sum(b)
    counts = {total.name: total.n_calls for total in p.totals()}
    assert counts == {"add": 7, "exp": 3, "sum": 1}
    assert p.n_operations == 11
    a + b
    assert p.n_operations == 11


@pytest.mark.parametrize(
    "name, kind, function",
    [
        ("multiply", "elementwise", lambda x: x * 2.0),
        ("negative", "elementwise", lambda x: -x),
        ("max", "reduction", lambda x: nd.max(x)),
        ("argmax", "reduction", lambda x: nd.argmax(x)),
        ("cumulative_sum", "scan", lambda x: nd.cumulative_sum(x, axis=0)),
        ("matmul", "product", lambda x: x @ x),
        ("concat", "copy", lambda x: nd.concat([x, x])),
        ("copy", "copy", lambda x: x.copy()),
        ("conversion", "conversion", lambda x: x.astype("float32")),
        ("gather", "copy", lambda x: x[nd.asarray([1, 0])]),
        ("select", "copy", lambda x: x[x > 0]),
        ("sorted_lines", "driver", lambda x: nd.sort(x)),
        ("svd", "driver", lambda x: nd.linalg.svd(x)),
        ("softmax", "driver", lambda x: nd.softmax(x, axis=1)),
        ("random draw", "copy", lambda x: nd.random.default_rng(1).random((3, 3))),
    ],
)
def test_operations_of_every_kind(name, kind, function):
    x = nd.asarray(np.arange(9.0).reshape(3, 3) + np.eye(3))
    expected = np.asarray(nd.asarray(function(x)[0] if name == "svd" else function(x)))
    with nd.profile() as p:
        result = function(x)
    record = named(p, name)[0]
    assert record.kind == kind
    assert record.duration_ns > 0
    assert 0 <= record.self_ns <= record.duration_ns
    assert record.bytes_written > 0
    assert record.line.startswith(HERE)
    if name != "random draw":
        assert np.array_equal(np.asarray(result[0] if name == "svd" else result), expected)


def test_bytes_are_those_of_the_arrays():
    x, row = nd.ones((300, 40), dtype="float32"), nd.ones(40, dtype="float32")
    with nd.combine(False), nd.profile() as p:
        x + row
        x.sum(axis=0)
        nd.broadcast_to(row, (300, 40)) * x
    add, total, product = p.records
    assert (add.bytes_read, add.bytes_written) == (300 * 40 * 4 + 160, 300 * 40 * 4)
    assert (total.bytes_read, total.bytes_written) == (300 * 40 * 4, 160)
    assert product.bytes_read == 300 * 40 * 4 + 160  # what is repeated is read once
    assert add.operands == ("float32(300, 40)", "float32(40,)")
    assert add.gigabytes_per_second == pytest.approx((add.bytes_read + add.bytes_written) / add.duration_ns)


def test_a_pass_names_its_operations_and_their_lines():
    x = nd.ones(1_000_000)
    with nd.profile() as p:
        y = nd.exp(x)  # the first
        total = float((y * 2.0 + x).sum())  # the second and third
    assert total == pytest.approx((2 * math.e + 1) * 1e6)
    (record,) = p.records
    assert record.operation == "exp+multiply+add+sum"
    assert record.n_operations == p.n_combined == p.n_operations == 4
    lines = [line for _, line in record.parts]
    assert lines[0] == line_of("# the first")
    assert lines[1] == lines[2] == line_of("# the second and third")
    assert record.bytes_read == 8_000_000


def test_what_was_deferred_before_is_not_counted_and_what_is_deferred_inside_is():
    before = nd.ones(1_000_000) + 1
    with nd.profile() as p:
        inside = nd.ones(1_000_000) * 3
    assert nd.explain(before) is None
    assert nd.explain(inside) is None
    assert [record.operation for record in p.records] == ["fill", "multiply"]


def test_layouts_that_are_not_optimal_are_told_with_their_line():
    x = nd.ones((60, 60))
    with nd.combine(False), nd.profile() as p:
        x + x
        x.T + x.T
        x + x.T  # axes in two orders
        x[::2, ::2] + 1.0  # gaps
        x + x[0]
        x @ x.T
        x[:, ::2].sum()
    assert [record.layout for record in p.records] == [
        None, None, "mixed orders", "strided", None, None, "strided",
    ]  # fmt: skip
    assert [record.orders for record in p.records[:4]] == ["C x C x C", "F x F x F", "C x F x C", "S x C"]
    text = p.table()
    assert "mixed orders: add, 1 times, in test_profile.py" in text
    assert p.records[2].line == line_of("# axes in two orders")
    assert sum(total.n_slow_layouts for total in p.totals()) == 3


@pytest.mark.skipif(nd.thread_count() < 2, reason="one thread is all there is")
def test_threads_that_worked_are_counted():
    x = nd.ones((1500, 1500))
    with nd.threads(2), nd.profile() as p:
        nd.ones(3) + 1
        for _ in range(5):
            x @ x
    assert max(record.n_threads for record in named(p, "matmul")) == 2
    assert named(p, "add")[0].n_threads == 1
    with nd.threads(1), nd.profile() as p:
        x @ x
    assert named(p, "matmul")[0].n_threads == 1


def test_operations_of_all_threads_are_counted():
    x = nd.ones(10)
    threads = [threading.Thread(target=lambda: [x + 1 for _ in range(50)]) for _ in range(3)]
    with nd.profile() as p:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        x + 1
    assert len(named(p, "add")) == 151
    assert len({record.thread for record in p.records}) >= 2


def test_an_operation_within_another_is_told_apart():
    with nd.profile() as p:
        nd.concat([nd.ones(3), nd.ones(3, dtype="float32")])
        nd.linalg.solve(nd.eye(3), nd.ones(3))
    assert {record.depth for record in p.records} >= {0}
    outer = named(p, "solve")[0]
    inner = [record for record in p.records if record.depth and record.start_ns >= outer.start_ns]
    assert outer.self_ns <= outer.duration_ns - sum(r.duration_ns for r in inner if r.depth == 1) + 1
    starts = [record.start_ns for record in p.records if record.depth == 0]
    assert starts == sorted(starts)


def test_an_operation_that_raises_is_dropped():
    with nd.profile() as p:
        with pytest.raises(nd.linalg.LinAlgError):
            nd.linalg.inv(nd.zeros((2, 2)))
        with pytest.raises(IndexError):
            nd.ones(3)[nd.asarray([7])]
        nd.ones(3) + 1
    last = p.records[-1]
    assert (last.operation, last.depth) == ("add", 0)
    assert not named(p, "gather")


def test_profiles_may_be_nested_and_each_has_all_that_runs_inside():
    x = nd.ones(4)
    with nd.profile() as outer:
        x + 1
        with nd.profile() as inner:
            x * 2
        x - 1
    assert [record.operation for record in inner.records] == ["multiply"]
    assert [record.operation for record in outer.records] == ["add", "multiply", "subtract"]


def test_a_profile_is_of_one_block():
    with nd.profile() as p:
        pass
    with pytest.raises(RuntimeError, match="one `with` block"):
        p.__enter__()


def test_an_error_of_the_program_ends_the_profile():
    p = nd.profile()
    with pytest.raises(KeyError), p:
        {}["of the program"] = nd.ones(3) + {}["missing"]
    nd.ones(3) + 1
    assert not named(p, "add")


def test_graphs_are_one_operation_and_say_what_they_launch():
    def step(x):
        return nd.tanh(x @ x) + 1

    graph = nd.capture(step, nd.ones((4, 4)))
    with nd.profile() as p:
        graph(nd.ones((4, 4)))
    (record,) = [record for record in p.records if record.kind == "graph"]
    assert record.operation == "graph of step"
    assert len(record.parts) == graph.n_launches
    assert p.n_combined == 0


def test_a_function_can_be_captured_inside_of_a_profile():
    x = nd.asarray(np.arange(6.0).reshape(2, 3))
    with nd.profile() as p:
        graph = nd.capture(lambda x: nd.exp(x).sum(axis=1), x)
        assert np.allclose(np.asarray(graph(x)), np.exp(np.asarray(x)).sum(axis=1))
    assert p.records[-1].kind == "graph"


def test_gradients_and_networks_are_seen():
    net = nn.MultiLayerNetwork(
        [nn.DenseLayer(8, "tanh"), nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4), seed=1
    )
    x, y = nd.ones((256, 4)), nd.one_hot([0, 1] * 128, 2)
    with nd.profile() as p:
        net.fit(x, y, batch_size=256)
        net.output(x)
        nd.grad(lambda v: nd.sum(nd.log(v)))(nd.ones(3))
    assert len(named(p, "matmul")) + len([r for r in p.records if r.kind == "graph"]) >= 2
    assert any("log_vjp" in record.operation for record in p.records)


def test_results_have_the_bits_of_before():
    x = nd.asarray(np.random.default_rng(1).normal(size=(50, 7)))

    def program():
        small = (x[0] + x[1]).sum(), x.sum(), x.mean(axis=0), nd.argmax(x), x.copy(), x[3], x[0] @ x[1]
        return [np.asarray(nd.asarray(item)) for item in small]

    expected = program()
    with nd.profile():
        found = program()
    assert all(np.array_equal(a, b) for a, b in zip(expected, found, strict=True))


def test_tables_are_sorted_and_limited():
    with nd.profile() as p:
        for _ in range(4):
            nd.negative(nd.ones(3))
        nd.sum(nd.ones(200_000))
    rows = [line.split()[0] for line in p.table(sort_by="calls").splitlines()[1:4]]
    assert rows == ["fill", "negative", "sum"]
    assert [line.split()[0] for line in p.table(sort_by="name").splitlines()[1:4]] == ["fill", "negative", "sum"]
    assert p.table(sort_by="bytes", limit=1).splitlines()[1].split()[0] in ("fill", "sum")
    assert len(p.table(limit=1).splitlines()) == len(p.table(limit=None).splitlines()) - 2
    assert str(p) == p.table()
    assert "10 operations in 10 passes" in str(p)
    assert p.pairs()["fill", "negative"] == 4
    by_line = p.totals("line")
    assert {total.name for total in by_line} <= {record.line for record in p.records}


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda p: p.table(sort_by="heat"), "sort_by must be one of 'self_time'"),
        (lambda p: p.table(by="colour"), "by must be one of 'operation'"),
        (lambda p: p.totals("colour"), "by must be one of"),
        (lambda p: p.table(limit=0), "limit must be at least 1"),
    ],
)
def test_wrong_tables_are_refused(call, words):
    with nd.profile() as p:
        nd.ones(3) + 1
    with pytest.raises(ValueError, match=words):
        call(p)


def test_the_trace_is_what_chrome_and_perfetto_read(tmp_path):
    with nd.profile() as p:
        x = nd.ones((100, 100))
        (x + x.T) @ x
    p.to_chrome_trace(tmp_path / "trace.json")
    trace = json.loads((tmp_path / "trace.json").read_text())
    events = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    assert [event["name"] for event in events] == [record.operation for record in p.records]
    for event, record in zip(events, p.records, strict=True):
        assert event["ts"] == pytest.approx(record.start_ns / 1e3)
        assert event["dur"] == pytest.approx(record.duration_ns / 1e3)
        assert {"pid", "tid", "cat", "args"} <= set(event)
    assert events[1]["args"]["slow layout"] == "mixed orders"
    (name,) = [event for event in trace["traceEvents"] if event["ph"] == "M"]
    assert name["name"] == "thread_name"


def test_the_page_of_tensorboard_has_the_table(tmp_path):
    with nd.profile() as p:
        nd.ones(3) + 1
    p.to_tensorboard(tmp_path / "logs", step=3)
    (path,) = (tmp_path / "logs").iterdir()
    content, records = path.read_bytes(), []
    while content:
        (length,) = struct.unpack("<Q", content[:8])
        records.append(content[12 : 12 + length])
        content = content[16 + length :]
    page = records[1]
    # A tensor (field 8) of one string: its type is 7, its shape 1, and the text is field 8 of it.
    assert b"\x08\x07\x12\x04\x12\x02\x08\x01\x42" in page
    assert b"\x4a\x08\x0a\x06\x0a\x04text" in page  # metadata (field 9): the plugin of texts
    assert b"| operation | calls |" in page
    assert b"| add | 1 |" in page
    tags = b"".join(records[2:])
    assert b"profile/self_ms/add" in tags
    assert b"profile/calls/fill" in tags
    with pytest.raises(TypeError, match="step must be an integer"):
        p.to_tensorboard(tmp_path, step="first")


def test_seconds_are_those_of_the_block():
    assert nd.profile().seconds == 0
    with nd.profile() as p:
        time.sleep(0.02)
        assert 0.02 <= p.seconds < 5
    seconds = p.seconds
    time.sleep(0.01)
    assert p.seconds == seconds
    assert "operations in" in repr(p)
