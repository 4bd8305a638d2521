import { onTestFinished } from 'vitest';
import { connect } from '#tools/client/index.js';
import type { Emulator, EmulatorOptions, Fixtures } from '../../../src/index.js';
import { createEmulator, NOW } from '../../support/emulate.js';
import { type RedisServer, startRedis } from '../redis.js';

export const FIXTURES: Fixtures = {
  users: [{ username: 'ada' }, { username: 'grace' }],
  vals: [{ author: 'ada', name: 'hello', code: 'export const hello = 1;', privacy: 'public' }],
};

let count = 0;

/** Starts a server that is ended after the test. */
export async function redisForTest(flags?: readonly string[]): Promise<RedisServer> {
  const redis = await startRedis(flags);
  onTestFinished(() => redis.stop());
  return redis;
}

/** Starts nodes that share what other tests do not see. They are closed after the test. */
export async function startNodes(url: string, number: number, options: EmulatorOptions = {}): Promise<Emulator[]> {
  const storePrefix = `test-${process.pid}-${++count}`;
  const nodes: Emulator[] = [];
  for (let i = 0; i < number; i++) nodes.push(await startNode(url, { storePrefix, ...options }));
  return nodes;
}

export async function startNode(store: string, options: EmulatorOptions = {}): Promise<Emulator> {
  const node = await createEmulator({
    fixtures: FIXTURES,
    now: NOW,
    store,
    onDataError: () => {},
    onWarning: () => {},
    ...options,
  });
  onTestFinished(() => node.close());
  return node;
}

/** Sends a request, by default as ada, and returns its status and body. */
export async function send(base: { readonly url: string }, method: string, path: string, body?: unknown, user = 'ada') {
  const response = await fetch(base.url + path, {
    method,
    headers: {
      authorization: `Bearer ${user}-token`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}

export const clientOf = ({ url }: { readonly url: string }) => connect(url);
