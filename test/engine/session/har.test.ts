import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import harSchemas from 'har-schema';
import { expect, test } from 'vitest';
import { emulate } from '../../support/emulate.js';

const SECRET = 'vtwn_5jK2mQ9xTz81LwRb';

/** Lists how a document departs from HAR 1.2. */
function listHarErrors(document: unknown): unknown[] {
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  for (const { $schema: _, ...schema } of Object.values(harSchemas)) ajv.addSchema(schema);
  ajv.validate('har.json', document);
  return ajv.errors ?? [];
}

test('the journal is exported as HAR 1.2, without tokens', async () => {
  const emulator = await emulate({ users: [{ username: 'ada', token: SECRET }] });
  const headers = {
    authorization: `Bearer ${SECRET}`,
    'content-type': 'application/json',
    cookie: 'id=1',
    'x-run': '7',
  };
  const body = JSON.stringify({ name: 'report', code: `const token = '${SECRET}';` });
  await emulator.fetch('/v1/vals?a=1&a=2', { method: 'POST', headers, body });
  emulator.fail('GET /v1/me', { reset: true });
  await emulator.fetch('/v1/me', { headers }).catch(() => {});
  const bytes = new Uint8Array([255, 0, 254]);
  await emulator.fetch('/v1/blob/a', { method: 'POST', headers: { authorization: `Bearer ${SECRET}` }, body: bytes });
  await emulator.fetch('/v1/blob/a', { headers: { authorization: `Bearer ${SECRET}` } });

  const response = await emulator.fetch('/_emulator/requests.har');
  const text = await response.text();
  const har = JSON.parse(text);

  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(listHarErrors(har)).toEqual([]);
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain('id=1');
  const [created, reset, stored, read] = har.log.entries;
  expect(har.log.entries).toHaveLength(4);
  expect(created).toMatchObject({
    _id: 'r1',
    _user: 'ada',
    _outcome: 'sent',
    request: {
      method: 'POST',
      url: `${emulator.url}/v1/vals?a=1&a=2`,
      headers: [
        { name: 'content-type', value: 'application/json' },
        { name: 'x-run', value: '7' },
        { name: 'authorization', value: 'Bearer ada-token' },
      ],
      queryString: [
        { name: 'a', value: '1' },
        { name: 'a', value: '2' },
      ],
      postData: {
        mimeType: 'application/json',
        text: JSON.stringify({ name: 'report', code: "const token = 'ada-token';" }),
      },
    },
    response: { status: 200, statusText: 'OK', content: { mimeType: 'application/json; charset=utf-8' } },
  });
  expect(JSON.parse(created.response.content.text)).toMatchObject({ name: 'report' });
  expect(reset).toMatchObject({ _outcome: 'reset', response: { status: 0, statusText: '' } });
  expect(stored.request.postData).toMatchObject({ text: '', comment: '3 bytes' });
  expect(read.response.content).toMatchObject({ size: 3, text: '/wD+', encoding: 'base64' });
});

test('an empty journal is exported as a HAR without entries', async () => {
  const emulator = await emulate({});
  const har = await (await emulator.fetch('/_emulator/requests.har')).json();
  expect(listHarErrors(har)).toEqual([]);
  expect(har).toMatchObject({ log: { version: '1.2', entries: [] } });
});
