import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { expect } from 'vitest';
import type { Case } from '#tools/conformance/case.js';
import { checkConformance } from '#tools/conformance/index.js';
import { PATIENCE } from '../../support/patience.js';

/** A server to check, with tokens of its users. */
export interface Target {
  readonly url: string;
  readonly token: string;
  /** Absent if the server has one user for all tokens. */
  readonly secondToken?: string;
  /** Absent if it has no scopes. */
  readonly limitedToken?: string;
  readonly readerToken?: string;
  /** Default: the one of the platform */
  readonly fetch?: typeof fetch;
  /** Default: all */
  readonly cases?: readonly Case[];
  close(): Promise<void>;
}

/** The tokens of the first two users of the default dataset. */
export const TOKENS = { token: 'ada-token', secondToken: 'grace-token' };

/** Tokens of the first user with some scopes only, which {@link addRecords} adds. */
export const SCOPED_TOKENS = { limitedToken: 'ada-limited', readerToken: 'ada-reader' };

const READ_SCOPES = ['val', 'user', 'blob', 'sqlite', 'email', 'telemetry'].map((name) => `${name}:read`);

/** Adds the tokens with scopes to an emulator, and a run that has not ended. */
export async function addRecords({ url, fetch: send = fetch }: Pick<Target, 'url' | 'fetch'>): Promise<void> {
  const tokens = [
    { user: 'ada', token: SCOPED_TOKENS.limitedToken, scopes: ['email:read'] },
    { user: 'ada', token: SCOPED_TOKENS.readerToken, scopes: READ_SCOPES },
  ];
  const headers = { 'content-type': 'application/json' };
  // The latest run of ada has not ended.
  const runs = [{ val: 'ada/logReading', runStartAt: '-1m', runEndAt: null }];
  const body = JSON.stringify({ tokens, runs });
  const response = await send(`${url}/_emulator/records`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(await response.text());
}

/** Starts a server on a free port. */
export async function serve(listener: RequestListener): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Expects that an emulator passes all cases, and closes it. */
export async function expectConformance({ close, ...target }: Target): Promise<void> {
  try {
    await addRecords(target);
    const { entries, remarks } = await checkConformance({
      ...target,
      ...SCOPED_TOKENS,
      level: 'email',
      timeout: PATIENCE,
    });
    const others = entries.filter(({ outcome }) => outcome !== 'passed');
    expect(others.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
    expect(entries.length).toBeGreaterThan(300);
    expect(remarks).toEqual([]);
  } finally {
    await close();
  }
}
