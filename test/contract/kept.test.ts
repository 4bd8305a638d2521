import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Emulator, EmulatorOptions, Sandbox } from '../../src/index.js';
import { emulate } from '../support/emulate.js';
import { codeImporting, town } from '../support/town.js';
import { Turmoil } from '../support/turmoil.js';
import { apiView } from '../support/world.js';

// The JSON of records is kept from one answer to the next: these hold it against answers of an emulator that kept none.

const options: EmulatorOptions = { listen: false, checkAnswers: false };

/** All answers, as an emulator gives them that was just made from the same records. */
async function viewAnew(sandbox: Sandbox): Promise<string[]> {
  const { now } = sandbox.clock;
  const anew = await emulate(sandbox.exportState(), { ...options, now });
  // Where the sandbox is reached is in the answers.
  const view = await apiView((input, init) =>
    anew.fetch(`${sandbox.url}${input}`.replace(/\/_sandbox\/\w+/, ''), init),
  );
  return view.map((line) => line.replaceAll(anew.url, sandbox.url));
}

async function expectFreshAnswers(sandbox: Sandbox): Promise<void> {
  const expected = await viewAnew(sandbox);
  expect(await apiView(sandbox.fetch)).toEqual(expected);
}

test.each([1, 2, 3])('after any writes answers tell what is, not what was (%i)', async (seed) => {
  const emulator = await emulate(town, options);
  const turmoil = new Turmoil(emulator.fetch, seed);
  for (let round = 0; round < 6; round++) {
    await turmoil.run(50);
    await expectFreshAnswers(emulator);
  }
});

test('sandboxes of one seed, reached at addresses of their own, keep out of each other', async () => {
  const emulator = await emulate(town, options);
  const sandboxes = [emulator, emulator.sandbox('one'), emulator.sandbox('two')];
  const turmoils = sandboxes.map(({ fetch }, seed) => new Turmoil(fetch, seed, ['seed']));
  for (let round = 0; round < 3; round++) {
    for (const turmoil of turmoils) await turmoil.run(15);
    for (const sandbox of sandboxes) await expectFreshAnswers(sandbox);
  }
});

test('a user with another name is called by it in vals, runs and comments', async () => {
  const emulator: Emulator = await emulate(town, options);
  await apiView(emulator.fetch);
  const id = emulator.users[0]?.id;

  const changed = await emulator.fetch(`/_emulator/db/users/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'lovelace' }),
  });

  expect(await changed.json()).toMatchObject({ username: 'lovelace' });
  await expectFreshAnswers(emulator);
});

test('a like is counted at once', async () => {
  const emulator = await emulate(town, options);
  await apiView(emulator.fetch);

  emulator.add.user({ username: 'gus' });
  await apiView(emulator.fetch);
  emulator.add.like({ user: 'gus', val: 'ada/val0' });

  await expectFreshAnswers(emulator);
});

test('a val made where another was taken back is itself, with what was said of it, though it has the same id', async () => {
  const emulator = await emulate(town, options);
  const make = async (name: string) => {
    const made = await emulator.fetch('/v1/vals', {
      method: 'POST',
      headers: { authorization: 'Bearer ada token', 'content-type': 'application/json' },
      body: JSON.stringify({ name, code: codeImporting('ada', 'val0'), privacy: 'public' }),
    });
    emulator.add.run({ val: `ada/${name}` });
    emulator.add.comment({ author: 'bob', val: `ada/${name}`, comment: name });
    await expectFreshAnswers(emulator);
    const { id } = z.object({ id: z.string() }).parse(await made.json());
    return id;
  };
  await apiView(emulator.fetch);

  const taken = await make('first');
  emulator.rewind(3);

  await expectFreshAnswers(emulator);
  expect(await make('second')).toBe(taken);
});
