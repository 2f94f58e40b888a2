"""The nodes of every kind of recorded operation, in one table."""

from __future__ import annotations

from typing import Any

from . import recorded_assignments as assignments
from . import recorded_functions as functions
from . import recorded_recurrences as recurrences
from . import recorded_reductions as reductions
from . import recorded_scans as scans
from . import recorded_spectra as spectra
from . import recorded_views as views
from .function_writer import Call, FunctionWriter, NoCounterpart, Value
from .recorded_rows import written_row

# Classes with a method for each operation of a kind, by the kind or the module that has the drivers.
BY_NAME: dict[str, Any] = {
    "position": reductions.Positions,
    "recurrences": recurrences.Recurrences,
    "reduction": reductions.Reductions,
    "scan": scans.Scans,
    "scan_gradient": scans.ScanGradients,
}
# Functions by the kind and the name of an operation.
WRITERS: dict[tuple[str, str], Any] = {
    ("assign", "assignment"): assignments.assigned,
    ("constant", "constant"): views.constant,
    ("conversion", "astype"): views.converted,
    ("driver", "added_along"): assignments.added_along,
    ("driver", "argsort"): reductions.argsort,
    ("driver", "contain"): reductions.contain,
    ("driver", "correlate"): functions.correlation,
    ("driver", "count_in_bins"): reductions.in_bins,
    ("driver", "count_positions"): reductions.at_positions,
    ("driver", "determinants"): functions.determinants,
    ("driver", "diagonal_view"): views.diagonal_view,
    ("driver", "log_softmax"): functions.log_softmax,
    ("driver", "log_sum_exp"): functions.log_sum_exp,
    ("driver", "put_along_last"): assignments.put_along_last,
    ("driver", "repeated"): views.repeated,
    ("driver", "search"): reductions.search,
    ("driver", "softmax"): functions.softmax,
    ("driver", "sorted_lines"): reductions.sorted_lines,
    ("driver", "standardize"): functions.standardize,
    ("driver", "take_along_last"): views.gathered_along,
    ("driver", "taken_along"): views.gathered_along,
    ("driver", "topk"): reductions.topk,
    ("driver", "variance"): functions.variance,
    ("driver", "written_along"): assignments.scattered_along,
    ("filled", "full"): views.filled,
    ("function", "convolve"): functions.convolution,
    ("function", "convolve_transposed"): functions.transposed_convolution,
    ("function", "framed"): views.framed,
    ("function", "layer_norm_along"): functions.layer_norm,
    ("function", "log_softmax_along"): functions.log_softmax,
    ("function", "logsumexp_along"): functions.log_sum_exp,
    ("function", "on_diagonal"): views.on_diagonal,
    ("function", "pool_maxima"): functions.maxima,
    ("function", "pool_means"): functions.means,
    ("function", "rolled"): views.rolled,
    ("function", "softmax_along"): functions.softmax,
    ("function", "tracked_attention"): functions.attention,
    ("function", "variance"): functions.variance,
    ("function", "view"): views.diagonal,
    ("index", "indexing"): views.indexed,
    ("index", "put"): assignments.put,
    ("join", "concat"): views.joined,
    ("product", "matmul"): functions.product,
    ("view", "broadcast_to"): views.broadcast,
    ("view", "getitem"): views.part,
    ("view", "permute_dims"): views.permuted,
    ("view", "reshape"): views.reshaped,
    ("view", "view"): views.viewed,
}
# Why nodes cannot do what drivers do, by the module that has these.
REASONS = {
    "bits": "ONNX has no operators for the bits of numbers",
    "factorization_drivers": "ONNX has no factorizations of matrices; compute them outside, as inputs",
    "masks": "the shape of its result depends on values; nd.where keeps shapes",
    "sort": "its order is none that runtimes make; use nd.sort or nd.argsort",
    "unique": "the shape of its result depends on values; nd.isin has that of its first argument",
}


def write_calls(writer: FunctionWriter, calls: list[Call], refused: dict[str, None]) -> None:
    """The nodes of operations, and in `refused` what those without any are called."""
    for call in calls:
        if not call.results:
            continue
        try:
            found = written(writer, call, refused)
        except NoCounterpart as error:
            refused[f"{call.name} ({error})" if str(error) else call.name] = None
            found = [""] * len(call.results)
        if found is not None:
            for value, name in zip(call.results, found, strict=True):
                writer.name_value(value, name)


def written(writer: FunctionWriter, call: Call, refused: dict[str, None]) -> list[str] | None:
    """The names of the results; None where the operations that a function consists of have been written."""
    writer.title = call.name
    if spectra.takes(call):
        return spectra.write_parts(writer, call, lambda writer, call: written(writer, call, refused))
    if call.kind == "row":
        return written_row(writer, call)
    if (methods := BY_NAME.get(call.family or call.kind)) is not None and hasattr(methods, call.name):
        check_real(call)
        found = getattr(methods(writer, call), call.name)()
        return found if isinstance(found, list) else [found]
    if (write := WRITERS.get((call.kind, call.name))) is not None:
        check_real(call)
        names = [writer.operand(x) for x in call.operands if isinstance(x, Value) or hasattr(x, "dtype")]
        found = write(writer, call, *names)
        if found is not None:
            return found if isinstance(found, list) else [found]
    if call.inner is None:
        raise NoCounterpart(call.why or REASONS.get(call.family, "no operator does it"))
    write_calls(writer, call.inner, refused)
    for value in call.results:
        if id(value) not in writer.names:
            raise NoCounterpart("its result is none of its operations'")
    return None


def check_real(call: Call) -> None:
    """Raises NoCounterpart for complex numbers."""
    if any("complex" in str(x.dtype) for x in (*call.operands, *call.results) if hasattr(x, "dtype")):
        raise NoCounterpart("complex numbers")
