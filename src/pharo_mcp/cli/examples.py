"""Examples of each command, for its help."""

EXAMPLES = {
    "": (
        ("pharo-mcp --practice", "serve a client that starts this, with a practice image"),
        ("pharo-mcp --image Zoo --read-only", "serve it with the live image Zoo, which must stay as it is"),
        ("pharo-mcp eval '3 + 4'", "evaluate Smalltalk in the live image"),
    ),
    "setup": (
        ("pharo-mcp setup claude-desktop", "let Claude Desktop start pharo-mcp"),
        ("pharo-mcp setup cursor --practice --dry-run", "show the change for a practice image"),
        ("pharo-mcp setup vscode --remove", "undo it"),
    ),
    "config": (("pharo-mcp config claude-code", "what to paste"),),
    "doctor": (
        ("pharo-mcp doctor", "check everything"),
        ("pharo-mcp doctor --image Zoo --json", "check with one of several images, for a program"),
    ),
    "images": (("pharo-mcp images", "which images are live"),),
    "eval": (
        ("pharo-mcp eval '100 factorial'", "in the only live image"),
        ("pharo-mcp eval --image Zoo --timeout 60 - < script.st", "a file, in one of several images"),
        (
            "pharo-mcp eval --practice --load src 'Zoo new'",
            "without Pharo, with the Tonel packages in a folder",
        ),
    ),
    "call": (
        ("pharo-mcp call get_class class_name=OrderedCollection include=comment", "as a client does"),
        (
            """pharo-mcp call search '{"query": "sum", "kind": "selectors"}'""",
            "with the JSON of the documents",
        ),
        ("pharo-mcp call evaluate expression='3 + 4' --json", "the whole result"),
        ("pharo-mcp call take_screenshot --output window.png", "the picture in a file"),
    ),
    "watch": (
        ("pharo-mcp watch", "what happens in the only live image"),
        ("pharo-mcp watch --image Zoo --plain", "as lines, from one of several images"),
    ),
    "load": (
        ("pharo-mcp load", "Smalltalk to evaluate in your image"),
        ("pharo-mcp load --image Zoo.image", "load into the copy Zoo-mcp.image"),
    ),
    "launch": (
        ("pharo-mcp launch --new 13", "download Pharo 13 and start it"),
        ("pharo-mcp launch --image Zoo --headless", "an image of Pharo Launcher, without windows"),
        ("pharo-mcp launch --image Pharo.image --detach", "in the background; --stop stops it"),
    ),
    "practice": (
        ("pharo-mcp practice --detach", "in the background"),
        ("pharo-mcp practice --stop", "stop it"),
        ("pharo-mcp practice --load src", "with the Tonel packages in a folder"),
    ),
    "demo": (("pharo-mcp demo", "needs neither Pharo nor a client"),),
    "completion": (
        ("source <(pharo-mcp completion bash)", "in this shell; in ~/.bashrc, in every one"),
        ("source <(pharo-mcp completion zsh)", "the same for zsh, after compinit"),
        ("pharo-mcp completion fish > ~/.config/fish/completions/pharo-mcp.fish", "for fish"),
        ("pharo-mcp completion powershell | Out-String | Invoke-Expression", "for PowerShell"),
    ),
    "help": (("pharo-mcp help eval", "the help of a command"),),
}
"""By command; the empty name is that of all commands together."""


def examples_of(command: str) -> str:
    """The examples of a command as the end of its help."""
    lines = EXAMPLES[command]
    width = max(len(line) for line, _ in lines)
    shown = [f"  {line.ljust(width)}  {meaning}" for line, meaning in lines]
    return "\n".join(["examples:", *shown])
