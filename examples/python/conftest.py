import os

import pytest
from val_emulator import connect, start


@pytest.fixture(scope="session")
def emulator():
    """The emulator of `val-emulator exec`, else a new one."""
    with connect() if "VAL_EMULATOR_URL" in os.environ else start() as running:
        yield running


@pytest.fixture
def sandbox(emulator, request):
    """A sandbox of each test, named after it."""
    with emulator.sandbox(request.node.name) as opened:
        opened.clock(freeze="2024-06-11T22:05:00Z")
        yield opened
