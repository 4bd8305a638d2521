"""The emulator's own API, as far as the tests need it."""

import json
import os
import urllib.parse
import urllib.request


class Sandbox:
    """A world of its own in the emulator that `val-emulator exec` has started."""

    def __init__(self):
        made = call("POST", os.environ["VAL_EMULATOR_URL"] + "/_emulator/sandboxes")
        self.name, self.url = made["name"], made["url"]

    def close(self):
        call("DELETE", f"{os.environ['VAL_EMULATOR_URL']}/_emulator/sandboxes/{self.name}")

    def add(self, collection, **record):
        """Adds a record in the shape of the fixtures."""
        return call("POST", f"{self.url}/_emulator/{collection}", record)

    def fail(self, route, **fault):
        """Makes requests fail on purpose."""
        return call("POST", self.url + "/_emulator/faults", {"route": route, **fault})

    def clock(self, **change):
        """Changes the clock, and tells what it shows."""
        return call("PUT", self.url + "/_emulator/clock", change)["now"]

    def requests(self, route):
        """What was called, oldest first."""
        return call("GET", self.url + "/_emulator/requests?" + urllib.parse.urlencode({"route": route}))


def call(method, url, body=None):
    request = urllib.request.Request(url, method=method)
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request) as response:
        text = response.read()
        return json.loads(text) if text else None
