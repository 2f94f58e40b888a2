"""The Open Inference Protocol over gRPC: messages, the service, and its server.

The files, as the build lists them:

- grpc_messages.py: The messages of the protocol over gRPC, made when they are first needed.
- grpc_server.py: A server of gRPC beside the one of HTTP.
- grpc_service.py: The calls of the protocol over gRPC: inference of its own, the rest as the same addresses over HTTP.
"""
