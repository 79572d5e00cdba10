"""The two readers of the options for serving: the table itself, and argparse for everything else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharo_mcp.cli.options import OPTIONS, serving_options
from pharo_mcp.cli.parsing import parser

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
    options = serving_options(arguments)
    if options is not None:
        assert vars(parser().parse_args(arguments)) == options


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
    assert serving_options(arguments) == options


@pytest.mark.parametrize(
    "arguments",
    [["doctor"], ["--help"], ["--image"], ["--image", ""], ["--timeout", "soon"], ["--practice=1"]],
)
def test_anything_else_is_left_to_argparse(arguments: list[str]) -> None:
    assert serving_options(arguments) is None
