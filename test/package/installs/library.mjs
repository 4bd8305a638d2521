import { writeFileSync } from 'node:fs';
import { createEmulator } from 'val-emulator';
import { connect } from 'val-emulator/client';

const ada = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
const post = (emulator, path, body) =>
  emulator.fetch(path, { method: 'POST', headers: ada, body: JSON.stringify(body) });
const listNames = ({ users }) => users.map(({ username }) => username);

/** Creates an emulator, and closes it after its use. */
async function using(options, use) {
  const emulator = await createEmulator(options);
  try {
    return await use(emulator);
  } finally {
    await emulator.close();
  }
}

/** Uses each part of the library that reads a file of the package, or loads a module when it needs it. */
const USES = {
  datasets: () =>
    using({ listen: false }, (emulator) =>
      ['default', 'empty', 'busy', 'failures', 'popular', 'edge-cases'].map((name) => {
        emulator.reseed(name);
        return emulator.users.length;
      }),
    ),
  generated: () => using({ listen: false, generate: { users: 3, vals: 4, seed: 1 } }, listNames),
  comments: () => {
    writeFileSync('seed.json', '{ "users": [{ "username": "lin" }], /* and no more */ }');
    return using({ listen: false, fixtures: './seed.json' }, listNames);
  },
  invalid: () => {
    writeFileSync('invalid.json', '{ "users": [}');
    return createEmulator({ fixtures: './invalid.json' }).catch(({ message }) => message);
  },
  module: () => {
    writeFileSync('seed.mjs', 'export default { users: [{ username: "mia" }] };');
    return using({ listen: false, fixturesModule: './seed.mjs' }, listNames);
  },
  kept: async () => {
    const options = { listen: false, data: './kept' };
    await using(options, (emulator) => post(emulator, '/v1/vals', { name: 'kept', code: '1' }));
    return using(options, async ({ fetch }) => (await fetch('/v1/alias/ada/kept', { headers: ada })).status);
  },
  store: () => createEmulator({ store: 'redis://127.0.0.1:1' }).catch(({ message }) => message),
  sqlite: () =>
    using({ listen: false }, async (emulator) => {
      const response = await post(emulator, '/v1/sqlite/execute', { statement: 'SELECT 6 * 7' });
      return (await response.json()).rows;
    }),
  validated: () =>
    using({ listen: false, validateResponses: true }, async (emulator) => {
      return (await post(emulator, '/v1/vals', { name: 'valid', code: '1' })).status;
    }),
  body: () =>
    using({}, async ({ url }) => {
      const response = await fetch(`${url}/v1/vals`, { method: 'POST', headers: ada, body: '{"code":1}' });
      return (await response.json()).code;
    }),
  pages: () =>
    using({}, async ({ url }) => {
      const page = await (await fetch(`${url}/_emulator/ui/`)).text();
      const [, script] = /<script[^>]* src="([^"]+)"/.exec(page);
      const paths = ['ui/', `ui/${script}`, 'openapi.json', 'openapi-control.json', 'db/vals', 'requests.har'];
      const responses = paths.map(async (path) => {
        const { status, headers } = await fetch(new URL(path, `${url}/_emulator/`));
        return `${status} ${headers.get('content-type').replace(/;.*/, '')}`;
      });
      return Promise.all(responses);
    }),
  client: () =>
    using({}, async ({ url }) => (await (await connect(url).sandbox('one')).add.user({ username: 'eve' })).token),
  tools: () =>
    using({}, async ({ url }) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
      const response = await fetch(`${url}/_emulator/mcp`, { method: 'POST', headers, body });
      return /"serverInfo":\{"name":"([^"]+)"/.exec(await response.text())?.[1];
    }),
};

async function main() {
  const results = {};
  for (const [name, use] of Object.entries(USES)) results[name] = await use().catch(({ stack }) => stack);
  console.log(JSON.stringify(results));
}
main();
