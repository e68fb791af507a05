"""What holds for all tests: Ctrl-C is heard, also where they were started in the background of a shell."""

import signal
import threading

# a shell lets what it starts in the background ignore SIGINT, and so would all processes that tests start
if (
    threading.current_thread() is threading.main_thread()
    and signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):
    signal.signal(signal.SIGINT, signal.default_int_handler)
