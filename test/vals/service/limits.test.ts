import { expect, test } from 'vitest';
import { as, emulate } from '../../support/emulate.js';

const HELLO = '4e110000-0000-4000-8000-000000000001';

const WRITES = [
  { method: 'post', path: '/v1/vals', status: 200, settings: true },
  { method: 'put', path: '/v1/vals', status: 200, settings: false },
  { method: 'post', path: `/v1/vals/${HELLO}/versions`, status: 201, settings: true },
] as const;

test.each(WRITES)('$method $path accepts values at the limits', async ({ method, path, status, settings }) => {
  const emulator = await emulate({
    users: [{ username: 'ada' }],
    vals: [{ author: 'ada', name: 'hello', id: HELLO, code: '1' }],
  });
  const values = [
    { name: 'a' },
    { name: 'a'.repeat(48) },
    { name: 'Az_09' },
    { code: ' ' },
    { code: 'x'.repeat(256_000) },
    // Characters are code points.
    { code: '🙂'.repeat(256_000) },
    ...(settings ? [{ readme: 'x'.repeat(8_192) }, { readme: '🙂'.repeat(8_192) }] : []),
  ];
  for (const [i, value] of values.entries()) {
    const body = { name: `fine${i}`, code: '1', ...value };
    const response = await as(emulator, 'ada')[method](path).send(body);
    expect(response.status, Object.keys(value)[0]).toBe(status);
    expect(response.body).toMatchObject(body);
  }
});
