"""The messages of the protocol over gRPC, made when they are first needed.

https://github.com/kserve/open-inference-protocol/blob/main/specification/protocol/inference_grpc.md, and the model
repository extension of the Triton server.
Design: protobuf makes classes from descriptions at run time, so neither a compiler of .proto files nor its output is
needed.  They are in a pool of their own: a client of another package in this process may have the same names.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

PACKAGE = "inference"
SERVICE = f"{PACKAGE}.GRPCInferenceService"
# Fields in the order of their numbers, from 1.  A "map" is from names to messages; a "one of" holds one of its fields.
MESSAGES: dict[str, tuple[str, ...]] = {
    "ServerLiveRequest": (),
    "ServerLiveResponse": ("bool live",),
    "ServerReadyRequest": (),
    "ServerReadyResponse": ("bool ready",),
    "ModelReadyRequest": ("string name", "string version"),
    "ModelReadyResponse": ("bool ready",),
    "ServerMetadataRequest": (),
    "ServerMetadataResponse": ("string name", "string version", "repeated string extensions"),
    "ModelMetadataRequest": ("string name", "string version"),
    "TensorMetadata": ("string name", "string datatype", "repeated int64 shape"),
    "ModelMetadataResponse": (
        "string name",
        "repeated string versions",
        "string platform",
        "repeated TensorMetadata inputs",
        "repeated TensorMetadata outputs",
    ),
    "InferParameter": (
        "oneof bool bool_param",
        "oneof int64 int64_param",
        "oneof string string_param",
        "oneof double double_param",
        "oneof uint64 uint64_param",
    ),
    "InferTensorContents": (
        "repeated bool bool_contents",
        "repeated int32 int_contents",
        "repeated int64 int64_contents",
        "repeated uint32 uint_contents",
        "repeated uint64 uint64_contents",
        "repeated float fp32_contents",
        "repeated double fp64_contents",
        "repeated bytes bytes_contents",
    ),
    "InferInputTensor": (
        "string name",
        "string datatype",
        "repeated int64 shape",
        "map InferParameter parameters",
        "InferTensorContents contents",
    ),
    "InferRequestedOutputTensor": ("string name", "map InferParameter parameters"),
    "ModelInferRequest": (
        "string model_name",
        "string model_version",
        "string id",
        "map InferParameter parameters",
        "repeated InferInputTensor inputs",
        "repeated InferRequestedOutputTensor outputs",
        "repeated bytes raw_input_contents",
    ),
    "InferOutputTensor": (
        "string name",
        "string datatype",
        "repeated int64 shape",
        "map InferParameter parameters",
        "InferTensorContents contents",
    ),
    "ModelInferResponse": (
        "string model_name",
        "string model_version",
        "string id",
        "map InferParameter parameters",
        "repeated InferOutputTensor outputs",
        "repeated bytes raw_output_contents",
    ),
    "ModelRepositoryParameter": (
        "oneof bool bool_param",
        "oneof int64 int64_param",
        "oneof string string_param",
        "oneof bytes bytes_param",
    ),
    "RepositoryIndexRequest": ("string repository_name", "bool ready"),
    "ModelIndex": ("string name", "string version", "string state", "string reason"),
    "RepositoryIndexResponse": ("repeated ModelIndex models",),
    "RepositoryModelLoadRequest": (
        "string repository_name",
        "string model_name",
        "map ModelRepositoryParameter parameters",
    ),
    "RepositoryModelLoadResponse": (),
    "RepositoryModelUnloadRequest": (
        "string repository_name",
        "string model_name",
        "map ModelRepositoryParameter parameters",
    ),
    "RepositoryModelUnloadResponse": (),
}
Field = descriptor_pb2.FieldDescriptorProto
SCALARS = {
    "bool": Field.TYPE_BOOL,
    "int32": Field.TYPE_INT32,
    "int64": Field.TYPE_INT64,
    "uint32": Field.TYPE_UINT32,
    "uint64": Field.TYPE_UINT64,
    "float": Field.TYPE_FLOAT,
    "double": Field.TYPE_DOUBLE,
    "string": Field.TYPE_STRING,
    "bytes": Field.TYPE_BYTES,
}


@cache
def message_class(name: str) -> Any:
    """The class of a message."""
    return message_factory.GetMessageClass(_pool().FindMessageTypeByName(f"{PACKAGE}.{name}"))


@cache
def _pool() -> Any:
    file = descriptor_pb2.FileDescriptorProto(name="nd4py_inference.proto", package=PACKAGE, syntax="proto3")
    for name, fields in MESSAGES.items():
        message = file.message_type.add(name=name)
        for number, field in enumerate(fields, 1):
            _add_field(message, field.split(), number)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return pool


def _add_field(message: Any, words: list[str], number: int) -> None:
    *how, kind, name = words
    field = message.field.add(name=name, number=number, label=Field.LABEL_OPTIONAL)
    if how == ["map"]:
        entry = message.nested_type.add(name=f"{name.title()}Entry")
        entry.options.map_entry = True
        _add_field(entry, ["string", "key"], 1)
        _add_field(entry, [kind, "value"], 2)
        field.label, field.type = Field.LABEL_REPEATED, Field.TYPE_MESSAGE
        field.type_name = f".{PACKAGE}.{message.name}.{entry.name}"
        return
    if how == ["repeated"]:
        field.label = Field.LABEL_REPEATED
    elif how == ["oneof"]:
        if not message.oneof_decl:
            message.oneof_decl.add(name="parameter_choice")
        field.oneof_index = 0
    if kind in SCALARS:
        field.type = SCALARS[kind]
    else:
        field.type, field.type_name = Field.TYPE_MESSAGE, f".{PACKAGE}.{kind}"
