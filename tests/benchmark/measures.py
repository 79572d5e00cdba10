"""What is measured: start, calls, calls in flight and memory. All of it in rounds, next to a reference."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from programs import LiveImage

from .clients import PipeClient
from .figures import Figure, Measured, percentile
from .servers import EXPRESSION, Server, call_of, is_answer

PYTHON = "`python -c pass`"
REQUEST = "bare httpx request"
IN_A_ROW = 25
"""Calls to one program before the other is called: so many that each finds its own code in the caches."""
IN_FLIGHT = 50


class Effort(NamedTuple):
    """How often each thing is measured."""

    rounds: int = 5
    starts: int = 10
    calls: int = 500
    memory_calls: int = 1000
    large_packages: int = 100


class Limits(NamedTuple):
    """The ratios and the megabytes that count as good enough for a program; None for those of others."""

    start: float | None = None
    listed: float | None = None
    call: float | None = None
    memory: float | None = None


def milliseconds(action: Callable[[], object]) -> float:
    """The time that an action takes."""
    started = perf_counter()
    action()
    return (perf_counter() - started) * 1000


STARTED = "start to the answer to `initialize`"
LISTED = "start to the answer to `tools/list`"


def starts(servers: Sequence[Server], effort: Effort, limits: Mapping[str, Limits]) -> Iterator[Figure]:
    """The times from starting each server to its first two answers, next to a bare Python."""
    rounds: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for _ in range(effort.rounds):
        bare: list[float] = []
        taken: dict[tuple[str, str], list[float]] = {}
        for _ in range(effort.starts):
            bare.append(milliseconds(start_python))
            for server in servers:
                for what, time in zip((STARTED, LISTED), times_to_start(server), strict=True):
                    taken.setdefault((server.name, what), []).append(time)
        for measured, times in taken.items():
            rounds.setdefault(measured, []).append((median(times), median(bare)))
    for (name, what), pairs in rounds.items():
        limit = limits.get(name, Limits())
        most = limit.start if what == STARTED else limit.listed
        yield Measured("start", what, name, "ms", most).beside(PYTHON, pairs)


def start_python() -> None:
    """Start a Python that does nothing."""
    subprocess.run([sys.executable, "-c", "pass"], check=True)


def times_to_start(server: Server) -> tuple[float, float]:
    """The times until a server has answered `initialize` and `tools/list`; ending it is not included."""
    started = perf_counter()
    with server.session() as client:
        first = (perf_counter() - started) * 1000
        client.request("tools/list")
        return first, (perf_counter() - started) * 1000


def calls(
    servers: Sequence[Server], image: LiveImage, effort: Effort, limits: Mapping[str, Limits]
) -> Iterator[Figure]:
    """The time of a call through each server, and of calls in flight, next to the request that it sends."""
    with ExitStack() as stack:
        direct = stack.enter_context(bare_requests(image))
        callers = [
            caller
            for server in servers
            if (caller := Caller.of(server.name, stack.enter_context(server.session())))
        ]
        rounds = [one_round(callers, direct, effort.calls) for _ in range(effort.rounds)]
    for name in [caller.name for caller in callers]:
        limit = limits.get(name, Limits()).call
        for what in (P50, P99, EACH):
            pairs = [each[name, what] for each in rounds]
            yield Measured("calls", what, name, "ms", limit).beside(REQUEST, pairs)


P50 = "a call, p50"
P99 = "a call, p99"
EACH = f"{IN_FLIGHT} calls in flight, each"
Round = Mapping[tuple[str, str], tuple[float, float]]


class Caller(NamedTuple):
    """A session, and the call that is measured in it."""

    name: str
    client: PipeClient
    params: Mapping[str, Any]

    @classmethod
    def of(cls, name: str, client: PipeClient) -> "Caller | None":
        """The caller for a session that has been called once; None if it cannot evaluate."""
        params = call_of(client)
        if params is None or not is_answer(client.request("tools/call", **params)):
            return None
        return cls(name, client, params)

    def call(self) -> None:
        """Call once."""
        self.client.request("tools/call", **self.params)

    def call_at_once(self, number: int) -> None:
        """Send so many calls, and wait for all responses."""
        for request in range(number):
            call = {"jsonrpc": "2.0", "id": f"{request}", "method": "tools/call", "params": self.params}
            self.client.send(call)
        for _ in range(number):
            self.client.receive()


def one_round(callers: Sequence[Caller], direct: Callable[[], object], number: int) -> Round:
    """The times of each caller and of direct requests, in turn."""
    bare: list[float] = []
    taken: dict[str, list[float]] = {caller.name: [] for caller in callers}
    for _ in range(max(1, number // IN_A_ROW)):
        bare += [milliseconds(direct) for _ in range(IN_A_ROW)]
        for caller in callers:
            taken[caller.name] += [milliseconds(caller.call) for _ in range(IN_A_ROW)]
    found = {}
    for caller in callers:
        times = taken[caller.name]
        found[caller.name, P50] = percentile(times, 50), percentile(bare, 50)
        found[caller.name, P99] = percentile(times, 99), percentile(bare, 99)
        found[caller.name, EACH] = time_in_flight(caller), percentile(bare, 50)
    return found


def time_in_flight(caller: Caller) -> float:
    """The time of each of many calls that are in flight together; the best of three times."""
    return min(milliseconds(lambda: caller.call_at_once(IN_FLIGHT)) for _ in range(3)) / IN_FLIGHT


@contextmanager
def bare_requests(image: LiveImage) -> Iterator[Callable[[], object]]:
    """The request of a call, sent by httpx over one connection, and its reply read as JSON: nothing else.

    The client loads no certificates: it needs none, and the time would count as part of the image's start.
    """
    import httpx

    headers = {"Authorization": f"Bearer {image.token}"}
    with httpx.Client(base_url=image.url, headers=headers, trust_env=False, verify=False) as client:

        def request() -> object:
            reply = client.post("/evaluate", json={"expression": EXPRESSION, "timeoutSeconds": 20})
            return reply.raise_for_status().json()

        request()
        yield request


def memory(servers: Sequence[Server], effort: Effort, limits: Mapping[str, Limits]) -> Iterator[Figure]:
    """The resident memory of each server after many calls; nothing where the system does not report it."""
    for server in servers:
        with server.session() as client:
            caller = Caller.of(server.name, client)
            for _ in range(effort.memory_calls if caller else 0):
                client.request("tools/call", **(caller.params if caller else {}))
            size = resident(client.process.pid)
        if size is not None:
            name = f"after {effort.memory_calls:,} calls" if caller else "after the handshake"
            limit = limits.get(server.name, Limits()).memory
            yield Measured("memory", name, server.name, "MB", limit).alone([size])


def resident(pid: int) -> float | None:
    """The resident memory of a process and of those that it started, in MB; None if it is not reported.

    A process that has ended has none, until its parent has asked for its status.
    """
    try:
        lines = Path(f"/proc/{pid}/status").read_text("utf-8").splitlines()
        started = Path(f"/proc/{pid}/task/{pid}/children").read_text("utf-8").split()
    except OSError:
        return None
    own = sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024
    return own + sum(resident(int(child)) or 0 for child in started)


def listing(servers: Sequence[Server]) -> Iterator[Figure]:
    """The bytes of each server's list of tools, which every session of a model reads."""
    for server in servers:
        with server.session() as client:
            tools = client.request("tools/list")["result"]["tools"]
        size = len(json.dumps(tools, separators=(",", ":")))
        yield Measured("reading", f"list of {len(tools)} tools", server.name, "bytes").alone([size])
