"""Whom a client can ask, by the capabilities that it declares."""

from collections.abc import Mapping

from pharo_mcp.protocol.revisions import Revision

from .errors import MissingClientCapability

CAPABILITIES = {"person": "elicitation", "model": "sampling", "roots": "roots"}
"""The capability that each ability needs."""


def abilities_in(capabilities: Mapping[str, object], revision: Revision) -> tuple[str, ...]:
    """The abilities of a client: `person` if it shows forms, `model`, and `roots`."""
    declared = {ability: capabilities.get(name) for ability, name in CAPABILITIES.items()}
    person = declared["person"]
    if not revision.elicitation or (isinstance(person, dict) and person and "form" not in person):
        del declared["person"]
    return tuple(ability for ability, found in declared.items() if isinstance(found, dict))


def check_capability(error: Mapping[str, object], revision: Revision) -> None:
    """Report to a modern client that it lacks a capability, if that is the error of a result.

    Raises:
        MissingClientCapability: If it is.
    """
    if revision.modern and error.get("kind") == "cannotAsk":
        raise MissingClientCapability({CAPABILITIES[str(error["ability"])]: {}})
