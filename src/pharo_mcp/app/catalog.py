"""The built-in tools, resources and prompts, in the order in which they are listed."""

import re
from collections.abc import Set

from pharo_mcp.image.client import ImageClient
from pharo_mcp.prompts.explain_class import explain_class_prompt
from pharo_mcp.prompts.explore_package import explore_package_prompt
from pharo_mcp.prompts.fix_failing_tests import fix_failing_tests_prompt
from pharo_mcp.prompts.look_at_this import look_at_this_prompt
from pharo_mcp.prompts.refactor_method import refactor_method_prompt
from pharo_mcp.prompts.review_class import review_class_prompt
from pharo_mcp.prompts.write_tests import write_tests_prompt
from pharo_mcp.protocol.catalog import Catalog
from pharo_mcp.resources.changes import changes_resource
from pharo_mcp.resources.class_details import class_details_template
from pharo_mcp.resources.evaluation import evaluation_template
from pharo_mcp.resources.flame_graph import flame_graph_template
from pharo_mcp.resources.handed_over import handed_over_resource
from pharo_mcp.resources.method_source import class_method_source_template, method_source_template
from pharo_mcp.resources.package import package_template
from pharo_mcp.resources.system_status import system_status_resource
from pharo_mcp.resources.system_version import system_version_resource
from pharo_mcp.tool_table import FORMER_NAMES, NAMES, TOOLS, chosen_tools
from pharo_mcp.tools.makers import MAKERS
from pharo_mcp.tools.text.long_work import long_work

from .completing import complete_from
from .confirming import confirming
from .error_translation import translate_errors

RESOURCES = (system_version_resource, system_status_resource, changes_resource, handed_over_resource)
TEMPLATES = (
    class_details_template,
    method_source_template,
    class_method_source_template,
    package_template,
    evaluation_template,
    flame_graph_template,
)
PROMPTS = (
    explore_package_prompt,
    explain_class_prompt,
    review_class_prompt,
    write_tests_prompt,
    fix_failing_tests_prompt,
    refactor_method_prompt,
    look_at_this_prompt,
)
NOT_CHOSEN = """\
{tool} is not among the tools of this session. Nothing ran. If it is needed, ask the user to start pharo-mcp \
with it among --tools (PHARO_MCP_TOOLS)."""


def reason_left_out(tool: str) -> str:
    """Why a tool is not available in a read-only session."""
    return (
        f"{tool} can change the image, and this session is read-only. Nothing ran. "
        "If it is needed, ask the user to start pharo-mcp without --read-only (PHARO_MCP_READ_ONLY)."
    )


def catalog_for(
    image: ImageClient,
    *,
    structured: bool = False,
    read_only: bool = False,
    tools: str = "all",
    confirm: bool = False,
) -> Catalog:
    """Make the tools, resources and prompts for an image.

    Args:
        image: The image that they use.
        structured: Whether tools also return structured results.
        read_only: Whether to leave out what could change the image, such as the prompt that runs tests.
        tools: Which tools to list: `all`, `core`, or the names of the only ones that there are.
        confirm: Whether tools that destroy something ask the person first.
    """
    work = long_work(image, structured=structured)
    chosen = chosen_tools(tools)
    there = [row for row in chosen.rows if row.reads_only or not read_only]
    made = [
        tool._replace(
            listed=row.name in chosen.listed,
            long_work=work if row.takes_long else None,
            description=_about(tool.description, {row.name for row in there}),
        )
        for row in there
        for tool in [MAKERS[row.name](image, structured=structured)]
    ]
    left_out = {name: f"There is no {name}: use {now}. Nothing ran." for name, now in FORMER_NAMES.items()}
    left_out |= {row.name: NOT_CHOSEN.format(tool=row.name) for row in TOOLS if row not in chosen.rows}
    left_out |= {
        row.name: reason_left_out(row.name) for row in chosen.rows if read_only and not row.reads_only
    }
    resources = [resource(image) for resource in RESOURCES]
    templates = [template(image) for template in TEMPLATES]
    prompts = [prompt(image) for prompt in PROMPTS if not read_only or prompt is not fix_failing_tests_prompt]
    catalog = Catalog(
        tuple(made),
        tuple(resources),
        tuple(templates),
        tuple(prompts),
        complete_from(image),
        left_out=left_out,
    )
    return translate_errors(confirming(catalog) if confirm else catalog, image)


def _about(description: str, names: Set[str]) -> str:
    """Return a description without the sentences that name a tool that the session does not have."""
    absent = NAMES - names
    sentences = re.split(r"(?<=\.)\s", description)
    kept = [each for each in sentences if absent.isdisjoint(re.findall(r"\w+", each))]
    return " ".join(kept) or description
