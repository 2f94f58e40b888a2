"""The comparison with other libraries: what it runs, checks, counts and prints.  Nothing here looks at a time."""

import dataclasses
import math
import re

import numpy as np
import peer_limits
import peers
import pytest
from peer_checks import difference, digest
from peer_compilers import Compiled, Jax, Numba, Numexpr, Onnxruntime
from peer_floors import FLOORS, verdicts
from peer_libraries import CannotError, Library, Nd4py, Numpy, Passive, Torch, Uncombined
from peer_race import Team, in_the_race, quotients, race, ready
from peer_report import Row, load, page, save, table_head, table_line
from peer_work import WORK
from peer_work.images import Layer, keywords
from peer_work.products import operations

NUMPY, ND4PY = Numpy(), Nd4py()
SPELLERS = (Nd4py, Uncombined, Passive, Numpy, Numexpr, Numba, Torch, Compiled, Jax, Onnxruntime)
# Rows whose operands may have any size, and the size they have here.
LINES = (6, 5)
SMALL_SIZES = {"elementwise": 37, "out=": 37, "small": 10, "reductions": LINES, "normalizations": LINES}
SMALL_SIZES |= {"chains": 37, "foreign": 37, "vectors": 37, "rows": LINES}
SMALL_WORK = [
    work
    for work in WORK
    if work.family in SMALL_SIZES and not work.name.endswith(", all")  # those take one line
    and work.dtype not in NUMPY.no_dtypes and work.tolerance != math.inf
]  # fmt: skip


def row(name="add float32", family="elementwise", size="100,000", limit=0.5, floor=None, n_threads=2, **seconds):
    """A measured row."""
    ratios = quotients({name: [value] for name, value in {**seconds, "limit": limit}.items() if value})
    return Row(family, name, size, n_threads, False, seconds, {}, limit, ratios, floor)


def test_rows_have_names_of_their_own():
    names = [(work.family, work.name, work.label(size)) for work in WORK for size in work.sizes]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("library", SPELLERS, ids=lambda library: library.name)
def test_every_text_is_python(library):
    for work in WORK:
        text = work.spell.get(library.name, work.text)
        if text is not None:
            body = text if "\n" in text else f"({text})" if "=" not in text else text
            compile("def f():\n" + "\n".join(f"    {line}" for line in body.splitlines()), work.name, "exec")


@pytest.mark.parametrize("work", SMALL_WORK, ids=lambda work: f"{work.family}-{work.name}".replace(" ", "-"))
def test_nd4py_agrees_with_numpy(work):
    if "layer_norm" in work.name and not hasattr(ND4PY.module, "layer_norm"):
        pytest.skip("nd4py has no layer_norm")
    results = []
    for library in (ND4PY, NUMPY):
        once, batch, _ = work.calls(library, SMALL_SIZES[work.family])
        results.append(digest(library, once(), 0))
        assert batch(2) is None
    assert difference(*results, work.dtype, work.tolerance) == ""


def test_a_statement_changes_its_first_array():
    once, batch = NUMPY.calls("a += b", "", {"a": (a := np.ones(3)), "b": np.ones(3)})
    assert once() is a
    batch(3)
    np.testing.assert_array_equal(a, 5.0)


def test_setup_runs_once_before():
    made = []
    NUMPY.names["made"] = made
    once, batch = NUMPY.calls("y + x", "made.append(1)\ny = 2 * x", {"x": np.ones(2)})
    batch(5)
    assert once()[0] == 3.0
    assert made == [1]


def test_numexpr_has_no_functions_of_numpy():
    library = object.__new__(Numexpr)
    with pytest.raises(CannotError, match="no such function"):
        library.calls("xp.erf(x)", "", {"x": np.ones(2)})


@pytest.mark.parametrize("change, words", [
    (lambda y: y, ""),
    (lambda y: y[:2], "shapes"),
    (lambda y: y * 1.01, "is not"),
    (lambda y: np.where(y > 2, np.nan, y), "is not"),
])  # fmt: skip
def test_results_are_compared(change, words):
    y = np.asarray([1.0, 2.0, 3.0])
    found = difference(digest(NUMPY, change(y), 0), digest(NUMPY, y, 0), "float32")
    assert words in found
    assert bool(found) == bool(words)


