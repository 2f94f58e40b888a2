"""A server of gRPC beside the one of HTTP."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import grpc

from ..application import Application
from .grpc_messages import SERVICE
from .grpc_service import GrpcService

LOG = logging.getLogger("nd4py.serve")


async def start(application: Application) -> tuple[Any, int]:
    """A server that listens at the application's `grpc_port`, to be ended by its `stop`; and the port.

    Raises OSError where the address cannot be used or a file for TLS cannot be read.
    """
    settings = application.settings
    server = grpc.aio.server(
        options=[
            ("grpc.max_receive_message_length", settings.max_body_bytes),
            ("grpc.max_send_message_length", -1),
            ("grpc.max_metadata_size", settings.max_header_bytes),
            ("grpc.so_reuseport", 0),  # a port that another process has is an error
        ],
        maximum_concurrent_rpcs=settings.max_connections,
    )
    handler = grpc.method_handlers_generic_handler(SERVICE, GrpcService(application).handlers())
    server.add_generic_rpc_handlers((handler,))
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = f"{host}:{settings.grpc_port}"
    try:
        if settings.certificate is None or settings.private_key is None:
            port = server.add_insecure_port(address)
        else:
            pair = Path(settings.private_key).read_bytes(), Path(settings.certificate).read_bytes()
            port = server.add_secure_port(address, grpc.ssl_server_credentials([pair]))
    except RuntimeError as error:
        raise OSError(f"serve: gRPC cannot listen at {address}: {error}") from None
    await server.start()
    LOG.info("listening at grpc://%s:%d", host, port)
    return server, port
