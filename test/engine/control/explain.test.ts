import { expect, test } from 'vitest';
import * as z from 'zod';
import { emulate } from '../../support/emulate.js';
import { run } from '../../tools/cli/cli.js';

const JSON_ADA = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };

async function begin() {
  const emulator = await emulate({ users: [{ username: 'ada' }] });
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = JSON_ADA) =>
    fetch(emulator.url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  return { emulator, send };
}

test('a refused request is explained by the nearest accepted one of its route', async () => {
  const { emulator, send } = await begin();
  await send('POST', '/v1/vals', { name: 'other', code: '1', privacy: 'public' });
  await send('POST', '/v1/vals', { name: 'first', code: '1' });
  await send('GET', '/v1/me');
  await send('POST', '/v1/vals', { nam: 'refused' });
  await send('POST', '/v1/vals', { name: 'second' });
  await send('POST', '/v1/vals', { name: 'later', code: '1', privacy: 'private', type: 'http' });

  const explanation = {
    id: 'r5',
    summary: 'r5 POST /v1/vals was refused with 400.',
    message: "body must have required property 'code'",
    suggestion: null,
    reason: null,
    accepted: {
      id: 'r2',
      route: 'POST /v1/vals',
      method: 'POST',
      path: '/v1/vals',
      status: 200,
      differences: ['body.code: r2 sent "1", r5 nothing', 'body.name: r2 sent "first", r5 "second"'],
    },
    change: 'Send these as the accepted request did: body.code.',
  };
  expect(await emulator.explain('r5')).toEqual(explanation);
  expect(await (await fetch(`${emulator.url}/_emulator/requests/5/explanation`)).json()).toEqual(explanation);
  expect((await run(['explain', '5', '--url', emulator.url])).stdout).toBe(
    [
      'r5 POST /v1/vals was refused with 400.',
      "body must have required property 'code'",
      'Accepted: r2 POST /v1/vals 200',
      '  body.code: r2 sent "1", r5 nothing',
      '  body.name: r2 sent "first", r5 "second"',
      'Change: Send these as the accepted request did: body.code.',
      '',
    ].join('\n'),
  );
});

test('an explanation says what to change without an accepted request', async () => {
  const { emulator, send } = await begin();
  await send('POST', '/v1/vals', { cod: '1' });
  await send('GET', '/v1/val/hello');
  await send('GET', '/v1/me', undefined, {});
  await send('DELETE', '/v1/blob/none');
  await emulator.rateLimit.set({ limit: 1, window: '1m' });
  await send('GET', '/v1/me/likes');
  await send('GET', '/v1/me/likes');

  const explained = [];
  for (const id of ['r1', 'r2', 'r3', 'r4', 'r6']) explained.push(await emulator.explain(id));
  expect(explained).toMatchObject([
    { accepted: null, change: 'Found "cod" in the body. Did you mean "code"?' },
    { accepted: null, change: 'Did you mean "GET /v1/vals/{val_id}"?' },
    { accepted: null, change: 'GET /_emulator/users lists the tokens' },
    { accepted: null, change: 'Use the id of a record that exists, or add the record: POST /_emulator/records.' },
    {
      reason: 'the rate limit of ada is 1 request in 1m',
      accepted: { id: 'r5', differences: [] },
      change: 'Wait as the header Retry-After says, or change the limit: PUT /_emulator/rate-limit.',
    },
  ]);
});

test('an explanation of an accepted request names what it changed', async () => {
  const { emulator, send } = await begin();
  await send('POST', '/v1/vals', { name: 'hello', code: '1' });
  await send('GET', '/v1/me');

  expect(await emulator.explain('1')).toMatchObject({
    summary: 'r1 POST /v1/vals succeeded with 200. It changed: + ada/hello.',
    accepted: null,
    change: null,
  });
  expect((await emulator.explain('r2')).summary).toBe('r2 GET /v1/me succeeded with 200. It changed nothing.');
  await emulator.rewind('r1');
  expect((await emulator.explain('r1')).summary).toBe(
    'r1 POST /v1/vals succeeded with 200. The history no longer has its commit.',
  );
});

test('an explanation of a fault says how to do without it', async () => {
  const { emulator, send } = await begin();
  await emulator.fail('GET /v1/me', { status: 503 });
  await send('GET', '/v1/me');
  await send('GET', '/v1/me/likes', undefined, { ...JSON_ADA, 'x-emulator-fault': '418' });

  expect(await emulator.explain('r1')).toMatchObject({
    summary: 'r1 GET /v1/me got the fault f1: 503.',
    change: 'Disarm the fault: DELETE /_emulator/faults/f1.',
  });
  expect(await emulator.explain('r2')).toMatchObject({ change: 'Send it without the header x-emulator-fault.' });
});

test('an explanation has 1,200 characters at most', async () => {
  const { emulator, send } = await begin();
  const name = (letter: string) => letter.repeat(40);
  const long = (letter: string) =>
    Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((key) => [key.repeat(90) + letter, `"${letter}`.repeat(100)]));
  const query = `?${new URLSearchParams(long('q'))}`;
  await send('POST', `/v1/vals${query}`, { name: name('a'), code: '"'.repeat(900), ...long('x') });
  await send('POST', `/v1/vals${query}`, { name: `${name('b')}-`.repeat(9), ...long('y') });

  const explanation = await emulator.explain('r2');
  expect(explanation.accepted?.differences).toHaveLength(3);
  expect(JSON.stringify(explanation).length).toBeGreaterThan(600);
  expect(JSON.stringify(explanation).length).toBeLessThanOrEqual(1_200);
});

test('an explanation of an unknown request is refused as the request is', async () => {
  const { emulator } = await begin();
  const read = async (path: string) => {
    const response = await fetch(`${emulator.url}/_emulator/requests/${path}`);
    return { status: response.status, ...z.object({ message: z.string() }).parse(await response.json()) };
  };
  expect(await read('r9/explanation')).toEqual(await read('r9'));
  expect(await read('r9/explanation')).toEqual({
    status: 404,
    message: 'There is no request "r9": the journal has the last 0.',
  });
});
