"""The two readers of options: the table itself, and argparse for everything else."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharo_mcp.cli.commands import COMMANDS, Command
from pharo_mcp.cli.options import OPTIONS, plain_options
from pharo_mcp.cli.parsing import parser, parser_of

WORDS = [option.flag for option in OPTIONS] + [
    "--image=Zoo",
    "--image=",
    "--practice=yes",
    "--timeout=5",
    "--unknown",
    "--imag",
    "--",
    "-",
    "-h",
    "-5",
    "5",
    "0",
    "nan",
    "Zoo",
    "a=b",
    "two words",
    "",
    "doctor",
]


@given(st.lists(st.sampled_from(WORDS), max_size=5))
def test_what_the_table_reads_argparse_reads_in_the_same_way(arguments: list[str]) -> None:
    options = plain_options(OPTIONS, arguments)
    if options is not None:
        assert vars(parser().parse_args(arguments)) == options


@given(st.sampled_from([command for command in COMMANDS if not command.parameters]), st.data())
def test_what_the_table_reads_after_a_command_argparse_reads_in_the_same_way(
    command: Command, data: st.DataObject
) -> None:
    flags = [option.flag for option in command.options]
    words = st.sampled_from([*flags, *(f"{flag}=7" for flag in flags), "7", "12", "-", "--", "-h", "tests"])
    arguments = data.draw(st.lists(words, max_size=5))
    options = plain_options(command.options, arguments)
    if options is not None:
        assert vars(parser_of(command).parse_intermixed_args(arguments)) == options


def test_a_repeatable_option_has_all_its_values() -> None:
    [practice] = [command for command in COMMANDS if command.name == "practice"]
    assert plain_options(practice.options, []) == {}
    tonel = str(Path(__file__).parents[2] / "pharo")
    both = plain_options(practice.options, ["--load", tonel, "--port=0", f"--load={tonel}"])
    assert both == {"load": [tonel, tonel], "port": 0}


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ([], {}),
        (["--image", "Zoo"], {"image": "Zoo"}),
        (["--image=Zoo", "--read-only"], {"image": "Zoo", "read_only": True}),
        (["--timeout", "5", "--timeout", "6"], {"timeout": 6.0}),
        (["--http", "0", "--tools", "core"], {"http": 0, "tools": "core"}),
    ],
)
def test_the_options_for_serving_are_read_without_argparse(
    arguments: list[str], options: dict[str, object]
) -> None:
    assert plain_options(OPTIONS, arguments) == options


@pytest.mark.parametrize(
    "arguments",
    [["doctor"], ["--help"], ["--image"], ["--image", ""], ["--timeout", "soon"], ["--practice=1"]],
)
def test_anything_else_is_left_to_argparse(arguments: list[str]) -> None:
    assert plain_options(OPTIONS, arguments) is None
