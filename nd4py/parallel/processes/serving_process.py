"""A process that computes outputs until nobody asks any more."""

from __future__ import annotations

import pickle
import signal
import traceback
from typing import Any

from nd4py import api as nd

from .shared_snapshots import SharedSnapshot

# What a process is told: to take over a snapshot, that nobody needs one any more, and to compute.
ADD, REMOVE, COMPUTE = "add", "remove", "compute"
TAKEN = b"taken"  # what it says before it computes


def serve(connection: Any) -> None:
    """Answer on a connection until its other end is closed; the process that has it decides about signals too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    snapshots: dict[int, Any] = {}
    try:
        send(connection, None)  # ready
        while True:
            what, number, *given = receive(connection)
            if what == ADD:
                snapshots[number] = SharedSnapshot.receive(connection)
            elif what == REMOVE:
                del snapshots[number]
            else:
                connection.send_bytes(TAKEN)
                answer(connection, snapshots[number], *given)
            del given
    except (EOFError, OSError):  # the process that asked has gone
        return


def answer(connection: Any, snapshot: Any, inputs: Any, masks: Any, n_threads: int) -> None:
    """Send (outputs, None), or (None, the error)."""
    try:
        with nd.threads(n_threads):
            content = pickle.dumps((snapshot.outputs(inputs, masks), None), protocol=5)
    except BaseException as error:  # whoever waits for the answer raises it
        content = of_error(error)
    connection.send_bytes(content)


def of_error(error: BaseException) -> bytes:
    """An error for another process, with the lines that it came from; as a RuntimeError where it cannot be pickled."""
    lines = "".join(traceback.format_exception(error))
    error.add_note(f"raised in a process:\n{lines}")
    try:
        content = pickle.dumps((None, error.with_traceback(None)), protocol=5)
        pickle.loads(content)
    except Exception:  # whatever its own methods raise
        return pickle.dumps((None, RuntimeError(f"a process could not send its error:\n{lines}")), protocol=5)
    return content


def send(connection: Any, value: Any) -> None:
    """Send a value; its arrays are copied once."""
    connection.send_bytes(pickle.dumps(value, protocol=5))


def receive(connection: Any) -> Any:
    """A value that was sent.  Raises EOFError or OSError where the other end has gone."""
    return pickle.loads(connection.recv_bytes())
