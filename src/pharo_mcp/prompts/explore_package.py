"""Prompt `explore-package`: ask for a tour of a package."""

from collections.abc import Mapping

from pharo_mcp.image.client import ImageClient
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import Prompt, PromptArgument, PromptResult

from .code import package_paragraphs, prompt_of

REQUEST = """\
Explain its purpose, its most important classes and how they work together, and where to start reading or \
changing it. Its contents in the image are below; read the important classes with \
`read_code`, and find their users with `search`."""


def explore_package_prompt(image: ImageClient) -> Prompt:
    """Make the prompt for an image."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        package = image.code.package(arguments["packageName"])
        asked = f"Please give me a tour of the package {package.name}. {REQUEST}"
        return prompt_of(f"Tour of {package.name}", [asked, *package_paragraphs(package)])

    return Prompt(
        name="explore-package",
        title="Explore a package",
        description="Asks for a tour of a package, with its contents from the live image.",
        arguments=(PromptArgument("packageName", "Name of the package to explore.", required=True),),
        render=render,
    )
