"""A booted practice for every test here."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pharo_practice.image import boot
from pharo_practice.machine.machine import Machine
from pharo_practice.primitives.sockets import destroy_all
from practice_evaluation import (
    Answering,
    Evaluate,
    Printing,
    Signalling,
    answerer,
    evaluator,
    printer,
    signaller,
)


@pytest.fixture(scope="session")
def vm() -> Iterator[Machine]:
    """The kernel, once for all tests: they leave behind nothing that another could meet."""
    machine = boot()
    yield machine
    destroy_all(machine)


@pytest.fixture
def evaluate(vm: Machine) -> Evaluate:
    """The value of an expression."""
    return evaluator(vm)


@pytest.fixture
def printing(vm: Machine) -> Printing:
    """How the value of an expression prints itself."""
    return printer(vm)


@pytest.fixture
def signalling(vm: Machine) -> Signalling:
    """The class and the text of the error that an expression signals."""
    return signaller(vm)


@pytest.fixture
def answering(vm: Machine) -> Answering:
    """What an expression prints or signals, whichever it does."""
    return answerer(vm)