def test_integers_are_compared_exactly():
    ours, theirs = (digest(NUMPY, np.asarray([1_000_000, 5 + i]), 0) for i in (0, 1))
    assert difference(ours, theirs, "float32", 0.1)
    assert not difference(ours, ours, "float32", 0.1)


def test_nan_and_infinity_agree_with_themselves_alone():
    odd, even = (digest(NUMPY, np.asarray([1.0, value]), 0) for value in (np.nan, np.inf))
    assert not difference(odd, odd, "float32")
    assert difference(odd, even, "float32")
    assert difference(even, odd, "float32")


def test_probe_moves_bytes_and_takes_time():
    for probe in peer_limits.probes(1 << 14, 1 << 13, 1):
        assert 0 < probe.seconds() < 1
    assert peer_limits.operations_per_second(4, 1) > 1e6


def test_a_missing_compiler_is_named(monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(SystemExit, match="no-such-compiler.*CC"):
        peer_limits.library.__wrapped__()


def test_operations_of_products_and_layers():
    assert operations("x1 @ x2", (2, 3), (3, 5)) == 60
    assert operations("x1.T @ x2", (3, 2), (3, 5)) == 60
    assert operations("x1 @ x2", (4, 2, 3), (4, 3, 5)) == 240
    assert operations("x1 @ x2", (2, 3), (3,)) == 12
    layer = Layer(2, 4, 6, 8, 3, stride=2, padding=1, groups=2)
    assert layer.shape_out == (2, 8, 3, 3)
    assert layer.flops == 2 * (2 * 8 * 3 * 3) * (2 * 9)
    assert keywords(layer) == ", stride=2, padding=1, groups=2"


def test_far_peers_leave_the_race():
    class Runner:
        def __init__(self, name):
            self.name = name

    ours, near, far, limit, slow_limit = map(Runner, ("nd4py", "numpy", "torch", "limit", "limit"))
    times = {ours: [9.0], near: [1.0, 2.0], far: [3.5, 4.0], limit: [0.1, 0.3], slow_limit: [0.2, 0.2]}
    assert in_the_race([ours, near, far, limit, slow_limit], times) == [ours, near, limit]


def test_row_counts_against_the_best_peer_and_the_limit():
    measured = row(nd4py=1.0, numpy=4.0, torch=2.0)
    assert measured.best_peer == "torch"
    assert measured.ratio() == 0.5
    assert measured.ratio("numpy") == 0.25
    assert measured.to_limit == 2.0
    assert row(numpy=1.0).ratio() is None
    assert row(nd4py=1.0).ratio() is None
    assert "| 0.50 | torch | 2.00 |" in table_line(measured, ["nd4py", "numpy", "torch"], False)


def test_tuned_peers_have_columns_of_their_own():
    measured = dataclasses.replace(row(nd4py=1.0, numpy=4.0), tuned={"numpy": 2.0, "torch": 0.5})
    assert table_line(measured, ["nd4py", "numpy"], True).endswith("| torch 500 ms | 2.00 |")
    assert table_head("small", ["nd4py"], True)[3].count("|") == table_head("small", ["nd4py"], True)[4].count("|")


@pytest.mark.parametrize("ours, word", [(0.5, "pass"), (0.9, "FAIL"), (1.3, "FAIL, 1 rows above")])
def test_floors_pass_and_fail(ours, word):
    [verdict] = verdicts([row(nd4py=ours, numpy=1.0)])
    assert verdict.line().endswith(f"| {word} |")


def test_halves_are_compared_with_our_float32():
    rows = [row("exp float32", size="10,000,000", nd4py=2.0, numpy=9.0),
            row("exp float16", size="10,000,000", nd4py=1.0, numpy=9.0)]  # fmt: skip
    found = {verdict.title: verdict for verdict in verdicts(rows)}
    assert found["float16, bfloat16 beside our float32"].mean == 0.5


def test_small_rows_have_floors_of_their_own():
    [verdict] = verdicts([row("a + b", "small", "10", floor=0.45, nd4py=1.0, numpy=2.0)])
    assert (verdict.title, verdict.is_kept) == ("small: a + b", False)


def test_every_floor_has_rows():
    names = [f"{work.family}: {work.name} {work.label(size)}" for work in WORK for size in work.sizes]
    for floor in FLOORS:
        assert any(re.search(floor.rows, name) for name in names), floor.title


def test_saved_rows_are_loaded_and_the_last_one_counts(tmp_path):
    options = peers.parse_options(["--libs", "nd4py,numpy"])
    path = tmp_path / "rows.json"
    for ours in (1.0, 3.0):
        save(path, row(nd4py=ours, numpy=4.0))
    heads, rows = load([path])
    assert (heads, [r.seconds["nd4py"] for r in rows]) == ([], [3.0])
    text = "\n".join(page(heads, rows, options))
    assert "| add float32 | 100,000 | 2 | 3 s | 4 s |" in text
    assert "| add float32 100,000 | 2 | 3 s | 500 ms | 6.00 | 8.00 |" in text
    assert "| elementwise, 100,000 | 2 | 1 | 0.75 | add float32 100,000 0.75 |" in text
    assert text.count("### ") == 3
    assert "pass" not in text
    assert "FAIL" not in text


@pytest.mark.parametrize("arguments, words", [
    (["--libs", "nd4py,pandas"], "unknown pandas; known are nd4py, numpy"),
    (["--group", "cubes"], "unknown cubes"),
])  # fmt: skip
def test_options_are_checked(arguments, words, capsys):
    with pytest.raises(SystemExit):
        peers.parse_options(arguments)
    assert words in capsys.readouterr().err


def test_a_library_that_is_not_installed(monkeypatch, capsys):
    monkeypatch.setattr(peers, "find_spec", lambda name: name != "torch")
    assert "torch" not in peers.parse_options([]).libs
    assert "without torch" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="torch is not installed"):
        peers.parse_options(["--libs", "torch"])


