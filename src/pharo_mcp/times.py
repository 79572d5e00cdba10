"""The time limits, waits and intervals of a call and of the connections on its way.

A time that one command or one kind of image alone needs is beside its use. The companion's are in `PmcTimes`.
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
QUESTION_SECONDS = 600.0
"""How long a question waits for the answer of the client; the image gives up at the same time."""
HEARTBEAT_SECONDS = 0.25
"""The interval at which a connection looks for signals, which do not end every wait, and at its clock."""
READER_CHECK_MILLISECONDS = 250
"""The interval at which a blocked write checks whether the client is still there."""

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
FOLLOW_SECONDS = 20
"""The wait of `get_evaluation` for an evaluation that is still running, unless the caller says otherwise."""
LEAST_START_SECONDS = 1.0
"""What an image gets at least to start an evaluation and report that it runs."""
PROGRESS_SECONDS = 1.0
"""The interval of progress reports."""
GRACE_SECONDS = 5.0
"""How much longer this side waits than the image works, so that the image's own answer arrives first."""
QUICK_REQUEST_SECONDS = 10.0
"""Requests that the image answers at once, ending an evaluation included."""
SLACK_SECONDS = 0.1
"""How much longer a caller waits than httpx, which knows whether anything was sent."""
STOPPING_SECONDS = 2.0
"""How long a request may take to reach the image after it was cancelled, so that it is stopped there."""
STOPPING_PAUSE_SECONDS = 0.05
"""The pause between two attempts to stop it."""

# Tasks: calls that are followed after they were answered.

TASK_START_SECONDS = 0.5
"""How long the start of a task waits for the end of its work, for clients that take either."""
TASK_FIRST_CHECK_SECONDS = 0.05
"""The interval at which the image is asked how far a new task is; it doubles each time."""
TASK_CHECK_SECONDS = 0.5
"""The longest such interval."""
TASK_POLL_MILLISECONDS = 1_000
"""The interval at which clients are told to ask for their tasks."""
TASK_SILENCE_SECONDS = 60.0
"""How long an image may leave questions about a task unanswered before the task has failed."""
TASK_MILLISECONDS = 7_200_000
"""How long a task is kept, unless its client wants it shorter: longer than any evaluation."""

# The connection to an image.

CONNECT_SECONDS = 3.0
"""Connecting; on loopback it takes no time unless nothing accepts connections."""
STATUS_SECONDS = 5.0
"""The first status request of a connection."""
IDLE_CONNECTION_SECONDS = 20.0
"""How long an idle connection is used again. Zinc closes it after 30, and a request on it would be lost."""
POLL_SECONDS = 25
"""A request for events; the image answers then if nothing happened."""
EVENTS_PAUSE_SECONDS = 0.1
"""The pause between two requests for events, so that several arrive together."""
CATCH_UP_SECONDS = 0.5
"""How long an answer waits for the events that happened before it."""
RECONNECT_MIN_SECONDS = 0.5
"""The first pause before a lost image is looked for again; it doubles each time."""
RECONNECT_MAX_SECONDS = 8.0
"""The longest such pause."""
SAVING_SECONDS = 20.0
"""The wait for an image that is being saved until it answers again."""
SAVED_SECONDS = 25.0
"""The wait of save_image for the result. Then it answers that the image is still being saved."""
SAVING_PAUSE_SECONDS = 0.1
"""The interval of checks meanwhile."""
LONGEST_SAVE_SECONDS = 600.0
"""What takes longer to save has failed to."""

# HTTP, for `pharo-mcp --http`.

HTTP_ARRIVAL_SECONDS = 20.0
"""A request must have arrived completely by then. Then its connection is closed."""
HTTP_JSON_SECONDS = 2.0
"""A response is JSON until then, and a stream of events from then on."""
STREAM_KEEP_ALIVE_SECONDS = 15.0
"""The interval of comments in a quiet stream: shorter than the timeouts of proxies."""
RESUME_MILLISECONDS = 500
"""How long a client should wait before it resumes a broken stream."""
SESSION_IDLE_SECONDS = 1800.0
"""How long an unused session is kept."""
SESSION_CLEANUP_SECONDS = 60.0
"""The interval of the search for idle sessions."""
CONNECTIONS_END_SECONDS = 3.0
"""The wait for all connections to end after a stop."""
HTTP_STOP_SECONDS = 5
"""How long responses in progress may take after a stop."""

# Lists that modern clients cache.

DISCOVERY_FRESH_MILLISECONDS = 60_000
"""How long clients may cache `server/discover`, which does not change while the process runs."""
LISTS_FRESH_MILLISECONDS = 2_000
"""How long clients may cache a list; list_changed arrives within the same time."""
