"""What importing the HTTP client in advance imports."""

import subprocess
import sys

from programs import PATIENCE


def test_the_http_client_is_imported_without_what_loopback_does_not_need() -> None:
    program = (
        "import sys; from pharo_mcp.image import warm; warm();"
        "print(*(name in sys.modules for name in ('httpcore', 'httpx', 'anyio', 'tenacity')))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE)
    assert ran.stdout.split() == ["True", "False", "False", "False"], ran.stderr
