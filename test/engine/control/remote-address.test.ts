import { describe, expect, test } from 'vitest';
import { listen } from '#engine/http/node.js';
import type { Emulator, EmulatorOptions } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';
import { requestFrom } from '../../support/request-from.js';
import { run } from '../../tools/cli/cli.js';

const fixtures = { users: [{ username: 'ada' }] };
const TOKEN = 'control-token-1';

/** Sends a request that names this machine as its host, and returns the status. */
const statusFrom = async (
  emulator: Emulator,
  remoteAddress: string,
  target = '/_emulator/users',
  headers: Readonly<Record<string, string>> = {},
): Promise<number> =>
  (await requestFrom(emulator, remoteAddress, target, { host: 'localhost:4010', ...headers })).status;

test.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('%s may use the control API', async (address) => {
  expect(await statusFrom(await emulate(fixtures), address)).toBe(200);
});

test.each(['10.0.0.5', '172.17.0.1', '192.168.1.5', '128.0.0.1', '::ffff:10.0.0.5', 'fe80::1', '2001:db8::1'])(
  'another machine at %s may not use the control API by naming localhost as the host',
  async (address) => {
    const emulator = await emulate(fixtures);

    expect(await statusFrom(emulator, address)).toBe(403);
    expect(await statusFrom(emulator, address, '/_emulator/db/users')).toBe(403);
    expect(await statusFrom(emulator, address, '/_sandbox/one/_emulator/users')).toBe(403);
    expect(await statusFrom(emulator, address, '/_emulator/health')).toBe(200);
    expect(await statusFrom(emulator, address, '/v1/me', { authorization: 'Bearer ada-token' })).toBe(200);
  },
);

test('a refusal of an address names the option that allows its network', async () => {
  const emulator = await emulate(fixtures);

  const { body } = await requestFrom(emulator, '10.0.0.5', '/_emulator/users', { host: 'localhost' });

  expect(JSON.parse(String(body)).message).toBe(
    'The control API does not accept requests from 10.0.0.5. Allow its network by the option controlFrom, or send the token of controlToken.',
  );
});

describe('controlFrom', () => {
  test.each<[string[], string, number]>([
    [['10.0.0.0/8'], '10.200.0.1', 200],
    [['10.0.0.0/8'], '::ffff:10.200.0.1', 200],
    [['10.0.0.0/8'], '11.0.0.1', 403],
    [['192.168.1.5'], '192.168.1.5', 200],
    [['192.168.1.5'], '192.168.1.6', 403],
    [['192.168.1.5', '2001:db8::/32'], '2001:db8:1::7', 200],
    [['2001:db8::/32'], '2001:db9::7', 403],
    [['0.0.0.0/0'], '8.8.8.8', 200],
    [['gateway', 'subnet'], '203.0.113.9', 403],
    // The loopback interface is one of the networks of the machine.
    [['subnet'], '127.9.9.9', 200],
  ])('%j: a request from %s returns %i', async (controlFrom, address, status) => {
    expect(await statusFrom(await emulate(fixtures, { controlFrom }), address)).toBe(status);
  });

  test('the host of a request from an allowed network must still be allowed', async () => {
    const emulator = await emulate(fixtures, { controlFrom: ['10.0.0.0/8'], allowedHosts: ['emulator'] });

    expect(await statusFrom(emulator, '10.0.0.5', undefined, { host: 'emulator:4010' })).toBe(200);
    expect(await statusFrom(emulator, '10.0.0.5', undefined, { host: 'evil.test' })).toBe(403);
  });

  test.each(['10.0.0.0/33', '10.0.0', 'localhost', '10.0.0.0/', '10.0.0.0/8/8', '::1/129', '', 'constructor'])(
    'the network %j is refused',
    async (network) => {
      const wrong: EmulatorOptions = { controlFrom: ['10.0.0.0/8', network] };
      const expected = 'an address, a network such as "10.0.0.0/8", "gateway" or "subnet"';
      await expect(emulate(fixtures, wrong)).rejects.toThrow(
        `controlFrom[1]: found ${JSON.stringify(network)}; expected ${expected}.`,
      );
    },
  );
});

describe('controlToken', () => {
  test('admits a request from any address, with any host and origin', async () => {
    const emulator = await emulate(fixtures, { controlToken: TOKEN });
    const sent = { host: 'build-box:4010', origin: 'https://app.test', 'x-emulator-control-token': TOKEN };

    expect(await statusFrom(emulator, '203.0.113.9', '/_emulator/users', sent)).toBe(200);
  });

  test.each(['', 'control-token-2', 'control-token', `${TOKEN} `])('the token %j is refused', async (token) => {
    const emulator = await emulate(fixtures, { controlToken: TOKEN });
    const sent = { 'x-emulator-control-token': token };

    expect(await statusFrom(emulator, '203.0.113.9', '/_emulator/users', sent)).toBe(403);
  });

  test('is optional on this machine', async () => {
    const emulator = await emulate(fixtures, { controlToken: TOKEN });

    expect((await as(emulator).get('/_emulator/users')).status).toBe(200);
  });

  test('is sent by commands', async () => {
    const received: unknown[] = [];
    const server = await listen(
      (request, response) => {
        received.push(request.headers['x-emulator-control-token']);
        response.writeHead(204).end();
      },
      '127.0.0.1',
      0,
    );
    await run(['reset', '--url', server.url, '--control-token', TOKEN]);
    await run(['reset', '--url', server.url], { env: { VAL_EMULATOR_CONTROL_TOKEN: TOKEN } });
    await run(['reset', '--url', server.url]);
    await server.close();

    expect(received).toEqual([TOKEN, TOKEN, undefined]);
  });

  test('has at least 8 characters', async () => {
    await expect(emulate(fixtures, { controlToken: 'short' })).rejects.toThrow(
      'controlToken: found "short"; expected a secret of 8 characters or more.',
    );
  });
});
