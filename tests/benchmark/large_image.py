"""A practice image with as many classes and methods as a large Pharo image, and what is asked of it."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from programs import COMMAND, LiveImage, Program, environment, running_images

from .clients import PipeClient
from .figures import Figure, Measured
from .measures import milliseconds
from .quiet import Machine
from .servers import ours

CHAPTER = "large image"
LIMIT_MS = 1000.0
PACKAGES, CLASSES, METHODS = 100, 100, 13
"""Packages, classes in each, methods in each: 10,000 classes and 130,000 methods."""

COMMON = "answer7"
"""A selector that every class implements and sends."""


class Question(NamedTuple):
    """A request of MCP that is measured; its name is that in the table."""

    name: str
    method: str
    params: Mapping[str, Any]

    @classmethod
    def call(cls, tool: str, **arguments: object) -> "Question":
        """A call of a tool."""
        words = " ".join(f"{value}" for value in arguments.values())
        return cls(f"{tool} {words}".rstrip(), "tools/call", {"name": tool, "arguments": arguments})

    @classmethod
    def completion(cls, text: str) -> "Question":
        """The completion of the name of a class."""
        argument = {"name": "className", "value": text}
        params = {"ref": {"type": "ref/prompt", "name": "explain-class"}, "argument": argument}
        return cls(f"completion of the class name {text}", "completion/complete", params)


QUESTIONS = (
    Question.call("search", kind="classes", query="Large1x"),
    Question.call("search", kind="implementors", query=COMMON),
    Question.call("search", kind="senders", query=COMMON),
    Question.call("search", kind="source", query="nowhere"),
    Question.call("search", kind="selectors", query="a"),
    Question.call("search", kind="selectors", query="*", match="pattern"),
    Question.call("search", kind="classes", query="*", match="pattern"),
    Question.call("search", kind="classes", query="a", hierarchy="Object"),
    Question.call("search", kind="implementors", query="nowhere", match="substring"),
    Question.call("search", kind="implementors", query="*", match="pattern"),
    Question.call("search", kind="senders", query="*", match="pattern"),
    Question.call("search", kind="references", query="nowhere", match="substring"),
    Question.call("search", kind="source", query=COMMON),
    Question.call("read_code", items=["Large-1"], detail="outline"),
    Question.call("search", kind="example", receiver="'abc'", query="'nowhere'"),
    Question.call("get_class", class_name="Large1x7"),
    Question.call("read_code"),
    Question.completion("Large1"),
    Question.completion("a"),
)


def write_packages(
    folder: Path, packages: int = PACKAGES, classes: int = CLASSES, methods: int = METHODS
) -> None:
    """Write Tonel packages with that many classes and methods."""
    for package in range(packages):
        name = f"Large-{package}"
        (folder / name).mkdir(parents=True)
        (folder / name / "package.st").write_text(f"Package {{ #name : '{name}' }}\n", "utf-8")
        for number in range(classes):
            title = f"Large{package}x{number}"
            (folder / name / f"{title}.class.st").write_text(class_source(title, name, methods), "utf-8")


CLASS = """\
Class {{ #name : '{name}', #superclass : 'Object', #category : '{package}', #package : '{package}' }}
"""
METHOD = """
{{ #category : 'answering' }}
{name} >> answer{number} [

	^ self answer{before} + {number}
]
"""


def class_source(name: str, package: str, methods: int) -> str:
    """A class in Tonel; each method sends the one before it."""
    bodies = (METHOD.format(name=name, number=number, before=number - 1) for number in range(1, methods + 1))
    return CLASS.format(name=name, package=package) + "".join(bodies)


def large_image(machine: Machine, packages: int = PACKAGES) -> Iterator[Figure]:
    """The first answer to each question; the image must not have been asked before."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "packages"
        write_packages(folder, packages)
        with Program([*COMMAND, "practice", "--load", str(folder)], environment(Path(home))) as program:
            if program.read_line() is None:
                raise ChildProcessError("the large image did not start")
            [image] = running_images(Path(home))
            yield from answers(image, machine)


def answers(image: LiveImage, machine: Machine) -> Iterator[Figure]:
    """The time of the first registrations and of each question, each the first of its kind."""
    import httpx

    headers = {"Authorization": f"Bearer {image.token}"}
    with httpx.Client(base_url=image.url, headers=headers, trust_env=False, timeout=60) as http:
        yield figure(machine, "the first registrations", lambda: http.post("/registrations", json={}))
        with ours(image).session() as client:
            for question in QUESTIONS:
                yield figure(machine, question.name, partial(ask, client, question))
        yield figure(machine, "status", lambda: http.get("/status"))


def figure(machine: Machine, name: str, action: Callable[[], object]) -> Figure:
    """The time of one action."""
    taken = machine.take(lambda: milliseconds(action), 1, tries=1)
    return Measured(CHAPTER, name, "practice image", "ms", LIMIT_MS).alone(*taken)


def ask(client: PipeClient, question: Question) -> None:
    """Ask a question that must be answered."""
    response = client.request(question.method, **question.params)
    result = response.get("result", {"isError": True})
    if result.get("isError"):
        raise ValueError(f"{question.name} failed: {response}")
