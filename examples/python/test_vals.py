import pytest
from vals import Vals, ValsError


@pytest.fixture
def vals(sandbox):
    """A client for which time flies: it waits by the emulator's clock."""
    return lambda token="ada-token": Vals(token, sandbox.url, lambda seconds: sandbox.clock(advance=f"{seconds}s"))


def statuses(sandbox, route):
    return [request["status"] for request in sandbox.requests(route)]


def test_saves_a_val_under_its_name_and_finds_it(sandbox, vals):
    first = vals().save("counter", "export const count = 1;")
    vals().save("counter", "export const count = 2;")

    found = vals().find(first["id"])
    assert (found["version"], found["code"]) == (1, "export const count = 2;")
    sandbox.expect("PUT /v1/vals", body={"name": "counter"}, times=2)


def test_lists_all_failed_runs_over_several_pages(sandbox, vals):
    token = sandbox.add("users", username="eve")["token"]
    sandbox.add("vals", author="eve", name="report", code="send();")
    for minutes in range(1, 46):
        sandbox.add("runs", val="eve/report", runStartAt=f"-{minutes}m", error=f"failure {minutes}")
    sandbox.add("runs", val="eve/report", runStartAt="-30s")

    errors = [run["error"] for run in vals(token).failed_runs()]

    assert errors == [f"failure {minutes}" for minutes in range(1, 46)]
    assert statuses(sandbox, "GET /v1/me/runs") == [200, 200, 200]


def test_tries_again_while_the_service_is_unavailable(sandbox, vals):
    sandbox.fail("PUT /v1/vals", status=503, times=2)

    vals().save("counter", "export const count = 1;")

    assert statuses(sandbox, "PUT /v1/vals") == [503, 503, 200]


def test_gives_up_after_three_attempts(sandbox, vals):
    sandbox.fail("PUT /v1/vals", status=503)

    with pytest.raises(ValsError, match="Service Unavailable"):
        vals().save("counter", "export const count = 1;")

    assert statuses(sandbox, "PUT /v1/vals") == [503, 503, 503]


def test_waits_as_long_as_the_api_asks_for(sandbox, vals):
    sandbox.fail("PUT /v1/vals", status=429, headers={"Retry-After": "20"}, times=1)

    vals().save("counter", "export const count = 1;")

    assert statuses(sandbox, "PUT /v1/vals") == [429, 200]
    assert sandbox.clock(freeze=True) == "2024-06-11T22:05:20.000Z"


def test_a_private_val_of_somebody_else_is_as_if_it_were_not_there(sandbox, vals):
    diary = sandbox.add("vals", author="grace", name="diary", code="'secret'", privacy="private")

    assert vals().find(diary["id"]) is None
    assert vals("grace-token").find(diary["id"])["name"] == "diary"
