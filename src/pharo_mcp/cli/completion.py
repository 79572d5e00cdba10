"""`pharo-mcp completion`: scripts that complete commands and options in a shell, made from their table."""

import shlex
from collections.abc import Iterator, Mapping

from .commands import COMMANDS, Command
from .options import OPTIONS, Option

Words = list[tuple[str, str]]
"""Words that can be typed, with their descriptions."""

BASH = """\
_pharo_mcp() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command= each words
    COMPREPLY=()
    case $before in {valued}) return ;; esac
    for each in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case $each in {commands}) command=$each; break ;; esac
    done
    case $command in
{cases}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _pharo_mcp pharo-mcp
"""
ZSH = """\
#compdef pharo-mcp
_pharo_mcp() {{
    local command= each
    local -a words_here
    case ${{words[CURRENT-1]}} in ({valued}) _files; return ;; esac
    for each in ${{words[2,CURRENT-1]}}; do
        case $each in ({commands}) command=$each; break ;; esac
    done
    case $command in
{cases}
    esac
    _describe -o pharo-mcp words_here || _files
}}
if [[ ${{funcstack[1]}} == _pharo_mcp ]]; then _pharo_mcp "$@"; else compdef _pharo_mcp pharo-mcp; fi
"""
POWERSHELL = """\
Register-ArgumentCompleter -Native -CommandName pharo-mcp -ScriptBlock {{
    param($word, $line, $position)
    $known = @{{
{cases}
    }}
    $command = ''
    foreach ($each in $line.CommandElements | Select-Object -Skip 1) {{
        if ($known.ContainsKey("$each") -and "$each" -ne $word) {{ $command = "$each"; break }}
    }}
    $known[$command] | Where-Object {{ $_ -like "$word*" }} | ForEach-Object {{
        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
    }}
}}
"""


def run(options: Mapping[str, str]) -> int:
    """Print the script for a shell."""
    print(SCRIPTS[options["shell"]](), end="")
    return 0


def bash() -> str:
    """The script for bash."""
    cases = [f"        {quoted(name)}) words={quoted(joined(words))} ;;" for name, words in completions()]
    return BASH.format(valued="|".join(valued()), commands="|".join(names()), cases="\n".join(cases))


def zsh() -> str:
    """The script for zsh."""
    cases = [
        f"        ({quoted(name)}) words_here=({' '.join(map(described, words))}) ;;"
        for name, words in completions()
    ]
    return ZSH.format(valued="|".join(valued()), commands="|".join(names()), cases="\n".join(cases))


def fish() -> str:
    """The script for fish."""
    lines = [
        f"complete -c pharo-mcp -n __fish_use_subcommand -f -a {one.name} -d {fish_quoted(one.help)}"
        for one in COMMANDS
    ]
    lines += [fish_option("__fish_use_subcommand", option) for option in OPTIONS]
    for command in COMMANDS:
        seen = f"'__fish_seen_subcommand_from {command.name}'"
        lines += [fish_option(seen, option) for option in command.options]
        for word, _ in parameter_words(command):
            lines.append(f"complete -c pharo-mcp -n {seen} -f -a {word}")
    return "\n".join(lines) + "\n"


def fish_option(condition: str, option: Option) -> str:
    """The line for an option of a command."""
    value = " -r" if option.parse else ""
    return (
        f"complete -c pharo-mcp -n {condition} -l {option.flag.removeprefix('--')}{value} "
        f"-d {fish_quoted(option.help)}"
    )


def powershell() -> str:
    """The script for PowerShell."""
    cases = [
        f"        '{name}' = @({', '.join(repr(word) for word, _ in words)})" for name, words in completions()
    ]
    return POWERSHELL.format(cases="\n".join(cases))


SCRIPTS = {"bash": bash, "zsh": zsh, "fish": fish, "powershell": powershell}


def completions() -> Iterator[tuple[str, Words]]:
    """The words to complete, by command; the empty name is that of the command line without a command."""
    yield "", [*((one.name, one.help) for one in COMMANDS), *option_words(OPTIONS)]
    for command in COMMANDS:
        yield command.name, [*parameter_words(command), *option_words(command.options)]


def option_words(options: tuple[Option, ...]) -> Words:
    """The flags of options."""
    return [(option.flag, option.help) for option in options]


def parameter_words(command: Command) -> Words:
    """The words that the parameters of a command can be."""
    if command.name == "help":
        return [(one.name, one.help) for one in COMMANDS]
    return [(choice, one.help) for one in command.parameters for choice in one.choices or ()]


def names() -> list[str]:
    """The names of all commands."""
    return [command.name for command in COMMANDS]


def valued() -> list[str]:
    """The flags that a value follows, often a file."""
    options = [*OPTIONS, *(option for command in COMMANDS for option in command.options)]
    return sorted({option.flag for option in options if option.parse})


def joined(words: Words) -> str:
    """The words alone, in one line."""
    return " ".join(word for word, _ in words)


def described(word: tuple[str, str]) -> str:
    """A word with its description, for zsh."""
    return quoted(f"{word[0]}:{word[1]}")


def quoted(text: str) -> str:
    """The text as one word of a POSIX shell."""
    return shlex.quote(text)


def fish_quoted(text: str) -> str:
    """The text as one word of fish, which has escapes inside of quotes."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
