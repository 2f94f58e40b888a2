"""The command line: `nd4py serve` and `nd4py bench-serve`."""

from __future__ import annotations

import argparse
import gc
import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from .application import Application, version_of_package
from .http_server import run
from .load_test import load_test
from .model_repository import checked_name
from .serve_settings import Settings
from .served_models import LOADERS

# Threads that have computed wait so long at most until the event loop lets them hand over the answer.
SWITCH_SECONDS = 500e-6
TOKEN_VARIABLE = "ND4PY_SERVE_TOKEN"
HELP = {
    "host": "address to listen at",
    "port": "port to listen at, 0 for any",
    "grpc_port": "port to listen at for gRPC too, 0 for any",
    "certificate": "file of the certificate for TLS",
    "private_key": "file of the private key for TLS",
    "max_body_bytes": "longest body of a request, after decompression",
    "max_elements": "most elements of one input",
    "max_rows": "most examples of a request",
    "max_seconds": "longest time until a request is answered",
    "header_seconds": "longest time until the headers of a request have come",
    "body_seconds": "longest time until the body of a request has come",
    "max_header_bytes": "longest headers of a request",
    "max_connections": "most connections at a time",
    "rate": "requests a second that a client may send on the long run, 0 for any",
    "burst": "requests that a client may send at once where there is a rate",
    "threads": "batches that are computed at a time; as many as there are cores",
    "processes": "processes that compute in place of threads; one that dies is replaced",
    "memory_limit": "bytes that all models may take",
    "batch_limit": "most examples that are computed together",
    "queue_limit": "most requests for a model that wait; others are answered with 503",
    "max_wait_us": "microseconds that a request waits for others to be computed with",
    "least_rows": "examples that a smaller batch is filled up to",
    "poll_seconds": "time between looks at the files of the models, 0 for none",
    "drain_seconds": "longest time for requests that are being answered when the server ends",
    "access_log": "file for a line of JSON for each request, - for standard output",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.  Returns the status of the process; `arguments` are those of the process by default."""
    parser = argparse.ArgumentParser(prog="nd4py", description="Servers of models, and their load tests.")
    parser.add_argument("--version", action="version", version=f"nd4py {version_of_package()}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add_serve(commands)
    add_bench_serve(commands)
    given = parser.parse_args(arguments)
    try:
        return int(given.run(given))
    except (ValueError, TypeError, OSError, ImportError) as error:
        print(f"nd4py: {error}", file=sys.stderr)
        return 2


def add_serve(commands: Any) -> None:
    """Add the command that serves models."""
    parser = commands.add_parser(
        "serve", help="serve models over HTTP", formatter_class=argparse.ArgumentDefaultsHelpFormatter,
        description="Serve models over HTTP by the Open Inference Protocol, version 2.",
        epilog=f"A token that clients must send is read from --token-file or the environment, {TOKEN_VARIABLE}.",
    )  # fmt: skip
    parser.add_argument("folder", nargs="?", help="folder of models: NAME.zip, NAME.onnx, NAME.keras")
    parser.add_argument("--model", action="append", default=[], metavar="NAME=FILE", help="a model; may be repeated")
    parser.add_argument("--token-file", metavar="FILE", help="file of a token that clients must send")
    parser.add_argument("--no-warm-up", action="store_true", help="be ready before a model has computed an example")
    kinds: dict[str, Any] = {"int": int, "float": float, "int | None": int}  # by the annotation of a field
    for each in fields(Settings):
        if each.name in HELP:
            option = "--" + each.name.replace("_", "-")
            kind = kinds.get(str(each.type), str)
            default = "-" if each.name == "access_log" else each.default
            parser.add_argument(option, type=kind, default=default, metavar=kind.__name__.upper(), help=HELP[each.name])
    parser.set_defaults(run=serve)


def serve(given: argparse.Namespace) -> int:
    """Serve models until the process is told to end.  Returns the status of the process."""
    models = dict(model_file(text) for text in given.model)
    if len(models) < len(given.model):
        raise ValueError("serve: two models have one name")
    if given.folder is None and not models:
        raise ValueError("serve: no models; give a folder, or --model NAME=FILE")
    token = os.environ.get(TOKEN_VARIABLE) or None
    if given.token_file is not None:
        token = Path(given.token_file).read_text(encoding="utf-8").strip()
    named = {name: getattr(given, name) for name in HELP}
    named["access_log"] = named["access_log"] or None
    settings = Settings(token=token, warm_up=not given.no_warm_up, **named)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s", stream=sys.stderr)
    application = Application(models, folder=given.folder, settings=settings)
    gc.collect()
    gc.freeze()  # what was imported stays: a collection that looks at it takes longer than a request
    sys.setswitchinterval(SWITCH_SECONDS)
    run(application)
    return 0


def add_bench_serve(commands: Any) -> None:
    """Add the command that tests a server under load."""
    parser = commands.add_parser(
        "bench-serve", help="ask a server at a rate, and measure its latencies",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
        description="Ask a server of models at a rate, whatever it does, and measure its latencies.",
        epilog=f"A token is read from the environment, {TOKEN_VARIABLE}.",
    )  # fmt: skip
    parser.add_argument("url", help="of the server, such as http://127.0.0.1:8080")
    parser.add_argument("--model", help="name of the model; the first that is ready")
    parser.add_argument("--rate", type=float, default=100.0, help="requests a second")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long")
    parser.add_argument("--connections", type=int, default=32, help="that requests are sent on")
    parser.add_argument("--rows", type=int, default=1, help="examples of a request")
    parser.add_argument("--allow-remote", action="store_true", help="the server may be on another machine")
    parser.set_defaults(run=bench_serve)


def bench_serve(given: argparse.Namespace) -> int:
    """Print what a load test finds.  Returns the status of the process."""
    named = {name: getattr(given, name) for name in ("model", "rate", "seconds", "connections", "rows", "allow_remote")}
    print(load_test(given.url, token=os.environ.get(TOKEN_VARIABLE) or None, **named))
    return 0


def model_file(text: str) -> tuple[str, Path]:
    """(Name, file) of a model, as NAME=FILE says.  Raises ValueError for other texts, FileNotFoundError."""
    name, separator, path = text.partition("=")
    if not separator or not path:
        raise ValueError(f"serve: --model takes NAME=FILE, got {text!r}")
    found = Path(path)
    if found.suffix not in LOADERS:
        raise ValueError(f"serve: {path}: not a kind of file that is served; known: {', '.join(LOADERS)}")
    if not found.is_file():
        raise FileNotFoundError(f"serve: there is no file {path}")
    return checked_name(name), found
