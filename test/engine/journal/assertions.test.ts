import { expect, test, vi } from 'vitest';
import { emulate } from '../../support/emulate.js';

const ADA = { authorization: 'Bearer ada-token' };
const fixtures = { users: [{ username: 'ada' }] };

test('assertions on a full journal parse no body but that of the request that they return', async () => {
  const emulator = await emulate(fixtures);
  for (let i = 0; i < 1_000; i++) await emulator.fetch('/v1/me/runs', { headers: ADA });
  const parse = vi.spyOn(JSON, 'parse');

  emulator.unhandled();
  expect(parse).not.toHaveBeenCalled();
  const last = emulator.expectRequest('GET /v1/me/runs', { times: 1_000, status: 200, user: 'ada' });
  expect(parse).toHaveBeenCalledOnce();
  expect(last?.id).toBe('r1000');
  parse.mockRestore();
});

test('expectations compare bodies before redaction', async () => {
  const emulator = await emulate(fixtures);
  const body = { name: 'secret', code: "const token = 'ada-token';" };
  await emulator.fetch('/v1/vals', {
    method: 'POST',
    headers: { ...ADA, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

  emulator.expectRequest('POST /v1/vals', { body });
});
