"""Finds a Python new enough and keeps the project's own virtual environment, `.venv`.

Written in plain old syntax, so that an old Python 3 can still read it and say what is missing.
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
NEEDED = (3, 11)
INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"


def ensure(*groups):
    """Make `.venv` hold the project and these dependency groups; answer its Python.

    Nothing is done when it already does: a stamp remembers what was installed.
    """
    stamp = os.path.join(ENVIRONMENT, "-".join(("installed",) + groups))
    wanted = _fingerprint()
    if os.path.exists(PYTHON) and _read(stamp) == wanted:
        return PYTHON
    if not os.path.exists(PYTHON):
        say("Making the virtual environment .venv")
        run([_new_enough_python(), "-m", "venv", ENVIRONMENT])
    say("Installing what pharo-mcp needs" + (" to be tested" if groups else ""))
    pip = [PYTHON, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    run(pip + ["--upgrade", "pip>=25.1"])
    run(pip + ["--editable", ROOT] + [word for group in groups for word in ("--group", group)])
    with open(stamp, "w") as file:
        file.write(wanted)
    return PYTHON


def ensure_inspector():
    """Install the Inspector, where node is present; elsewhere its tests are skipped."""
    folder = os.path.join(ENVIRONMENT, "inspector")
    npm = shutil.which("npm")
    if (
        npm is None
        or shutil.which("node") is None
        or os.path.isdir(os.path.join(folder, "node_modules", ".bin"))
    ):
        return
    say("Installing the Inspector, one of the outside judges")
    status = subprocess.call(
        [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, INSPECTOR]
    )
    if status != 0:
        say("npm could not install the Inspector; its tests will say that they were skipped")


def run(command):
    """Run a command from the repository's folder; end with its status when it fails."""
    status = subprocess.call(command, cwd=ROOT)
    if status != 0:
        sys.exit(
            "`{}` failed with status {}. What it printed above says why.".format(" ".join(command), status)
        )


def say(sentence):
    """Tell the person at the terminal what happens now."""
    sys.stderr.write(sentence + " ...\n")
    sys.stderr.flush()


def _new_enough_python():
    names = ["python3.{}".format(minor) for minor in range(20, NEEDED[1] - 1, -1)] + ["python3", "python"]
    for candidate in [sys.executable] + [shutil.which(name) for name in names]:
        if candidate and _is_new_enough(candidate):
            return candidate
    return sys.exit(
        "pharo-mcp needs Python {}.{} or newer, and found only {} at {}. "
        "Install one (python.org, or your system's packages) and run this again.".format(
            NEEDED[0], NEEDED[1], sys.version.split()[0], sys.executable
        )
    )


def _is_new_enough(candidate):
    probe = "import sys, venv, ensurepip; sys.exit(sys.version_info < {!r})".format(NEEDED)
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
