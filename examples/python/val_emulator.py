"""A client of val-emulator in one file: copy it next to your tests. Needs Python 3.8 or later, and its standard library only.

    with start() as emulator, emulator.sandbox("first test") as sandbox:
        my_program(sandbox.url, sandbox.token("ada"))
        sandbox.expect("POST /v1/vals", status=200)
"""

import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request


class ControlError(Exception):
    """The emulator refused a request to its control API. Nothing has changed then."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class ExpectationError(AssertionError):
    """An expectation failed. The message has the near misses."""


def _find_program():
    """Finds the command in node_modules of the working directory or the nearest parent folder, else in the PATH."""
    folder = os.getcwd()
    while True:
        found = shutil.which(os.path.join(folder, "node_modules", ".bin", "val-emulator"))
        parent = os.path.dirname(folder)
        if found or parent == folder:
            return found or shutil.which("val-emulator")
        folder = parent


def start(*flags, command=None):
    """Starts an emulator on any free port, and returns it once it is ready: start("--fixtures", "demo.json").

    command: default val-emulator of the nearest node_modules, else of the PATH, else npx val-emulator
    """
    found = _find_program()
    program = command or ([found] if found else ["npx", "val-emulator"])
    process = subprocess.Popen([*program, "start", "--port", "0", *flags, "--json"], stdout=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    if not line:
        raise ControlError(0, f"the emulator ended with exit code {process.wait()}; its reason is above")
    return Emulator(json.loads(line)["url"], process=process)


def connect(url=None, control_token=None):
    """Returns a running emulator. url: default VAL_EMULATOR_URL, which `val-emulator exec` sets"""
    url = url or os.environ.get("VAL_EMULATOR_URL")
    if not url:
        raise ValueError(
            "there is no VAL_EMULATOR_URL: run the program by `val-emulator exec`, pass the URL to connect(), or use start()"
        )
    return Emulator(url, control_token)


class Sandbox:
    """An isolated copy of the data, with its clock, faults and journal. Close it, or use it by `with`."""

    def __init__(self, url, control_token=None, name=""):
        self.url = url.rstrip("/")
        self.name = name
        self._control_token = control_token

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def call(self, method, path, body=None, query=None):
        """Sends a request to the control API, below /_emulator, and returns the JSON of the response, or None."""
        __tracebackhide__ = True  # pytest shows the line of the test
        text = {key: value if isinstance(value, str) else json.dumps(value) for key, value in (query or {}).items()}
        url = f"{self.url}/_emulator/{path}" + (f"?{urllib.parse.urlencode(text)}" if text else "")
        headers = {"Content-Type": "application/json"}
        if self._control_token:
            headers["X-Emulator-Control-Token"] = self._control_token
        data = None if body is None else json.dumps(body).encode()
        try:
            with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)) as response:
                content = response.read()
        except urllib.error.HTTPError as error:
            content = error.read()
            try:
                refusal = json.loads(content)
                message, problems = refusal["message"], refusal.get("problems")
            except (ValueError, KeyError, TypeError):
                raise ControlError(error.code, f"{url} is no val-emulator: {error}") from error
            if error.code == 422 and not problems and "/expect" in path:
                raise ExpectationError(message) from None
            raise ControlError(error.code, message) from None
        except urllib.error.URLError as error:
            raise ConnectionError(
                f"no emulator responds at {self.url} ({error.reason}); start it by `val-emulator start`, or use start()"
            ) from error
        return json.loads(content) if content else None

    def wait(self, timeout=30):
        """Waits until the emulator is ready. timeout: seconds"""
        end = time.monotonic() + timeout
        while True:
            try:
                return self.call("GET", "ready")
            except (OSError, ControlError):
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)

    def users(self):
        """The users, each with username, id and token."""
        return self.call("GET", "users")

    def token(self, username):
        """The token of a user."""
        tokens = {user["username"]: user["token"] for user in self.users()}
        if username not in tokens:
            raise KeyError(f"there is no user {username!r}; expected one of {', '.join(map(str, tokens))}")
        return tokens[username]

    def reset(self):
        """Goes back to the seed data. Clears the journal, and disarms faults."""
        self.call("POST", "reset")

    def seed(self, fixtures):
        """Loads other seed data: fixtures, or the name of a dataset."""
        self.call("PUT", "seed", {"fixtures": fixtures} if isinstance(fixtures, str) else fixtures)

    def add(self, collection, **record):
        """Adds a record in the shape of fixtures: add("vals", author="ada", name="hello", code="1")."""
        return self.call("POST", "records", {collection: record})[collection]

    def fail(self, route, **fault):
        """Arms a fault: fail("POST /v1/vals", status=503, times=2), or with delay, headers, reset, truncate."""
        return self.call("POST", "faults", {"route": route, **fault})

    def disarm(self):
        """Disarms all faults."""
        self.call("DELETE", "faults")

    def clock(self, **change):
        """Changes the clock by one of freeze, set, advance and resume, and returns its time: clock(advance="10m")."""
        return self.call("PUT", "clock", change)["now"]

    def requests(self, route=None, **criteria):
        """The requests to the API that match, oldest first: requests("PUT /v1/vals", status=503)."""
        return self.call("GET", "requests", query={**({"route": route} if route else {}), **criteria})

    def expect(self, route, **criteria):
        """Asserts that a route was called: expect("PUT /v1/vals", status=200, body={"name": "a"}, times=1)."""
        __tracebackhide__ = True
        self.call("POST", "requests/expect", {"route": route, **criteria})

    def expect_sequence(self, *steps):
        """Asserts that requests were received in this order, others between them allowed."""
        __tracebackhide__ = True
        self.call("POST", "requests/expect-sequence", {"steps": steps})

    def expect_no_other(self, *allowed):
        """Asserts that earlier expectations have matched all requests."""
        __tracebackhide__ = True
        self.call("POST", "requests/expect-no-other", {"allowed": allowed})

    def emails(self, **criteria):
        """The emails that were sent, oldest first, with their links and codes: emails(subject="Welcome")."""
        return self.call("GET", "emails", query=criteria)

    def expect_email(self, **criteria):
        """Asserts that an email was sent, and returns the last one that matches; None for times=0."""
        __tracebackhide__ = True
        self.call("POST", "emails/expect", criteria)
        criteria.pop("times", None)
        return (self.emails(**criteria, limit=1) or [None])[0]

    def rows(self, sql, args=(), owner=None):
        """Reads rows of SQL as dictionaries, from the first user's database or an owner's."""
        return self.call("POST", "rows", {"sql": sql, "args": args, **({"owner": owner} if owner else {})})

    def state(self):
        """All records in the shape of fixtures."""
        return self.call("GET", "state")

    def snapshot(self, name=None):
        """Takes a snapshot, and returns its name."""
        return self.call("POST", "snapshots", {"name": name} if name else {})["name"]

    def restore(self, name):
        """Goes back to a snapshot."""
        self.call("POST", f"snapshots/{urllib.parse.quote(name, safe='')}/restore")

    def fork(self, name=None, at=None):
        """Opens a sandbox with the current state, or with the state after a commit: "r17"."""
        given = {key: value for key, value in {"name": name, "at": at}.items() if value}
        made = self.call("POST", "fork", given)
        return Sandbox(made["url"], self._control_token, made["name"])

    def forks(self, count, **options):
        """Opens sandboxes to score: forks(100, tokens=True, ttl="10m"), also with "from": forks(2, **{"from": "r17"})."""
        made = self.call("POST", "forks", {"count": count, **options})["forks"]
        return [Sandbox(each["url"], self._control_token, each["name"]) for each in made]

    def diff(self, before=None, after=None, **options):
        """Compares two states, by default commit:start and the current one. Returns total and changes."""
        states = {key: value for key, value in {"before": before, "after": after}.items() if value is not None}
        return self.call("POST", "diff", {**states, **options})

    def score(self, **expected):
        """Scores what has changed against expect, allow, end and anyOf. Returns pass, score, missing and unexpected."""
        return self.call("POST", "diff", {"expect": [], **expected, "limit": 0})["score"]

    def score_forks(self, forks, **expected):
        """Scores sandboxes of forks and closes them. Returns passed, mean and scores."""
        return self.call("POST", "forks/score", {"names": [fork.name for fork in forks], **expected})

    def close(self):
        """Closes the sandbox. The default one is reset instead."""
        if not self.name:
            return self.reset()
        base = Sandbox(self.url[: self.url.rindex("/_sandbox/")], self._control_token)
        base.call("DELETE", f"sandboxes/{self.name}")


class Emulator(Sandbox):
    """An emulator, and its default sandbox."""

    def __init__(self, url, control_token=None, process=None):
        super().__init__(url, control_token)
        self._process = process

    def sandbox(self, title=None, fixtures=None):
        """Opens a new sandbox, named after a title. fixtures: default the data of the emulator"""
        given = {key: value for key, value in {"title": title, "fixtures": fixtures}.items() if value is not None}
        made = self.call("POST", "sandboxes", given)
        return Sandbox(made["url"], self._control_token, made["name"])

    def close(self):
        """Ends an emulator that start() has started."""
        if self._process:
            self._process.terminate()
            self._process.wait()
            self._process.stdout.close()
            self._process = None
