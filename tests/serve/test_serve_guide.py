"""The commands of the guide: what people copy into a shell."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from serve_cases.served import saved, serving, small_network

from nd4py.serve.commands import main

GUIDES = Path(__file__).parents[2] / "docs" / "guides"
GUIDE = (GUIDES / "serving-over-http.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^```bash\n(.*?)^```$", GUIDE, re.M | re.S)

pytestmark = pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What a block of commands prints, asked of a server of one model, `iris`."""
    with serving({"iris": saved(tmp_path_factory.mktemp("models"), "iris")}) as client:
        address = "{}:{}".format(*client.address)

        def run(commands):
            text = commands.replace("127.0.0.1:8080", address).replace("curl -s", "curl -sf -w '\\n'")
            done = subprocess.run(["bash", "-e", "-c", text], capture_output=True, text=True, timeout=60)
            assert done.returncode == 0, (text, done.stderr)
            return done.stdout

        yield run


def test_asking_a_model(run):
    described, answer = map(json.loads, run(COMMANDS[0]).splitlines())
    assert described["inputs"] == [{"name": "input", "datatype": "FP32", "shape": [-1, 4]}]
    wanted = small_network().output(np.array([[5.1, 3.5, 1.4, 0.2]], "float32")).ravel()
    assert np.allclose(answer["outputs"][0]["data"], wanted, atol=1e-6)


def test_asking_how_the_server_does(run):
    ready, index, *metrics = run(COMMANDS[1]).splitlines()
    assert json.loads(ready) == {"ready": True}
    assert json.loads(index)[0]["state"] == "READY"
    assert 'nd4py_model_ready{model="iris"} 1.0' in metrics


def test_every_block_of_commands_is_tried():
    assert len(COMMANDS) == 2


def test_options_that_the_guides_name_are_those_of_the_commands(capsys):
    known = set()
    for command in ("serve", "bench-serve"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        known |= set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out))
    text = GUIDE.partition("## In a container")[0] + (GUIDES / "coming-from-other-servers.md").read_text(
        encoding="utf-8"
    )
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text))
    assert named - known == {"--start", "--model-store", "--models"}  # of torchserve
