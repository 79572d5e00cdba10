"""Parsing the command line with argparse, and running the command that it names."""

import argparse
import os
import sys
from collections.abc import Sequence
from textwrap import fill
from typing import NoReturn

from pharo_mcp import __version__

from .commands import COMMANDS, Command
from .examples import examples_of
from .options import OPTIONS, VERSION
from .spelling import similar
from .statuses import INVALID_USAGE, STATUSES, SUCCESS, brief

PROGRAM = "pharo-mcp"
DESCRIPTION = (
    "Lets an AI assistant work inside a running Pharo image, over the Model Context Protocol (MCP). "
    "Without a command: serve an MCP client on standard input and output."
)
EPILOG = (
    "Without --url, --image or --practice, pharo-mcp finds the live image by its connection file. "
    "Options may stand before and after the command. "
    f"Exit status: {', '.join(f'{number} {brief(meaning)}' for number, meaning in STATUSES)}."
)
WIDTH = 100
FLAGS = {
    option.flag: bool(option.parse)
    for options in (OPTIONS, *(command.options for command in COMMANDS))
    for option in options
}
"""All options, and whether a value follows; an option means the same for all commands."""
SERVING = (
    f"`{PROGRAM}` without a command serves on standard input and output, for the client that starts it "
    f"(`{PROGRAM} setup CLIENT`); `{PROGRAM} --http PORT` serves over HTTP"
)
OTHER_WORDS = {
    **dict.fromkeys(("serve", "server", "run", "start", "stdio", "http", "mcp"), SERVING),
    "evaluate": f"`{PROGRAM} eval EXPRESSION` evaluates Smalltalk",
    "install": f"`{PROGRAM} setup CLIENT` adds it to a client, `{PROGRAM} load` loads the companion",
    "uninstall": f"`{PROGRAM} setup CLIENT --remove` removes it from a client",
    "list": f"`{PROGRAM} images` lists the live images",
    "status": f"`{PROGRAM} doctor` checks everything, `{PROGRAM} images` lists the live images",
    "stop": f"`{PROGRAM} practice --stop` stops practice images",
    "version": f"`{PROGRAM} --version` shows the version",
}
"""What to type instead of words that are not commands."""
ALWAYS = {"-h": False, "--help": False, "-V": False, VERSION.flag: False}


def run(arguments: Sequence[str]) -> int:
    """Run the command that the arguments name, and return its exit status."""
    name, others = split([as_utf_8(argument) for argument in arguments])
    if name is None:
        from .serve import serve_client  # here: commands do not need it

        options = vars(parser().parse_args(others))
        return serve_client(options)
    if name == "help":
        return show_help([each for each in others if not each.startswith("-")])
    command = next((command for command in COMMANDS if command.name == name), None)
    if command is None:
        return report_unknown(name)
    command_line = parser_of(command)
    if flag := misplaced_flag(others, command):
        command_line.error(f"the command {name} does not accept {flag}")
    # The one lets words and options alternate, the other knows what two hyphens mean.
    parse = command_line.parse_args if "--" in others else command_line.parse_intermixed_args
    return command.run(vars(parse(others)))


def as_utf_8(argument: str) -> str:
    """An argument whose bytes the locale's encoding cannot tell, such as ASCII, is taken for UTF-8."""
    try:
        return os.fsencode(argument).decode("utf-8")
    except UnicodeError:
        return argument


def split(arguments: Sequence[str]) -> tuple[str | None, list[str]]:
    """The command, the first word that is neither an option nor its value, and all other arguments."""
    position = 0
    while position < len(arguments):
        word = arguments[position]
        if word == "--":
            break
        if not word.startswith("-") or word == "-":
            return word, [*arguments[:position], *arguments[position + 1 :]]
        flag = word.partition("=")[0]
        if flag not in FLAGS and flag not in ALWAYS:
            break
        position += 2 if FLAGS.get(word) else 1
    return None, list(arguments)


def show_help(topics: Sequence[str]) -> int:
    """Show the help of a command, or that of all commands."""
    if not topics:
        parser().print_help()
        return SUCCESS
    for command in COMMANDS:
        if command.name == topics[0]:
            parser_of(command).print_help()
            return SUCCESS
    return report_unknown(topics[0])


def report_unknown(name: str) -> int:
    """Report a command that does not exist, with what does that, or with those that are spelt like it."""
    if name in OTHER_WORDS:
        message = f"there is no command {name}: {OTHER_WORDS[name]}"
    else:
        hint = similar(name, (command.name for command in COMMANDS))
        message = f"unknown command {name}{hint}; `{PROGRAM} help` lists all"
    print(f"{PROGRAM}: {message}", file=sys.stderr)
    return INVALID_USAGE


def misplaced_flag(arguments: Sequence[str], command: Command) -> str | None:
    """The first option that only serving or other commands accept; None if there is none."""
    accepted = {option.flag for option in command.options}
    end = arguments.index("--") if "--" in arguments else len(arguments)
    flags = (argument.partition("=")[0] for argument in arguments[:end])
    return next((flag for flag in flags if flag in FLAGS and flag not in accepted), None)


class Parser(argparse.ArgumentParser):
    """Reports unknown options with those that are spelt like them, and lacking values with their meaning."""

    def error(self, message: str) -> NoReturn:
        """Print the message, and exit."""
        _, unrecognized, words = message.partition("unrecognized arguments: ")
        if unrecognized and words.startswith("-"):
            flag = words.split()[0].partition("=")[0]
            message = f"unknown option {flag}{similar(flag, self._option_string_actions)}"
        flag, lacking, _ = message.removeprefix("argument ").partition(": expected one argument")
        if lacking and (action := self._option_string_actions.get(flag)):
            message = f"{flag} needs a value: {action.help}"
        self.exit(INVALID_USAGE, f"{self.prog}: error: {message}\n`{self.prog} --help` shows its options\n")


def parser() -> argparse.ArgumentParser:
    """The parser for serving, whose help lists all commands."""
    width = max(len(command.name) for command in COMMANDS)
    commands = [f"  {command.name.ljust(width)}  {command.help}" for command in COMMANDS]
    made = new_parser(PROGRAM, DESCRIPTION, EPILOG, "", "\n".join(["", "", "commands:", *commands]))
    made.usage = f"{PROGRAM} [OPTIONS]\n       {PROGRAM} COMMAND [ARGUMENTS] [OPTIONS]"
    for option in OPTIONS:
        option.add_to(made)
    return made


def parser_of(command: Command) -> argparse.ArgumentParser:
    """The parser for a command."""
    made = new_parser(f"{PROGRAM} {command.name}", command.description, "", command.name)
    for parameter in command.parameters:
        parameter.add_to(made)
    for option in command.options:
        option.add_to(made)
    return made


def new_parser(program: str, description: str, epilog: str, name: str, more: str = "") -> Parser:
    """A parser with the options that all have, and with the examples of a command."""
    end = "\n\n".join(filter(None, (examples_of(name), fill(epilog, WIDTH - 2))))
    made = Parser(
        program,
        description=fill(description, WIDTH - 2) + more,
        epilog=end,
        allow_abbrev=False,
        formatter_class=help_formatter,
    )
    shown = f"{PROGRAM} {__version__}"
    made.add_argument("-V", VERSION.flag, action="version", version=shown, help=VERSION.help)
    return made


def help_formatter(prog: str) -> argparse.HelpFormatter:
    """A formatter of fixed width: asking for the terminal's width would take a tenth of the start-up time."""
    return argparse.RawDescriptionHelpFormatter(prog, width=WIDTH)
