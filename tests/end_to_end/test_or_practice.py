"""`--or-practice`: the live image where there is one, and else a practice image of the session."""

from pathlib import Path

from programs import Client, LiveImage, environment, start_practice_image


def text(client: Client, tool: str, **arguments: object) -> str:
    return "\n".join(content["text"] for content in client.call(tool, **arguments)["content"])


def test_without_a_live_image_the_first_answer_names_the_practice_image(home: Path) -> None:
    with Client("--or-practice", env=environment(home)) as client:
        client.shake_hands()
        first = text(client, "evaluate", expression="3 + 4")
        assert first.startswith("7\nNo live Pharo image was found, so this session works in a practice")
        assert text(client, "evaluate", expression="3 + 4") == "7"


def test_a_live_image_is_used_and_named_in_the_first_answer(practice: LiveImage) -> None:
    with Client("--or-practice", env=practice.env()) as client:
        client.shake_hands()
        name = practice.connection["name"]
        first = text(client, "evaluate", expression="3 + 4")
        assert first == f"7\nThis session works in the user's live image {name} ({practice.system})."
        assert text(client, "evaluate", expression="3 + 4") == "7"


def test_an_image_that_is_started_later_can_be_chosen(home: Path) -> None:
    with Client("--or-practice", env=environment(home)) as client:
        client.shake_hands()
        text(client, "evaluate", expression="3 + 4")
        assert "select_image" in {tool["name"] for tool in client.request("tools/list")["result"]["tools"]}
        later = start_practice_image(home)
        with later.program:
            name = later.connection["name"]
            assert name in text(client, "select_image", name=name)
            assert name in text(client, "get_status")


def test_the_practice_image_of_another_session_is_left_alone(home: Path) -> None:
    with (
        Client("--or-practice", env=environment(home)) as one,
        Client("--or-practice", env=environment(home)) as other,
    ):
        for client in (one, other):
            client.shake_hands()
            assert "practice image" in text(client, "evaluate", expression="Mine := 7")
        assert "Undeclared variable" in text(other, "evaluate", expression="Mine", workspace="another")
        names = {text(client, "get_status").splitlines()[0].split(" at ")[0] for client in (one, other)}
        assert len(names) == 2
