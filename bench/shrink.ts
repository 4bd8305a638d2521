/**
 * Measures how a session of 200 requests is shrunk to the 5 that a command of 0.15 s needs to fail: tries, and seconds.
 *
 *   npm run bench -- shrink       the bounds (exit code 1 if one is missed)
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { finish } from '#engine/lib/steps.js';
import { parseSession } from '#engine/session/open-session.js';
import { Shrinker } from '#tools/shrink/shrinker.js';
import { vals } from '#vals/service/index.js';
import { createEmulator } from '../src/index.js';
import { report } from './report.js';

const REQUESTS = 200;
const COMMAND_MS = 150;
/** The vals that fail together, and the one whose new name does. */
const NEEDED = ['val104', 'val140', 'val176', 'new196'];
const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };

/** Adds, reads and renames vals. */
async function record(): Promise<string> {
  const emulator = await createEmulator({ listen: false });
  const ids: string[] = [];
  const send = async (method: string, path: string, body?: object) => {
    const response = await emulator.fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return response.text();
  };
  for (let i = 0; i < REQUESTS; i += 4) {
    const made = await send('POST', '/v1/vals', { name: `val${i}`, code: `1;\n${i};`, privacy: 'public' });
    ids.push(JSON.parse(made).id);
    await send('GET', '/v1/me');
    await send('POST', `/v1/vals/${ids.at(-1)}/versions`, { code: `${i};` });
    await send('PUT', `/v1/vals/${ids[i >> 3]}`, { name: `new${i}`, privacy: 'unlisted' });
  }
  return emulator.session();
}

/** Names the vals that exist, as a command over HTTP. */
async function readNames(url: string): Promise<string[]> {
  const found = await Promise.all(
    NEEDED.map(async (name) => {
      const response = await fetch(`${url}/v1/alias/ada/${name}`, { headers });
      return response.ok ? [name] : [];
    }),
  );
  return found.flat();
}

const stored = finish(parseSession(await record(), vals.definitions, ''));
let inCommand = 0;
const shrinker = await Shrinker.open({
  ...{ service: vals, stored },
  async run({ url }) {
    const start = performance.now();
    const [names] = await Promise.all([readNames(url), sleep(COMMAND_MS)]);
    inCommand += performance.now() - start;
    const isWrong = names.length === NEEDED.length;
    return { code: isWrong ? 1 : 0, stdout: '', stderr: isWrong ? 'Error: all four' : '' };
  },
});
const start = performance.now();
await shrinker.shrink();
const total = performance.now() - start;
const { requests, parts, records, tries } = shrinker;
const raw = `${requests.left} of ${requests.of} requests, ${parts.left} of ${parts.of} parts, ${records.left} of ${records.of} records`;
report('requests left', requests.left, 'most', 5, raw);
report('tries', tries, 'most', 150, `${COMMAND_MS} ms each`);
report(
  'seconds',
  total / 1_000,
  'most',
  30,
  `${((total - inCommand) / tries).toFixed(1)} ms a try besides the command`,
);
