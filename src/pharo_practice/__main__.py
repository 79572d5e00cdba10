"""``python -m pharo_practice``: boots the practice image and carries out its options in their order."""

import gc
import signal
import sys

if signal.getsignal(signal.SIGINT) == signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C during an import ends us without a traceback
gc.disable()  # nothing that is imported or booted is garbage; booting enables it at its end

from pharo_practice.program import main  # noqa: E402 - after switching it off

if __name__ == "__main__":
    try:
        sys.exit(main())
    finally:
        gc.freeze()  # what is left goes with the process: nobody need look through all of it for circles
