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
  /** Default: the one of the platform */
  readonly fetch?: typeof fetch;
  /** Default: all */
  readonly cases?: readonly Case[];
  close(): Promise<void>;
}

/** The tokens of the first two users of the default dataset. */
export const TOKENS = { token: 'ada-token', secondToken: 'grace-token' };

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

/** Expects that a server passes all cases, and closes it. */
export async function expectConformance({ close, ...target }: Target): Promise<void> {
  try {
    const { entries, remarks } = await checkConformance({ ...target, level: 'email', timeout: PATIENCE });
    const others = entries.filter(({ outcome }) => outcome !== 'passed');
    expect(others.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
    expect(entries.length).toBeGreaterThan(300);
    expect(remarks).toEqual([]);
  } finally {
    await close();
  }
}
