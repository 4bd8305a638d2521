import { expect, test } from 'vitest';
import { dump, send } from '../support/dump.js';
import { emulate } from '../support/emulate.js';
import { sendRandomWrites } from '../support/random-writes.js';
import { SAMPLE_VALS, sampleFixtures } from '../support/sample-fixtures.js';

test('a reset after 400 requests restores every response', async () => {
  const emulator = await emulate(sampleFixtures);
  const before = await dump(emulator, SAMPLE_VALS);

  const first = await sendRandomWrites(emulator, 1, 400);
  const between = await dump(emulator, SAMPLE_VALS);
  emulator.reset();
  const after = await dump(emulator, SAMPLE_VALS);

  expect(between).not.toStrictEqual(before);
  expect(after).toStrictEqual(before);
  for (const id of first.made) {
    for (const { token } of emulator.users) {
      expect((await send(emulator, token, 'GET', `/v1/vals/${id}`)).status).toBe(404);
    }
  }
  const second = await sendRandomWrites(emulator, 1, 400);
  expect(second.lines).toStrictEqual(first.lines);
});

test('400 requests reach every status', async () => {
  const { counts } = await sendRandomWrites(await emulate(sampleFixtures), 1, 400);

  expect([...counts.keys()].sort()).toStrictEqual([
    'DELETE /v1/vals/{id} 204',
    'DELETE /v1/vals/{id} 401',
    'DELETE /v1/vals/{id} 404',
    'DELETE /v1/vals/{id}/versions/{n} 204',
    'DELETE /v1/vals/{id}/versions/{n} 400',
    'DELETE /v1/vals/{id}/versions/{n} 401',
    'DELETE /v1/vals/{id}/versions/{n} 404',
    'POST /v1/vals 200',
    'POST /v1/vals 400',
    'POST /v1/vals 401',
    'POST /v1/vals 409',
    'POST /v1/vals/{id}/versions 201',
    'POST /v1/vals/{id}/versions 400',
    'POST /v1/vals/{id}/versions 401',
    'POST /v1/vals/{id}/versions 404',
    'POST /v1/vals/{id}/versions 409',
    'PUT /v1/vals 200',
    'PUT /v1/vals 400',
    'PUT /v1/vals 401',
  ]);
});

test('repeated resets restore deleted records', async () => {
  const emulator = await emulate(sampleFixtures);
  const before = await dump(emulator, SAMPLE_VALS);

  for (let round = 0; round < 3; round++) {
    for (const { token } of emulator.users) {
      for (const id of SAMPLE_VALS) await send(emulator, token, 'DELETE', `/v1/vals/${id}`);
    }
    emulator.reset();
    emulator.reset();
  }

  expect(await dump(emulator, SAMPLE_VALS)).toStrictEqual(before);
});
