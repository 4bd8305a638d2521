import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { dump } from '../support/dump.js';
import { emulate, NOW } from '../support/emulate.js';
import { sendRandomWrites } from '../support/random-writes.js';
import { SAMPLE_VALS, sampleFixtures } from '../support/sample-fixtures.js';

test('two emulators respond alike to the same requests', async () => {
  const [one, two] = [await emulate(sampleFixtures), await emulate(sampleFixtures)];

  // At the same time, so that anything they shared would show.
  const [inOne, inTwo] = await Promise.all([sendRandomWrites(one, 2, 300), sendRandomWrites(two, 2, 300)]);

  expect(inTwo.lines).toStrictEqual(inOne.lines);
  const ids = [...SAMPLE_VALS, ...inOne.made];
  expect(await dump(two, ids)).toStrictEqual(await dump(one, ids));
});

test('another idSeed changes only ids and generated names', async () => {
  const create = async (idSeed: string) => sendRandomWrites(await emulate(sampleFixtures, { idSeed }), 3, 50);

  const [one, two] = [await create('one'), await create('two')];

  expect(two.made).toHaveLength(one.made.length);
  expect(two.made.filter((id) => one.made.includes(id))).toStrictEqual([]);
  expect([...two.counts]).toStrictEqual([...one.counts]);
});

test('two processes of the built program respond alike', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'val-emulator-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const fixtures = join(folder, 'town.json');
  await writeFile(fixtures, JSON.stringify(sampleFixtures));
  const servers = await Promise.all([start(fixtures), start(fixtures)]);

  const [one, two] = await Promise.all(
    servers.map(async (server) => {
      const { lines, made } = await sendRandomWrites(server, 4, 100);
      return [...lines, ...(await dump(server, made))];
    }),
  );

  expect(two).toStrictEqual(one);
});

const Started = z.object({
  url: z.url(),
  users: z.array(z.object({ username: z.string(), id: z.string(), token: z.string() })),
});

/** The built program, in a process of its own that ends with the test. */
async function start(fixtures: string): Promise<z.infer<typeof Started>> {
  const program = fileURLToPath(new URL('../../dist/bin/val-emulator.js', import.meta.url));
  const flags = ['start', '--port', '0', '--fixtures', fixtures, '--now', NOW, '--json'];
  const child = spawn(process.execPath, [program, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill();
  });
  for await (const line of createInterface(child.stdout)) return Started.parse(JSON.parse(line));
  throw new Error('the program ended before it listened');
}
