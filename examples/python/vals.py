"""A client of the vals API."""

import json
import time
import urllib.error
import urllib.request


class ValsError(Exception):
    """What the API answered to a request that failed for good."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class Vals:
    """Tries a request up to three times."""

    def __init__(self, token, base_url="https://api.val.town", wait=time.sleep):
        self.token = token
        self.base_url = base_url
        self.wait = wait

    def save(self, name, code):
        """Creates the val of this name, or gives it new code."""
        return self._request("PUT", self.base_url + "/v1/vals", {"name": name, "code": code})

    def find(self, val_id):
        """None where there is no such val, or where it is private and somebody else's: the API does not tell which."""
        try:
            return self._request("GET", f"{self.base_url}/v1/vals/{val_id}")
        except ValsError as error:
            if error.status == 404:
                return None
            raise

    def failed_runs(self):
        """The failed runs of all our vals, newest first."""
        url = self.base_url + "/v1/me/runs?error=true"
        while url:
            page = self._request("GET", url)
            yield from page["data"]
            url = page["links"].get("next")

    def _request(self, method, url, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        for attempt in (1, 2, 3):
            try:
                with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)) as response:
                    return json.load(response)
            except urllib.error.HTTPError as error:
                if attempt == 3 or error.code not in (429, 503):
                    raise ValsError(error.code, json.load(error)["message"]) from error
                self.wait(int(error.headers.get("Retry-After", attempt)))
