"""Tool `get_evaluation`."""

from image.servers import Remembering, asking, exchange, seven
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import TextContent
from pharo_mcp.tools.evaluating import get_evaluation as get_evaluation_tool


def test_it_requests_the_given_part_and_waits_twenty_seconds_unless_told_otherwise() -> None:
    evaluation = Remembering(seven)
    with asking(evaluation=evaluation) as image:
        tool = get_evaluation_tool.make(image)
        assert tool.call({"evaluation_id": "e-1"}, Call()).contents == (TextContent("7"),)
        tool.call({"evaluation_id": "e-1", "wait_seconds": 0, "offset": 9, "max_characters": 5}, Call())
    assert evaluation.asked == [
        {"evaluation": "e-1", "waitSeconds": 20, "offset": 0, "maxCharacters": 9000},
        {"evaluation": "e-1", "waitSeconds": 0, "offset": 9, "maxCharacters": 5},
    ]


def test_an_error_of_the_evaluation_is_an_error_result() -> None:
    with asking(evaluation=exchange("evaluate_zero_divide")) as image:
        result = get_evaluation_tool.make(image).call({"evaluation_id": "e-1"}, Call())
    assert result.is_error
