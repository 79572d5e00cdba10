"""What is offered, in the order in which it is listed."""

from pharo_mcp.image import ImageClient
from pharo_mcp.prompts import (
    explain_class_prompt,
    explore_package_prompt,
    fix_failing_tests_prompt,
    refactor_method_prompt,
    review_class_prompt,
    write_tests_prompt,
)
from pharo_mcp.protocol import Offers
from pharo_mcp.resources import (
    changes_resource,
    class_details_template,
    class_method_source_template,
    evaluation_template,
    method_source_template,
    package_template,
    system_status_resource,
    system_version_resource,
)
from pharo_mcp.tools import (
    compile_method_tool,
    define_class_tool,
    evaluate_tool,
    export_package_tool,
    get_class_tool,
    get_evaluation_tool,
    get_method_tool,
    get_package_tool,
    get_status_tool,
    get_version_tool,
    import_package_tool,
    inspect_object_tool,
    list_changes_tool,
    list_images_tool,
    list_packages_tool,
    list_repositories_tool,
    load_project_tool,
    move_method_tool,
    remove_class_tool,
    remove_method_tool,
    rename_class_tool,
    rename_method_tool,
    reset_workspace_tool,
    run_tests_tool,
    save_image_tool,
    search_tool,
    select_image_tool,
    stop_evaluation_tool,
    take_screenshot_tool,
    undo_change_tool,
)

from .completing import complete_from
from .guarding import guarded

TOOLS = (
    evaluate_tool,
    get_evaluation_tool,
    stop_evaluation_tool,
    inspect_object_tool,
    reset_workspace_tool,
    search_tool,
    get_class_tool,
    get_method_tool,
    list_packages_tool,
    get_package_tool,
    define_class_tool,
    compile_method_tool,
    remove_class_tool,
    remove_method_tool,
    rename_class_tool,
    rename_method_tool,
    move_method_tool,
    list_changes_tool,
    undo_change_tool,
    save_image_tool,
    run_tests_tool,
    load_project_tool,
    export_package_tool,
    import_package_tool,
    list_repositories_tool,
    take_screenshot_tool,
    get_status_tool,
    get_version_tool,
    list_images_tool,
    select_image_tool,
)
RESOURCES = (system_version_resource, system_status_resource, changes_resource)
TEMPLATES = (
    class_details_template,
    method_source_template,
    class_method_source_template,
    package_template,
    evaluation_template,
)
PROMPTS = (
    explore_package_prompt,
    explain_class_prompt,
    review_class_prompt,
    write_tests_prompt,
    fix_failing_tests_prompt,
    refactor_method_prompt,
)


CORE = {
    evaluate_tool,
    get_evaluation_tool,
    stop_evaluation_tool,
    search_tool,
    get_class_tool,
    get_method_tool,
    get_package_tool,
    define_class_tool,
    compile_method_tool,
    list_changes_tool,
    undo_change_tool,
    run_tests_tool,
    select_image_tool,
}
"""The tools of most use, as tests/scenarios/README.md decides; the others are listed only if asked for."""


def offers_for(
    image: ImageClient, *, structured: bool = False, read_only: bool = False, all_tools: bool = False
) -> Offers:
    """All that is offered for one image; tools answer programs too if `structured`.

    If `read_only`, only what can change nothing: no prompt that runs tests, for one. Listed are the core,
    or `all_tools`.
    """
    tools = [tool(image, structured=structured)._replace(listed=all_tools or tool in CORE) for tool in TOOLS]
    resources = [resource(image) for resource in RESOURCES]
    templates = [template(image) for template in TEMPLATES]
    prompts = [prompt(image) for prompt in PROMPTS if not read_only or prompt is not fix_failing_tests_prompt]
    offers = Offers(
        tuple(tool for tool in tools if tool.annotations["readOnlyHint"] or not read_only),
        tuple(resources),
        tuple(templates),
        tuple(prompts),
        complete_from(image),
    )
    return guarded(offers, image)
