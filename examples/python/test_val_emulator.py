import urllib.error
import urllib.request

import pytest
from val_emulator import ControlError, ExpectationError, connect, start
from vals import Vals


def test_starts_an_emulator_waits_for_it_and_ends_it():
    with start() as emulator:
        url = emulator.url
        connect(url).wait(timeout=5)
        assert "ada" in [user["username"] for user in emulator.users()]
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(url)


def test_an_emulator_starts_from_a_subfolder_and_ends(tmp_path, monkeypatch):
    program = tmp_path / "node_modules" / ".bin" / "val-emulator"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\nshift 3\nprintf \'{"url":"http://%s"}\\n\' "$1"\nexec sleep 60\n')
    program.chmod(0o755)
    (tmp_path / "tests" / "deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "tests" / "deep")
    emulator = start("found-above")
    assert emulator.url == "http://found-above"
    emulator.close()


def test_a_missing_emulator_is_named(monkeypatch):
    monkeypatch.delenv("VAL_EMULATOR_URL", raising=False)
    with pytest.raises(ValueError, match="there is no VAL_EMULATOR_URL: run the program by `val-emulator exec`"):
        connect()
    with pytest.raises(ConnectionError, match="no emulator responds at http://127.0.0.1:9 .*start it by"):
        connect("http://127.0.0.1:9").users()


def test_a_wrong_flag_is_an_error():
    with pytest.raises(ControlError, match="ended with exit code 2"):
        start("--no-such-flag")


def test_a_sandbox_has_data_of_its_own_and_goes_back_to_them(emulator):
    fixtures = {"users": [{"username": "eve"}]}
    with emulator.sandbox("own data", fixtures) as one, emulator.sandbox() as other:
        assert one.name.startswith("own-data")
        one.add("vals", author="eve", name="hello", code="1")
        Vals(one.token("eve"), one.url).save("second", "2")
        assert [val["name"] for val in one.state()["vals"]] == ["hello", "second"]
        assert "second" not in [val["name"] for val in other.state()["vals"]]
        with pytest.raises(KeyError, match="expected one of eve"):
            one.token("ada")
        one.reset()
        assert one.state()["vals"] == []
        one.seed("empty")
        assert [user["username"] for user in one.users()] == ["ada"]


def test_expectations_fail_with_near_misses_and_wrong_input_says_what_is_wrong(sandbox):
    Vals("ada-token", sandbox.url).save("one", "1")

    sandbox.expect_sequence("PUT /v1/vals")
    sandbox.expect_no_other()
    with pytest.raises(ExpectationError, match=r"Near misses:\n  r1 PUT /v1/vals"):
        sandbox.expect("PUT /v1/vals", body={"name": "two"})
    with pytest.raises(ControlError, match="Did you mean") as caught:
        sandbox.expect("PUT /v1/val")
    assert caught.value.status == 422


def test_reads_emails_and_rows(sandbox):
    sandbox.add("emails", user="ada", to="grace@example.com", subject="Welcome", text="Your code is 4711.")
    sandbox.add("sqlite", user="ada", sql="CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")

    assert sandbox.expect_email(to="grace", subject="welcome")["codes"] == ["4711"]
    assert sandbox.expect_email(subject="Bye", times=0) is None
    assert sandbox.rows("SELECT a FROM t WHERE a > ?", [1]) == [{"a": 2}]


def test_goes_back_to_a_snapshot_and_forks_a_state(sandbox):
    name = sandbox.snapshot("before")
    Vals("ada-token", sandbox.url).save("one", "1")

    with sandbox.fork() as fork, sandbox.fork(at="start") as first:
        names = [[val["name"] for val in each.state()["vals"]] for each in (fork, first)]
    assert "one" in names[0]
    assert "one" not in names[1]
    assert sandbox.diff(f"snapshot:{name}")["total"] >= 1
    sandbox.restore(name)
    assert sandbox.diff(f"snapshot:{name}")["total"] == 0


def test_scores_agents(sandbox):
    task = {
        "anyOf": [
            {"expect": [{"collection": "vals", "type": "added", "after": {"name": "answer"}}]},
            {"end": [{"collection": "vals", "name": "ada/reply", "is": {"code": "42"}}]},
        ],
    }
    forks = sandbox.forks(3, tokens=True)
    for fork, name in zip(forks, ["answer", "reply"]):
        Vals(fork.token("ada"), fork.url).save(name, "42")

    assert forks[0].score(before="snapshot:fork", **task)["pass"] is True
    scored = sandbox.score_forks(forks, **task)

    assert [each["score"] for each in scored["scores"]] == [1, 1, 0]
    assert (scored["passed"], scored["mean"]) == (2, 2 / 3)
