"""Runs a command: ``python -m pharo_api``."""

import signal
import sys

from pharo_api.command_line import main

if hasattr(signal, "SIGPIPE"):
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # so that `| head` ends it quietly
sys.exit(main())
