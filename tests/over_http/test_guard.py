import pytest

from over_http.serving import TOKEN, Web, initialize
from pharo_mcp.http import check_token, make_token


@pytest.mark.parametrize("shown", [None, "Bearer wrong", f"Basic {TOKEN}", TOKEN, "Bearer"])
def test_without_the_token_nothing_is_answered(web: Web, shown: str | None) -> None:
    for method in ("POST", "GET", "DELETE"):
        reply = web.ask(method, b"{}", Authorization=shown)
        assert (reply.status, reply.said["error"]["code"]) == (401, -32001)
        assert reply.headers["www-authenticate"] == "Bearer"


def test_the_scheme_of_the_token_may_be_written_in_any_way(web: Web) -> None:
    assert web.post(initialize(), Authorization=f"bearer  {TOKEN}").status == 200


@pytest.mark.parametrize("host", ["evil.example.com", "evil.example.com:80", "127.0.0.1.evil.com", "[", ""])
def test_a_foreign_host_is_refused_even_with_the_token(web: Web, host: str) -> None:
    assert web.post(initialize(), Host=host or " ").status in (400, 403)


@pytest.mark.parametrize(
    "origin", ["http://evil.example.com", "null", "file://", "https://localhost.evil.com"]
)
def test_a_foreign_origin_is_refused_even_with_the_token(web: Web, origin: str) -> None:
    assert web.post(initialize(), Origin=origin).status == 403


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::1]"])
def test_pages_and_names_of_this_computer_are_not_foreign(web: Web, name: str) -> None:
    host = f"{name}:{web.address.port}"
    assert web.post(initialize(), Host=host, Origin=f"http://{host}").status == 200


def test_a_foreign_host_learns_nothing_of_the_token(web: Web) -> None:
    assert web.post(initialize(), Host="evil.example.com", Authorization=None).status == 403


def test_tokens_are_made_anew_and_can_be_shown() -> None:
    assert make_token() != make_token()
    assert check_token(token := make_token()) == token


@pytest.mark.parametrize("token", ["two words", "schlüssel", "a\nb", "comma,"])
def test_a_token_that_no_header_can_show_is_refused(token: str) -> None:
    with pytest.raises(ValueError, match="PHARO_MCP_HTTP_TOKEN"):
        check_token(token)
