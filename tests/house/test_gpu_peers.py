"""The comparison on a GPU: what it runs, checks, counts and prints.  Nothing here looks at a time."""

import dataclasses
import math
import time

import gpu_peers
import pytest
from gpu_work.gpu_libraries import Nd4pyOnDevice
from gpu_work.gpu_rows import BEST, COPY, HALF_OF_BEST, rows

ROWS = list(rows())


def measured(floor=BEST, n_bytes=1000, **seconds):
    row = dataclasses.replace(ROWS[0], floor=floor)
    return gpu_peers.Measured(row, n_bytes, {name: [value] * 3 for name, value in seconds.items()})


def small(row):
    """A row whose measured size is its small one."""
    return dataclasses.replace(row, work=dataclasses.replace(row.work, sizes=row.work.sizes[1:] * 2))


def test_titles_are_different_and_a_copy_comes_first():
    titles = [row.title for row in ROWS]
    assert len(set(titles)) == len(titles)
    assert "copy" in titles[0]


@pytest.mark.parametrize("library", ["nd4py", "torch", "cupy"])
def test_every_text_is_python(library):
    for row in ROWS:
        text = row.work.spell.get(library, row.work.text)
        if text is not None:
            compile(text, row.title, "eval")
        compile(row.work.setup.get(library, ""), row.title, "exec")


def test_floors():
    """Beside a copy of as many bytes, at 100 bytes a second, or beside the best of the others."""
    assert measured(COPY, 1000, nd4py=10.5, torch=1.0).keeps_floor(100)
    assert not measured(COPY, 1000, nd4py=10.6, torch=100.0).keeps_floor(100)
    assert measured(BEST, nd4py=1.1, torch=1.0, cupy=2.0).keeps_floor(100)
    assert not measured(BEST, nd4py=1.2, torch=2.0, cupy=1.0).keeps_floor(100)
    assert measured(HALF_OF_BEST, nd4py=1.0, torch=2.0).keeps_floor(100)
    assert not measured(HALF_OF_BEST, nd4py=1.1, torch=2.0).keeps_floor(100)
    assert measured(BEST, nd4py=1.0).keeps_floor(100) is None
    assert measured(BEST, torch=1.0).keeps_floor(100) is None
    assert measured(COPY, torch=1.0).keeps_floor(100) is None


def test_lines_of_the_table():
    compared = [Nd4pyOnDevice("cpu")]
    line = gpu_peers.table_line(measured(nd4py=2.0, torch=1.0), compared, 100)
    assert "| 2,000,000.0 | torch | 2.00 | 0.20 | 1.10 of the best | **missed** |" in line
    assert len(list(gpu_peers.table_head(compared))[1].split("|")) == len(line.split("|"))
    assert "kept" in gpu_peers.table_line(measured(nd4py=1.0, torch=1.0), compared, 100)
    assert gpu_peers.table_line(measured(torch=1.0), compared, 100).endswith("|  | torch |  |  | 1.10 of the best |  |")


def test_rows_are_timed_until_the_time_is_up():
    compared, chosen = [Nd4pyOnDevice("cpu")], [small(row) for row in ROWS[:3]]
    lines = "\n".join(gpu_peers.table(chosen, compared, 2, time.perf_counter() + 60))
    assert all(f"| {row.title} |" in lines for row in chosen)
    assert "Floors missed: " in lines
    lines = "\n".join(gpu_peers.table(chosen, compared, 2, -math.inf))
    assert f"The time was up: 2 rows were not measured, from {chosen[1].title} on." in lines


def test_a_library_that_fails_is_named_and_the_others_go_on():
    class Failing(Nd4pyOnDevice):
        name, package = "failing", "nd4py"

        def from_numpy(self, array, dtype):
            raise MemoryError("no room\nat all")

    found = gpu_peers.measured(small(ROWS[0]), [Failing("cpu"), Nd4pyOnDevice("cpu")], 2)
    assert found.problems == {"failing": "MemoryError: no room at all"}
    assert list(found.seconds) == ["nd4py"]
    with pytest.raises(SystemExit, match="nothing was measured.*no room"):
        list(gpu_peers.table([small(ROWS[0])], [Failing("cpu")], 2, math.inf))


def test_results_that_differ_end_the_comparison(monkeypatch):
    class Wrong(Nd4pyOnDevice):
        name, package = "wrong", "nd4py"

        def to_numpy(self, result):
            return super().to_numpy(result) + 1

    monkeypatch.setattr(gpu_peers, "libraries", lambda device: [Nd4pyOnDevice(device), Wrong(device)])
    monkeypatch.setattr(gpu_peers, "rows", lambda: ROWS[:2])
    with pytest.raises(SystemExit, match="results differ\nelementwise: copy float32: wrong differs from nd4py"):
        gpu_peers.main(["--device", "cpu"])


def test_without_a_gpu_results_are_compared_and_an_error_says_that_nothing_was_timed(monkeypatch, capsys):
    monkeypatch.setattr(gpu_peers, "rows", lambda: ROWS[:2])
    with pytest.raises(SystemExit, match="nothing was timed: --device cpu"):
        gpu_peers.main(["--device", "cpu"])
    assert "2 rows of small arrays agree on cpu" in capsys.readouterr().out
    if not gpu_peers.nd.cuda.is_available():
        with pytest.raises(SystemExit, match="nothing was timed: ") as ended:
            gpu_peers.main([])
        assert gpu_peers.nd.cuda.status().reason in str(ended.value)
