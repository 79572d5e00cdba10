"""FastMCP's client as a judge of the skills: it checks each entry, and each file against its digest."""

import os
import shlex
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from fastmcp.skills.client import SkillsClientExtension
from mcp.shared.exceptions import MCPError

from pharo_mcp.resources import built_in_skills
from programs import COMMAND, PATIENCE, LiveImage

FIRST = "skill://pharo-first-hour/SKILL.md"
ADD = (
    "PharoMcp addSkill: (PmcSkill name: 'shop-rules' description: 'How we work in Shop: use it first'"
    " text: '# Rules', String cr, '- Write a test.')"
)
REMOVE = "PharoMcp removeSkill: 'shop-rules'"


@asynccontextmanager
async def connected(image: LiveImage, command: list[str] = COMMAND) -> AsyncIterator[Client[StdioTransport]]:
    server = StdioTransport(command[0], command[1:], env=image.env())
    with anyio.fail_after(PATIENCE):
        async with Client(server, extensions=[SkillsClientExtension()]) as client:
            yield client


def test_each_skill_is_listed_and_its_files_are_what_was_listed(image: LiveImage) -> None:
    async def session() -> None:
        async with connected(image) as client:
            listed = await client.list_skills()
            assert [entry.frontmatter.name for entry in listed] == [skill.name for skill in built_in_skills()]
            for entry in listed:
                assert await client.get_skill(entry.uri) == entry
                read = await client.read_skill(entry.uri)
                assert read.name == entry.frontmatter.name

    anyio.run(session)


def test_the_skills_are_resources_of_their_name_and_description(image: LiveImage) -> None:
    async def session() -> None:
        async with connected(image) as client:
            resources = {str(each.uri): each for each in await client.list_resources()}
            for entry in await client.list_skills():
                there = resources[entry.uri]
                assert there.mime_type == "text/markdown"
                assert there.name == entry.frontmatter.name
                assert there.description == entry.frontmatter.description

    anyio.run(session)


def test_an_unknown_skill_is_refused(image: LiveImage) -> None:
    async def session() -> None:
        async with connected(image) as client:
            with pytest.raises(MCPError) as refused:
                await client.get_skill("skill://pharo-nothing/SKILL.md")
            assert refused.value.error.code == -32602

    anyio.run(session)


def test_a_skill_of_the_image_is_listed_and_checked(image: LiveImage) -> None:
    async def session() -> None:
        async with connected(image) as client:
            await client.call_tool("evaluate", {"expression": ADD})
            try:
                read = await client.read_skill("skill://shop-rules/SKILL.md")
                assert read.name == "shop-rules"
                names = {entry.frontmatter.name for entry in await client.list_skills(cache_mode="bypass")}
                assert "shop-rules" in names
            finally:
                await client.call_tool("evaluate", {"expression": REMOVE})

    anyio.run(session)


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell and sed")
def test_a_changed_byte_is_refused(image: LiveImage) -> None:
    changing = f"{shlex.join(COMMAND)} | sed -u 's/# The first hour/# The f1rst hour/'"

    async def session() -> None:
        async with connected(image, ["sh", "-c", changing]) as client:
            with pytest.raises(ValueError, match="does not match its manifest digest"):
                await client.read_skill(FIRST)

    anyio.run(session)
