"""What the examples' command lines have in common."""

import argparse


def positive(text):
    """A whole number of at least 1, for argparse."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, got {number}")
    return number


def run(program, parser, arguments):
    """What `program` returns for the options of the command line; wrong input ends with one line."""
    options = parser.parse_args(arguments)
    try:
        return program(options)
    except (ImportError, OSError, ValueError) as error:
        raise SystemExit(f"{parser.prog.rsplit('.', 1)[-1]}: {error}") from None
