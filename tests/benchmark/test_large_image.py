"""The large image, as a small one: its packages can be loaded, and every question has an answer."""

from pathlib import Path

from benchmark.large_image import QUESTIONS, large_image, write_packages
from benchmark.quiet import Machine


def test_every_question_is_answered() -> None:
    names = [figure.name for figure in large_image(Machine(patience=0), packages=2)]
    assert names == ["the first registrations", *(question.name for question in QUESTIONS), "status"]


def test_there_are_as_many_classes_and_methods_as_asked_for(tmp_path: Path) -> None:
    write_packages(tmp_path, packages=2, classes=3, methods=4)
    files = sorted(tmp_path.glob("*/*.class.st"))
    assert len(files) == 2 * 3
    assert sum(file.read_text("utf-8").count(">> answer") for file in files) == 2 * 3 * 4
