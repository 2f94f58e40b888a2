"""Requests for a server of models that are wrong, each in another way, by a seed."""

import gzip
import json
import random
import struct
import zlib
from functools import cache

HEAD = b"POST %s HTTP/1.1\r\nhost: localhost\r\n%scontent-length: %d\r\n\r\n"
ODD_VALUES = (
    None, True, -1, 0, 1.5, 2**63, 2**64, -(2**70), 1e308, "", "x" * 5000, "\x00", [], {}, [[]], [None], {"a": {}},
    "NaN", [1, [2]], ["1"], [-1, 4], [1 << 40, 1 << 40], [1] * 100, [2**63, 2**63],
)  # fmt: skip
ODD_BYTES = (
    b"",
    b"{",
    b"null",
    b"[]",
    b"1",
    b'"x"',
    b"\xff\xfe",
    b"{}}",
    b"[" * 100_000,
    b'{"a":' * 50_000,
    b"NaN",
    b"\x00",
)


@cache
def bomb(coding):
    """A coding, and a short body that gets long without it."""
    return coding, (gzip.compress if coding == b"gzip" else zlib.compress)(b" " * (64 << 20), 1)


def valid(rng):
    """A request that a small network takes."""
    n = rng.randint(1, 3)
    data = [rng.uniform(-1, 1) for _ in range(4 * n)]
    return {"id": "1", "inputs": [{"name": "input", "shape": [n, 4], "datatype": "FP32", "data": data}]}


def malformed(seed):
    """The bytes of a request of HTTP that is wrong."""
    rng = random.Random(seed)
    return rng.choice(WAYS)(rng)


def post(body, headers=b"", path=b"/v2/models/small/infer"):
    return HEAD % (path, headers, len(body)) + body


def odd_field(rng):
    """A field of the request, or of its input, has another value."""
    fields = valid(rng)
    where, name = rng.choice([(fields, "inputs"), (fields, "id"), (fields, "parameters")] + [
        (fields["inputs"][0], name) for name in ("name", "shape", "datatype", "data", "parameters")
    ])  # fmt: skip
    fine = {"id": (None, "", "\x00", "NaN"), "parameters": (None, {}, {"a": {}})}.get(name, ())
    where[name] = rng.choice(
        [value for value in ODD_VALUES if value not in fine or isinstance(value, (bool, int, float))]
    )
    return post(json.dumps(fields).encode())


def missing_field(rng):
    """A field that is needed is not there."""
    fields = valid(rng)
    if rng.random() < 0.2:
        del fields["inputs"]
    else:
        del fields["inputs"][0][rng.choice(["name", "shape", "datatype", "data"])]
    return post(json.dumps(fields).encode())


def odd_element(rng):
    """One of the numbers is none, or out of range."""
    fields = valid(rng)
    data = fields["inputs"][0]["data"]
    data[rng.randrange(len(data))] = rng.choice([None, "1", [], {}, 1e300, [1.0], "x" * 100_000])
    return post(json.dumps(fields).encode())


def wrong_count(rng):
    """There are more or fewer numbers than the shape has."""
    fields = valid(rng)
    fields["inputs"][0]["data"] *= rng.choice([0, 2, 1000])
    return post(json.dumps(fields).encode())


def odd_body(rng):
    """The body is no JSON object, or is cut off."""
    text = json.dumps(valid(rng)).encode()
    return post(rng.choice([*ODD_BYTES, text[: rng.randrange(1, len(text))], text[::-1], rng.randbytes(200)]))


def odd_bytes_tensor(rng):
    """The bytes after the JSON are not what it says."""
    size = rng.choice([0, 15, 17, 1 << 40, -1, "16", None, 1.5])
    fields = {
        "inputs": [{"name": "input", "shape": [1, 4], "datatype": "FP32", "parameters": {"binary_data_size": size}}]
    }
    text = json.dumps(fields).encode()
    length = rng.choice([str(len(text)), str(len(text) + 1), "-1", "9" * 30, "x", "0"]).encode()
    return post(text + struct.pack("<4f", 1, 2, 3, 4), b"inference-header-content-length: %s\r\n" % length)


def odd_coding(rng):
    """The body is compressed by nothing that is known, is damaged, or gets too long."""
    text = json.dumps(valid(rng)).encode()
    coding, body = rng.choice([
        (b"gzip", text), (b"br", text), (b"gzip", gzip.compress(text)[:-5]), (b"deflate", gzip.compress(text)),
        (b"gzip", gzip.compress(text) + b"x"), (b"gzip, gzip", gzip.compress(text)), (b"\xff", text),
        bomb(b"gzip"), bomb(b"deflate"),
    ])  # fmt: skip
    return post(body, b"content-encoding: %s\r\n" % coding)


def odd_address(rng):
    """There is nothing at the address, or it takes another method."""
    body = json.dumps(valid(rng)).encode()
    path = rng.choice([
        b"/v2/models/none/infer", b"/v2/models/small/versions/2/infer", b"/v2/models//infer",
        b"/v2/models/small/infer/x",        b"/v2/models/..%2f..%2fetc/infer", b"/%ff", b"//", b"/v2/models/small",
        b"/metrics", b"/" + b"a" * 4000,
        b"/v2/repository/models/small/delete", b"/v2/repository/models/none/load", b"/v2/models/%00/infer",
    ])  # fmt: skip
    return post(body, path=path)


def odd_http(rng):
    """This is no HTTP, or HTTP that does not say how long it is."""
    return rng.choice([
        b"\x16\x03\x01" + rng.randbytes(100), rng.randbytes(300) + b"\r\n\r\n", b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /v2 HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
        b"POST /v2 HTTP/1.1\r\ncontent-length: 99999999999999999\r\n\r\n",
        b"POST /v2 HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx",
        b"POST /v2 HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n\r\n",
        b"GET /v2/x HTTP/1.1\r\nhost: localhost\r\nbad header\r\n\r\n",
        b"GET / HTTP/1.1\r\nx: " + b"y" * 60_000 + b"\r\n\r\n", b"GET /v2 HTTP/1.1\r\nhost: elsewhere.example\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"".join(b"x%d: y\r\n" % i for i in range(5000)) + b"\r\n",
        b"PATCH /v2 HTTP/1.1\r\nhost: localhost\r\n\r\n",
    ])  # fmt: skip


WAYS = (
    *(odd_field, odd_field, missing_field, odd_element, wrong_count, odd_body),
    *(odd_bytes_tensor, odd_coding, odd_address, odd_http),
)
