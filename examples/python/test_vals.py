import unittest

from emulator import Sandbox
from vals import Vals, ValsError


class ValsTest(unittest.TestCase):
    def setUp(self):
        self.emulator = Sandbox()
        self.addCleanup(self.emulator.close)
        self.emulator.clock(freeze="2024-06-11T22:05:00Z")

    def vals(self, token="ada-token"):
        """A client for which time flies: it waits by the emulator's clock."""
        return Vals(token, self.emulator.url, lambda seconds: self.emulator.clock(advance=f"{seconds}s"))

    def statuses(self, route):
        return [request["status"] for request in self.emulator.requests(route)]

    def test_saves_a_val_under_its_name_and_finds_it(self):
        first = self.vals().save("counter", "export const count = 1;")
        self.vals().save("counter", "export const count = 2;")

        found = self.vals().find(first["id"])
        self.assertEqual((found["version"], found["code"]), (1, "export const count = 2;"))
        names = [request["request"]["body"]["name"] for request in self.emulator.requests("PUT /v1/vals")]
        self.assertEqual(names, ["counter", "counter"])

    def test_lists_all_failed_runs_over_several_pages(self):
        token = self.emulator.add("users", username="eve")["token"]
        self.emulator.add("vals", author="eve", name="report", code="send();")
        for minutes in range(1, 46):
            self.emulator.add("runs", val="eve/report", runStartAt=f"-{minutes}m", error=f"failure {minutes}")
        self.emulator.add("runs", val="eve/report", runStartAt="-30s")

        errors = [run["error"] for run in self.vals(token).failed_runs()]

        self.assertEqual(errors, [f"failure {minutes}" for minutes in range(1, 46)])
        self.assertEqual(self.statuses("GET /v1/me/runs"), [200, 200, 200])

    def test_tries_again_while_the_service_is_unavailable(self):
        self.emulator.fail("PUT /v1/vals", status=503, times=2)

        self.vals().save("counter", "export const count = 1;")

        self.assertEqual(self.statuses("PUT /v1/vals"), [503, 503, 200])

    def test_gives_up_after_three_attempts(self):
        self.emulator.fail("PUT /v1/vals", status=503)

        with self.assertRaisesRegex(ValsError, "Service Unavailable"):
            self.vals().save("counter", "export const count = 1;")

        self.assertEqual(self.statuses("PUT /v1/vals"), [503, 503, 503])

    def test_waits_as_long_as_the_api_asks_for(self):
        self.emulator.fail("PUT /v1/vals", status=429, headers={"Retry-After": "20"}, times=1)

        self.vals().save("counter", "export const count = 1;")

        self.assertEqual(self.statuses("PUT /v1/vals"), [429, 200])
        self.assertEqual(self.emulator.clock(freeze=True), "2024-06-11T22:05:20.000Z")

    def test_a_private_val_of_somebody_else_is_as_if_it_were_not_there(self):
        diary = self.emulator.add("vals", author="grace", name="diary", code="'secret'", privacy="private")

        self.assertIsNone(self.vals().find(diary["id"]))
        self.assertEqual(self.vals("grace-token").find(diary["id"])["name"], "diary")
