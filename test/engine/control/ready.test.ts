import { Agent, get, type IncomingMessage } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { EmulatorOptions } from '../../../src/index.js';
import { as, emulate, isShared } from '../../support/emulate.js';

const CLOSING = { message: 'The emulator is closing.', error: 'Service Unavailable', statusCode: 503 };

describe('an emulator that responds is ready', () => {
  test.each([
    ['for any host', { Host: 'evil.test' }, {}],
    ['for any origin', { Origin: 'https://evil.test' }, {}],
    ['without a control API', {}, { control: false }],
    ['in a sandbox', { 'X-Emulator-Sandbox': 'one' }, {}],
  ] satisfies [string, Record<string, string>, EmulatorOptions][])('%s', async (_, headers, options) => {
    const emulator = await emulate({}, options);

    const response = await as(emulator).get('/_emulator/ready').set(headers);

    expect(response.status).toBe(200);
    expect(response.body).toStrictEqual({ status: 'ready' });
    expect(emulator.sandboxes()).toEqual([]);
  });
});

test('an emulator that is closing is not ready, but healthy', async () => {
  const emulator = await emulate({ users: [{ username: 'ada' }] });

  emulator.startClosing();

  const response = await as(emulator).get('/_emulator/ready');
  expect(response.status).toBe(503);
  expect(response.body).toStrictEqual(CLOSING);
  expect((await as(emulator).get('/_emulator/health')).status).toBe(200);
  expect((await as(emulator, 'ada').get('/v1/me')).status).toBe(200);
});

test.skipIf(isShared)('a connection ends with the first response after the emulator begins to close', async () => {
  const emulator = await emulate({});
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const send = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get(`${emulator.url}/v1/me`, { agent }, (response) => {
        response.resume().once('end', () => resolve(response));
      }).once('error', reject);
    });

  expect((await send()).headers.connection).toBe('keep-alive');
  emulator.startClosing();
  expect((await send()).headers.connection).toBe('close');
});

// A node that closes is one of two.
test.skipIf(isShared)('an emulator is unready as soon as close() is called', async () => {
  const emulator = await emulate({});
  await emulator.fail('*', { delay: 200 });
  const delayed = emulator.fetch('/v1/me');
  const closed = emulator.close({ grace: 5_000 });

  const response = await emulator.fetch('/_emulator/ready');

  expect(response.status).toBe(503);
  expect(await response.json()).toStrictEqual(CLOSING);
  await Promise.all([delayed, closed]);
});
