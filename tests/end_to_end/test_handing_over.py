"""What the user hands over in the image, from there to a client."""

import json

from end_to_end.answers import value
from programs import Client, LiveImage

URI = "pharo://handed-over"


def test_a_subscriber_is_told_and_gets_what_was_handed_over(image: LiveImage) -> None:
    with Client(env=image.env()) as client:
        client.shake_hands()
        client.request("resources/subscribe", uri=URI)
        value(client, "(PharoMcp imageSession partOf: PmcWindows) handOver: PmcWindowSnapshot new")
        assert client.wait_for("notifications/resources/updated")["uri"] == URI
        [contents] = client.request("resources/read", uri=URI)["result"]["contents"]
        told = json.loads(contents["text"])
        assert told["handover"]["kind"] == "window"
        assert told["content"]["window"]["kind"] == "window"
        [content] = client.call("get_status")["content"]
        assert f"which inspect_object shows as {told['handover']['objectId']}" in content["text"]
        [message] = client.request("prompts/get", name="look-at-this")["result"]["messages"]
        assert message["content"]["text"].startswith("Please look at what I handed over in Pharo: window")
