"""The command line: `nd4py`, and `python -m nd4py`."""

from __future__ import annotations

import sys
from importlib import import_module


def main() -> int:
    """Run a command.  Returns the status of the process."""
    try:
        commands = import_module("nd4py.serve.commands")
    except ImportError as error:
        print(f"nd4py: {error}", file=sys.stderr)
        return 2
    return int(commands.main())


if __name__ == "__main__":
    sys.exit(main())
