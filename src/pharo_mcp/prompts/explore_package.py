"""Prompt `explore-package`: ask for a tour of a package."""

from collections.abc import Mapping

from pharo_mcp.image import ImageClient
from pharo_mcp.protocol import Call, Prompt, PromptArgument, PromptResult

from .code import package_paragraphs, prompt_of, refused_is_a_wrong_argument

ASKED = """\
Say what it is for, which classes matter and how they work together, and where to begin to read or to \
change. What it holds is below, as it is in the image; read the classes that matter with `get_class` and \
`get_method`, and see by `search` who uses them."""


def explore_package_prompt(image: ImageClient) -> Prompt:
    """The prompt, for one image."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        with refused_is_a_wrong_argument():
            package = image.code.package(arguments["packageName"])
        asked = f"Please show me around in the package {package.name}. {ASKED}"
        return prompt_of(f"Tour of {package.name}", [asked, *package_paragraphs(package)])

    return Prompt(
        name="explore-package",
        title="Explore a package",
        description="Asks for a tour of a package, with what it holds in the live image.",
        arguments=(PromptArgument("packageName", "Name of the package to explore.", required=True),),
        render=render,
    )
