"""What importing the HTTP client in advance imports."""

import subprocess
import sys

from programs import PATIENCE


def test_the_http_client_is_imported_without_its_command_line_and_what_only_failures_need() -> None:
    program = (
        "import sys; from pharo_mcp.image import warm; warm();"
        "print('httpx' in sys.modules, 'tenacity' in sys.modules, 'click' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE)
    assert ran.stdout.split() == ["True", "False", "False"], ran.stderr
