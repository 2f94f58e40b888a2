"""Models behind an address: a server of the Open Inference Protocol, version 2, over HTTP.

The files, as the build lists them:

- access_log.py: The access log: a line of JSON for each request.
- application.py: The ASGI application: every request gets an answer, a line in the log and its place in the counts.
- client_limits.py: What a client may do: its token, the pages that may ask for it, and how often it may ask.
- commands.py: The command line: `nd4py serve` and `nd4py bench-serve`.
- content_coding.py: Compressed bodies: gzip and deflate, of requests within the limit of their size, and of answers
  that are worth it.
- endpoints.py: The endpoints of the Open Inference Protocol, version 2, over HTTP.
- http_errors.py: Errors that are answers: a status of HTTP and a sentence that says what was wrong.
- http_requests.py: Requests of HTTP as the endpoints see them: headers, a body within limits, and whether the client is
  still there.
- http_server.py: A server of HTTP for the application: uvicorn, with limits of headers, of connections and of the time
  they take.
- inference_requests.py: Inference requests of the Open Inference Protocol, version 2: bodies to arrays, and outputs to
  bodies.
- load_test.py: A load test of a server of models: requests at a rate, whatever the server does.
- metrics.py: Metrics in the text format of Prometheus: counts of this server, and the statistics of its models.
- model_repository.py: The models of a server: which files they come from, in which state they are, and how they change.
- model_statistics.py: Statistics of models as the statistics extension of the Triton server has them, and for the page.
- onnx_snapshots.py: Models of the ONNX format as what a ModelServer computes with: they have the methods of
  `nn.Snapshot`.
- page.py: The page for people: which models there are, how they do, and a form to try one.
- request_notes.py: What is noted of each request when it got its answer: its place in the counts, and its line in the
  log.
- rpc/: The Open Inference Protocol over gRPC: messages, the service, and its server.
- scheduled_inference.py: Inferences: computed at once where that is quick, else in their turn, and given up when nobody
  waits for them.
- serve_settings.py: Settings of a server of models: where it listens, what it allows, and how requests are computed.
- served_models.py: Models that are served: read from files, with what they take and return.
- tensor_encoding.py: Tensors of the Open Inference Protocol, as numbers in JSON or as bytes, and the arrays that they
  are.
"""

try:
    import httptools as _httptools
    import orjson as _orjson
    import uvicorn as _uvicorn
    import uvloop as _uvloop
except ImportError as error:
    raise ImportError(f"nd4py.serve needs {error.name}: pip install 'nd4py[serve]'") from error

from .application import Application
from .http_server import run
from .load_test import LoadReport, load_test
from .serve_settings import Settings

__all__ = ["Application", "LoadReport", "Settings", "load_test", "run"]
