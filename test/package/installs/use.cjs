const ada = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };

/** Uses a dataset, SQL and a request of its own of a sandbox. */
exports.use = async (emulator) => {
  const sql = { method: 'POST', headers: ada, body: '{"statement":"SELECT 6 * 7"}' };
  const { rows } = await (await emulator.fetch('/v1/sqlite/execute', sql)).json();
  emulator.reseed('busy');
  const { status } = await fetch(`${emulator.url}/v1/me`, { headers: ada });
  return { rows, users: emulator.users.length, status };
};

exports.USED = { rows: [[42]], users: 12, status: 200 };
