import { expect, test } from 'vitest';
import { atCaller } from '#engine/platform/caller-stack.js';
import { connect } from '#tools/client/index.js';
import { createEmulator, type Emulator } from '../../../src/index.js';
import { emulate } from '../../support/emulate.js';

/** The file and function of the first line of a stack. */
const firstLine = (error: unknown): string =>
  error instanceof Error ? (error.stack?.split('\n').find((line) => /^ +at /.test(line)) ?? '') : String(error);

async function callAsUser(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    return error;
  }
}

const HERE = /caller-stack\.test\.ts:\d+:\d+/;

/** Calls with bad input, and expectations that fail: sync or async in the process, async remotely. */
const CALLS: Readonly<Record<string, (emulator: Emulator | ReturnType<typeof connect>) => unknown>> = {
  expectRequest: (emulator) => emulator.expectRequest('GET /v1/me'),
  'expectRequest with an outcome': (emulator) => emulator.expectRequest('GET /v1/me', { outcome: 'sent' }),
  expectSequence: (emulator) => emulator.expectSequence(['GET /v1/me']),
  expectEmail: (emulator) => emulator.expectEmail({ subject: 'none' }),
  rows: (emulator) => emulator.rows('SELECT * FROM nothing'),
  // @ts-expect-error: a misspelt key
  requests: (emulator) => emulator.requests({ stats: 200 }),
  fail: (emulator) => emulator.fail('GET /v1/me', { status: 1 }),
  'clock.set': (emulator) => emulator.clock.set('yesterday'),
  'rateLimit.set': (emulator) => emulator.rateLimit.set({ limit: 1, window: 'soon' }),
  'add.val': (emulator) => emulator.add.val({ author: 'nobody', name: 'a' }),
  diff: (emulator) => emulator.diff('sandbox:none'),
  restore: (emulator) => emulator.restore('none'),
  rewind: (emulator) => emulator.rewind('r99'),
  forks: (emulator) => emulator.forks(0),
};

test.each(Object.entries(CALLS))('the stack of an error of %s begins at the line of the program', async (_, call) => {
  const emulator = await emulate({ users: [{ username: 'ada' }] });

  for (const each of [emulator, connect(emulator.url)]) {
    const error = await callAsUser(() => call(each));
    expect(error).toBeInstanceOf(Error);
    expect(firstLine(error)).toMatch(HERE);
    expect(String(Object(error).stack)).toContain(`${Object(error).name}: ${Object(error).message}`);
  }
});

test('so does the stack of wrong options, and of wrong fixtures', async () => {
  // @ts-expect-error: a misspelt option
  expect(firstLine(await callAsUser(() => createEmulator({ prot: 1 })))).toMatch(HERE);
  const fixtures = { users: [{ username: 'ada' }], vals: [{ author: 'eve', name: 'a' }] };
  expect(firstLine(await callAsUser(() => createEmulator({ fixtures })))).toMatch(HERE);
});

test('an error of the language keeps its frames, since it may be a defect', async () => {
  const read = (value: { readonly a: { readonly b: number } }) => atCaller(read, () => readB(value));
  const readB = (value: { readonly a: { readonly b: number } }) => value.a.b;

  // @ts-expect-error: no such object
  const error = await callAsUser(() => read({}));

  expect(error).toBeInstanceOf(TypeError);
  expect(firstLine(error)).toContain('readB');
});

test('the methods keep their names, and their object', async () => {
  const emulator = await emulate({ users: [{ username: 'ada' }] });
  const { reset } = emulator;

  expect(emulator.expectRequest.name).toBe('expectRequest');
  expect(() => reset()).not.toThrow();
});
