"""A server whose models are computed by processes."""

import os
import signal
import sys

import numpy as np
import onnx
import pytest
from serve_cases.served import request, saved, serving, small_network, tensor

X = np.array([[1.0, 2.0, 3.0, 4.0]], "float32")


@pytest.mark.skipif(sys.platform == "win32", reason="signals that end a process at once")
def test_models_of_all_kinds_answer_though_processes_are_killed(tmp_path):
    node = onnx.helper.make_node("Mul", ["x", "c"], ["y"])
    value = onnx.helper.make_tensor_value_info
    constant = onnx.numpy_helper.from_array(np.full(4, 3.0, "float32"), "c")
    graph = onnx.helper.make_graph([node], "g", [value("x", 1, ["n", 4])], [value("y", 1, ["n", 4])], [constant])
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)]), tmp_path / "m.onnx")
    files = {"small": saved(tmp_path), "m": tmp_path / "m.onnx"}
    wanted = small_network().output(X).ravel().tolist()
    with serving(files, processes=1) as client:
        pool = client.application._repository.server._team._pool
        for _ in range(2):
            answer = client.post("/v2/models/small/infer", json=request())
            assert np.allclose(answer.json()["outputs"][0]["data"], wanted, atol=1e-6)
            answer = client.post("/v2/models/m/infer", json=request(tensor([1, 2, 3, 4], (1, 4), name="x")))
            assert answer.json()["outputs"][0]["data"] == [3.0, 6.0, 9.0, 12.0]
            (process,) = pool.process_ids()
            os.kill(process, signal.SIGKILL)
        wrong = client.post("/v2/models/small/infer", json=request(tensor([1.0, 2.0, 3.0], (1, 3))))
        assert wrong.status_code == 400
