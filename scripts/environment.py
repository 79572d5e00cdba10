"""Find a recent Python and maintain the project's virtual environment, `.venv`.

Uses old syntax only, so that an old Python 3 can run it and report what is missing.
"""

import hashlib
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ENVIRONMENT = os.path.join(ROOT, ".venv")
BIN = os.path.join(ENVIRONMENT, "Scripts" if os.name == "nt" else "bin")
PYTHON = os.path.join(BIN, "python.exe" if os.name == "nt" else "python")
MINIMUM = (3, 11)
INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"


def ensure(*groups):
    """Install the project and these dependency groups into `.venv`; return the path of its Python.

    What a stamp file shows to be installed is left as it is: a test that runs a script must not
    replace the program that another test is starting.
    """
    if not os.path.exists(PYTHON):
        report("Creating the virtual environment .venv")
        run([find_python(), "-m", "venv", ENVIRONMENT])
    _install("pharo-mcp", "installed", "--editable", ROOT)
    for group in groups:
        _install("what `{}` needs".format(group), "installed-" + group, "--group", group)
    return PYTHON


def ensure_inspector():
    """Install the Inspector if node is present; otherwise its tests are skipped."""
    folder = os.path.join(ENVIRONMENT, "inspector")
    npm = shutil.which("npm")
    if (
        npm is None
        or shutil.which("node") is None
        or os.path.isdir(os.path.join(folder, "node_modules", ".bin"))
    ):
        return
    report("Installing the MCP Inspector")
    status = subprocess.call(
        [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, INSPECTOR]
    )
    if status != 0:
        report("npm could not install the Inspector; its tests will be skipped")


def run(command, output=None):
    """Run a command in the repository's folder; exit if it fails."""
    status = subprocess.call(command, cwd=ROOT, stdout=output)
    if status != 0:
        sys.exit("`{}` failed with status {}; its output is above.".format(" ".join(command), status))


def report(step):
    """Print what the script is doing on standard error."""
    sys.stderr.write(step + " ...\n")
    sys.stderr.flush()


def find_python():
    names = ["python3.{}".format(minor) for minor in range(20, MINIMUM[1] - 1, -1)] + ["python3", "python"]
    for candidate in [sys.executable] + [shutil.which(name) for name in names]:
        if candidate and _is_recent(candidate):
            return candidate
    return sys.exit(
        "pharo-mcp requires Python {}.{} or newer, but only {} was found at {}. "
        "Install a newer one (from python.org or your system's packages) and run this again.".format(
            MINIMUM[0], MINIMUM[1], sys.version.split()[0], sys.executable
        )
    )


def _install(what, stamp, *arguments):
    path = os.path.join(ENVIRONMENT, stamp)
    fingerprint = _fingerprint()
    if _read(path) == fingerprint:
        return
    report("Installing " + what)
    pip = [PYTHON, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    run(pip + ["--upgrade", "pip>=25.1"])
    run(pip + list(arguments))
    with open(path, "w") as file:
        file.write(fingerprint)


def _is_recent(candidate):
    probe = "import sys, venv, ensurepip; sys.exit(sys.version_info < {!r})".format(MINIMUM)
    try:
        return subprocess.call([candidate, "-c", probe], stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def _fingerprint():
    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as file:
        return hashlib.sha256(file.read() + ROOT.encode()).hexdigest()


def _read(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return None
