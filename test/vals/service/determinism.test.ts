import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { RandomClient } from '../../model/client.js';
import { without } from '../../model/operations.js';
import { NOW } from '../../support/emulate.js';
import { sampleFixtures } from '../../support/sample-fixtures.js';
import type { Fetch } from '../../support/views.js';
import { MAIN } from '../../tools/cli/cli.js';

test('two processes of the built program respond alike', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'val-emulator-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const fixtures = join(folder, 'town.json');
  await writeFile(fixtures, JSON.stringify(sampleFixtures));
  const urls = await Promise.all([start(fixtures), start(fixtures)]);

  const [one, two] = await Promise.all(
    urls.map(async (url) => {
      const fetchThere: Fetch = (path, init) => fetch(`${url}${path}`, init);
      const lines = await new RandomClient(fetchThere, 4, { operations: without('faults') }).run(200);
      return lines.map((line) => withoutRealDate(line.replaceAll(url, '')));
    }),
  );

  expect(one?.filter((line) => line.includes('-> 20'))).not.toEqual([]);
  expect(two).toStrictEqual(one);
});

/** A request that Node's parser refuses reaches no sandbox, so that its date is not of a sandbox's clock. */
const withoutRealDate = (line: string) =>
  line.includes('-> 431 ') ? line.replace(/"date":"[^"]*"/, '"date":""') : line;

/** Starts the built program in a process that ends with the test, and returns its URL. */
async function start(fixtures: string): Promise<string> {
  const flags = ['start', '--port', '0', '--fixtures', fixtures, '--now', NOW, '--json'];
  const child = spawn(process.execPath, [MAIN, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill();
  });
  for await (const line of createInterface(child.stdout)) return z.object({ url: z.url() }).parse(JSON.parse(line)).url;
  throw new Error('The program ended before it listened.');
}
