"""The screen of `pharo-mcp watch`, by textual's own test driver, with an image."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, suppress
from threading import Thread
from time import monotonic

import pytest
from textual.pilot import Pilot
from textual.widgets import RichLog, Static

from pharo_mcp.address import Address
from pharo_mcp.image import endpoints
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.errors import SmalltalkError
from pharo_mcp.image.images import at
from pharo_mcp.watch.application import LogScreen, Table, WatchApplication
from programs import PATIENCE, LiveImage

DEFINITION = "Object << #PmcMadeWatched package: 'PmcMadeWatch'"
Scenario = Callable[[WatchApplication, "Pilot[None]"], Awaitable[None]]


@pytest.fixture
def assistant(image: LiveImage) -> Iterator[ImageClient]:
    """What an assistant works with; its changes are undone in the end."""
    client = client_of(image)
    last = client.ask(endpoints.CHANGES, limit=1).changes
    yield client
    client.run(endpoints.UNDO, to=last[0].change if last else 0)
    client.close()


def client_of(image: LiveImage) -> ImageClient:
    return ImageClient(at(Address.parse(image.url, image.token)))


def play(image: LiveImage, scenario: Scenario) -> None:
    """Run the application with another client of the image, and play a scenario with it."""

    async def run() -> None:
        with closing(client_of(image)) as client:
            application = WatchApplication(client)
            async with application.run_test(size=(110, 40), notifications=True) as pilot:
                await until(pilot, lambda: "●" in text_of(application, "#image"))
                await scenario(application, pilot)

    asyncio.run(run())


async def until(pilot: "Pilot[None]", is_so: Callable[[], object]) -> None:
    """Wait until something is so."""
    end = monotonic() + PATIENCE
    while not is_so():
        assert monotonic() < end, "it did not happen in time"
        await pilot.pause(0.05)


def text_of(application: WatchApplication, selector: str) -> str:
    return str(application.screen.query_one(selector, Static).content)


def notices(application: WatchApplication) -> str:
    return " ".join(str(each.render()) for each in application.screen.query("Toast"))


def rows(table: Table) -> list[list[str]]:
    return [[str(cell) for cell in table.get_row_at(number)] for number in range(table.row_count)]


def row_about(table: Table, text: str) -> list[str] | None:
    """The last row of a table that has a cell with that text."""
    return next((row for row in reversed(rows(table)) if text in row), None)


def test_it_shows_the_image_and_calls_with_their_results(image: LiveImage, assistant: ImageClient) -> None:
    assistant.evaluate("3 + 4001")

    async def scenario(application: WatchApplication, pilot: "Pilot[None]") -> None:
        assert image.system in text_of(application, "#image")
        await until(pilot, lambda: row_about(application.board.calls, "3 + 4001"))
        row = row_about(application.board.calls, "3 + 4001")
        assert row is not None
        assert (row[1], row[4]) == ("evaluate", "4004")

    play(image, scenario)


def test_it_shows_the_text_of_an_error(image: LiveImage, assistant: ImageClient) -> None:
    async def scenario(application: WatchApplication, pilot: "Pilot[None]") -> None:
        in_background(assistant, "self error: 'There is no order 7'")
        await until(pilot, lambda: "Error: There is no order 7" in text_of(application, "#text"))

    play(image, scenario)


def test_it_shows_a_running_evaluation_and_stops_it(image: LiveImage, assistant: ImageClient) -> None:
    async def scenario(application: WatchApplication, pilot: "Pilot[None]") -> None:
        in_background(assistant, "Semaphore new wait. 9004")
        await until(pilot, lambda: row_about(application.board.running, "Semaphore new wait. 9004"))
        await pilot.press("s")
        await until(pilot, lambda: not application.board.running.row_count)
        await until(pilot, lambda: row_about(application.board.calls, "Semaphore new wait. 9004"))
        row = row_about(application.board.calls, "Semaphore new wait. 9004")
        assert row is not None
        assert row[4].startswith("cancelled")

    play(image, scenario)


def test_it_stops_all_evaluations(image: LiveImage, assistant: ImageClient) -> None:
    async def scenario(application: WatchApplication, pilot: "Pilot[None]") -> None:
        for _ in range(2):
            in_background(assistant, "Semaphore new wait")
        await until(pilot, lambda: application.board.running.row_count == 2)
        await pilot.press("S")
        await until(pilot, lambda: not application.board.running.row_count)

    play(image, scenario)


def test_it_shows_what_a_change_changed_and_undoes_it(image: LiveImage, assistant: ImageClient) -> None:
    assistant.ask(endpoints.EDIT, text=DEFINITION)
    for source in ("half [ ^ 3 ]", "half [ ^ 4 ]"):
        assistant.ask(endpoints.EDIT, text=f"PmcMadeWatched >> {source}")

    async def scenario(application: WatchApplication, pilot: "Pilot[None]") -> None:
        board = application.board
        await until(pilot, lambda: row_about(board.changes, "changed method"))
        await pilot.press("tab")
        assert application.focused is board.changes

        def shown() -> bool:
            """Whether the last change is; after undos of earlier tests the cursor may be on another."""
            board.changes.move_cursor(row=board.changes.row_count - 1)
            return "- half ^ 3\n+ half ^ 4\n" in text_of(application, "#text")

        await until(pilot, shown)
        await pilot.press("u")
        await until(pilot, lambda: row_about(board.changes, "changed method, undone"))
        assert (
            assistant.ask(endpoints.METHOD, class_name="PmcMadeWatched", selector="half").source == "half ^ 3"
        )
        await pilot.press("u")
        await until(pilot, lambda: "already undone" in notices(application))

    play(image, scenario)


def test_it_opens_the_log_and_closes_it(image: LiveImage, assistant: ImageClient) -> None:
    async def scenario(application: WatchApplication, pilot: "Pilot[None]") -> None:
        await pilot.press("l")
        await until(pilot, lambda: isinstance(application.screen, LogScreen))
        in_background(assistant, "3 + 5001")
        log = application.screen.query_one(RichLog)
        await until(pilot, lambda: any("3 + 5001 -> 5004" in line.text for line in log.lines))
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(application.screen, LogScreen))

    play(image, scenario)


def test_a_key_without_anything_to_do_says_so(image: LiveImage) -> None:
    async def scenario(application: WatchApplication, pilot: "Pilot[None]") -> None:
        await pilot.press("s")
        await until(pilot, lambda: "Nothing is running" in notices(application))

    play(image, scenario)


def test_q_ends_it(image: LiveImage) -> None:
    async def scenario(application: WatchApplication, pilot: "Pilot[None]") -> None:
        await pilot.press("q")
        await until(pilot, lambda: not application.is_running)

    play(image, scenario)


def in_background(client: ImageClient, expression: str) -> None:
    """Evaluate, without waiting; what comes of it is seen on the screen."""
    Thread(target=evaluate, args=(client, expression), daemon=True).start()


def evaluate(client: ImageClient, expression: str) -> None:
    with suppress(SmalltalkError):
        client.evaluate(expression)