def test_rows_are_chosen():
    def names(*arguments):
        return [WORK[i].name for i in peers.chosen_work(peers.parse_options(["--libs", "numpy", *arguments]))]

    assert names("--group", "small", "--only", r"a \+=") == ["a += b"]
    assert 0 < len(names("--quick")) < len(names())


def test_libraries_take_turns_in_processes_of_their_own():
    team = Team(["nd4py", "numpy"], False)
    position = next(i for i, work in enumerate(WORK) if work.name == "a + b")
    workers = team.of(1)
    found = ready(workers, WORK[position], position, (10,), 1)
    assert [worker.name for worker in found] == ["nd4py", "numpy"]
    times = race(list(found), 2)
    assert all(len(turns) == 2 and 0 < min(turns) < 1 for turns in times.values())


def test_ratios_are_of_the_same_round():
    times = {"nd4py": [1.0, 8.0, 9.0], "numpy": [2.0, 16.0, 18.0], "limit": [1.0, 4.0, 3.0], "dropped": [4.0]}
    assert quotients(times) == {"numpy": 0.5, "limit": 2.0, "dropped": 0.25}
    assert quotients({"numpy": [1.0]}) == {}


def test_what_a_library_lacks_is_named(capsys):
    workers = Team(["numpy"], False).of(1)
    wanted = [work for work in WORK if work.name in ("add bfloat16", "empty(256)")]
    for work in wanted:
        found = ready(workers, work, WORK.index(work), 10, 1)
        assert bool(found) == (work.name == "empty(256)")
    assert capsys.readouterr().err == ""
    assert Library.no_dtypes == ()


def test_deferred_results_are_waited_for():
    x = ND4PY.module.ones(100_000)
    for text, n_launched in (("x + 1", 1), ("(x + 1, x * 2)", 2), ("xp.sum(x + 1)", 1)):
        _, batch = ND4PY.calls(text, "", {"x": x})
        launched = ND4PY.module.combine_statistics().launched
        batch(3)
        assert ND4PY.module.combine_statistics().launched == launched + 3 * n_launched


def test_some_libraries_take_part_in_some_families():
    team = Team(["nd4py", "uncombined"], False)
    assert [worker.name for worker in team.of(1, "small")] == ["nd4py"]
    workers = team.of(1, "chains")
    position = next(i for i, work in enumerate(WORK) if work.name == "pair float32")
    found = ready(workers, WORK[position], position, 100_000, 1)
    assert [worker.name for worker in found] == ["nd4py", "uncombined"]
    measured = row(nd4py=1.0, uncombined=0.5, numpy=2.0)
    assert (measured.best_peer, measured.ratio("uncombined")) == ("numpy", 2.0)
