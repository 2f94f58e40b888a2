"""The page for people: which models there are, how they do, and a form to try one."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

from .http_errors import Header


def read_page() -> tuple[bytes, list[Header]]:
    """The page, and headers by which a browser runs its own script and asks this server, and nothing else."""
    page = Path(__file__).with_name("page.html").read_bytes()
    script = re.search(rb"<script>(.*?)</script>", page, re.S)
    assert script is not None
    digest = base64.b64encode(hashlib.sha256(script[1]).digest())
    policy = (
        b"default-src 'none'; connect-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; "
        b"form-action 'none'; script-src 'sha256-" + digest + b"'"
    )
    return page, [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-security-policy", policy),
        (b"x-content-type-options", b"nosniff"),
        (b"cache-control", b"no-cache"),
    ]
