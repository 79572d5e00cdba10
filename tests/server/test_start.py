import subprocess
import sys

SLOW = {
    "asyncio",
    "dataclasses",
    "inspect",
    "logging",
    "subprocess",
    "fastjsonschema",
    "httpx",
    "urllib.parse",
}


def test_the_server_starts_without_what_is_slow_to_import() -> None:
    program = "import sys, pharo_mcp.server; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, timeout=30)
    assert set(ran.stdout.decode().split()) & SLOW == set()
