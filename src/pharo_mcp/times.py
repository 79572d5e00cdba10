"""The time limits, waits and intervals that several modules, or the image and we, share.

A time that one module alone needs is beside its use. The companion's are in `PmcTimes`.
"""

# A call: from the client's request to its answer.

ANSWER_SECONDS = 45.0
"""A request's arrival to its answer, at most: clients give up after 60."""
IMAGE_REQUESTS_SECONDS = 50.0
"""All requests to an image for one call together."""
DRAIN_SECONDS = 50.0
"""The wait for requests in flight after the end of input."""
STOP_WORK_SECONDS = 2.0
"""Stopping the work of dropped requests, and the wait for a client to read its last answers."""

# What the image is asked to do, and for how long.

EVALUATION_SECONDS = 20
"""The time limit of an evaluation, unless it says otherwise."""
REQUEST_SECONDS = 20
"""The time limit of any other request in the image."""
LONG_REQUEST_SECONDS = 40
"""The time limit of redefining a class, refactoring, and reading or writing packages."""
MAX_EVALUATION_SECONDS = 3600
"""The longest time limit of an evaluation."""
TESTS_SECONDS = 600
"""The time limit of a test run, unless it says otherwise."""
LOAD_SECONDS = 1800
"""The time limit of loading a project, unless it says otherwise."""
WAIT_SECONDS = 40
"""The wait for an evaluation until its id is returned instead, unless the caller says otherwise."""
MAX_WAIT_SECONDS = 45
"""The longest such wait."""
PROGRESS_SECONDS = 1.0
"""The interval of progress reports."""
GRACE_SECONDS = 5.0
"""How much longer this side waits than the image works, so that the image's own answer arrives first."""
QUICK_REQUEST_SECONDS = 10.0
"""Requests that the image answers at once, ending an evaluation included."""
TASK_MILLISECONDS = 7_200_000
"""How long a task is kept, unless its client wants it shorter: longer than any evaluation."""

# The connection to an image.

CONNECT_SECONDS = 3.0
"""Connecting; on loopback it takes no time unless nothing accepts connections."""
POLL_SECONDS = 25
"""A request for events; the image answers then if nothing happened."""
RECONNECT_MIN_SECONDS = 0.5
"""The first pause before a lost image is looked for again; it doubles each time."""
SAVING_PAUSE_SECONDS = 0.1
"""The interval of checks whether an image is still being saved."""
