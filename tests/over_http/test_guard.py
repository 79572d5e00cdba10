import pytest

from over_http.serving import TOKEN, Web, initialize
from pharo_mcp.http.requests import check_token, make_token


@pytest.mark.parametrize("authorization", [None, "Bearer wrong", f"Basic {TOKEN}", TOKEN, "Bearer"])
def test_a_request_without_the_token_is_rejected(web: Web, authorization: str | None) -> None:
    for method in ("POST", "GET", "DELETE"):
        reply = web.ask(method, b"{}", Authorization=authorization)
        assert (reply.status, reply.json["error"]["code"]) == (401, -32001)
        assert reply.headers["www-authenticate"] == "Bearer"


def test_the_authorization_scheme_is_case_insensitive(web: Web) -> None:
    assert web.post(initialize(), Authorization=f"bearer  {TOKEN}").status == 200


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::1]"])
def test_names_and_pages_of_this_computer_are_accepted(web: Web, name: str) -> None:
    host = f"{name}:{web.address.port}"
    assert web.post(initialize(), Host=host, Origin=f"http://{host}").status == 200


def test_the_host_is_checked_before_the_token(web: Web) -> None:
    assert web.post(initialize(), Host="evil.example.com", Authorization=None).status == 403


def test_new_tokens_differ_and_are_valid() -> None:
    assert make_token() != make_token()
    assert check_token(token := make_token()) == token


@pytest.mark.parametrize("token", ["two words", "schlüssel", "a\nb", "comma,"])
def test_a_token_that_no_header_can_contain_is_rejected(token: str) -> None:
    with pytest.raises(ValueError, match="PHARO_MCP_HTTP_TOKEN"):
        check_token(token)
