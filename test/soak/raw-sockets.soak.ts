import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Rng } from '#engine/lib/rng.js';
import { createEmulator } from '../support/emulate.js';
import { sampleFixtures } from '../support/sample-fixtures.js';
import { SEED, scaled, watchdog } from '../support/soak.js';
import { type Attempt, makeAttempt } from './raw-requests.js';

const CONNECTIONS = scaled(50_000);
/** Connections between two looks at whether all is well. */
const BATCH = 100;
/** Connections that stay open beside each batch, without a complete request. */
const SILENT = 40;
const SILENT_STARTS = [
  '',
  'G',
  'GET /v1/me HTTP/1.1\r\nHost: localhost\r\nX-Sl',
  'POST /v1/vals HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{',
];

interface RawResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Splits the responses of a server. A response to HEAD has a length and no body. */
function parseResponses(text: string): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const [line = '', ...lines] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
    if (end < 0 || Number.isNaN(status)) throw new Error(`no response: ${JSON.stringify(rest.slice(0, 300))}`);
    const headers = new Map(
      lines.map((each) => [each.replace(/:.*/, '').toLowerCase(), each.replace(/^[^:]*: ?/, '')]),
    );
    rest = rest.slice(end + 4);
    if (status < 200) continue;
    const isHead = rest === '' || rest.startsWith('HTTP/1.1 ');
    const length = isHead ? 0 : Number(headers.get('content-length') ?? 0);
    responses.push({ status, headers, body: rest.slice(0, length) });
    rest = rest.slice(length);
  }
  return responses;
}

function open(port: number): Socket {
  // A server that refuses a request may close before all of it is sent.
  return connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true }).on('error', () => {});
}

/** Sends an attempt, and returns all data until the server closes the connection. */
async function send(port: number, { parts, ending }: Pick<Attempt, 'parts' | 'ending'>): Promise<string> {
  const socket = open(port);
  let text = '';
  socket.setEncoding('latin1').on('data', (data) => {
    text += data;
  });
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  for (const [index, part] of parts.entries()) {
    if (index > 0) await setImmediate();
    socket.write(part, 'latin1');
  }
  if (ending === 'fin') socket.end();
  else {
    await setImmediate();
    if (ending === 'reset') socket.resetAndDestroy();
    else socket.destroy();
  }
  await closed;
  return text;
}

/** Finds a problem of a response to any request. */
function findFault({ status, headers, body }: RawResponse): string | undefined {
  if (status >= 500 && status !== 501) return `a ${status}`;
  if (status < 400 || body === '') return undefined;
  if (!headers.get('content-type')?.startsWith('application/json')) return `a ${status} without JSON`;
  const error: unknown = JSON.parse(Buffer.from(body, 'latin1').toString());
  const { message, statusCode, error: reason } = Object(error);
  const isError = typeof message === 'string' && message !== '' && typeof reason === 'string' && statusCode === status;
  return isError ? undefined : `a ${status} with another body`;
}

test(`${CONNECTIONS} connections with odd, broken and pipelined requests`, async () => {
  console.log(`raw sockets: ${CONNECTIONS} connections, SEED=${SEED}`);
  await using emulator = await createEmulator({
    fixtures: sampleFixtures,
    now: '2024-06-11T22:05:12.585Z',
    maxSandboxes: 100_000,
  });
  const port = Number(new URL(emulator.url).port);
  const { store } = emulator;
  const normal = 'GET /v1/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ada token\r\n\r\n';
  const getMe = async () => {
    const [response] = parseResponses(await watchdog('GET /v1/me', send(port, { parts: [normal], ending: 'fin' })));
    return response;
  };
  const me = await getMe();
  expect(me?.status).toBe(200);
  // Not a reset: a mutated request may have replaced the seed.
  emulator.snapshot('start');
  const rng = new Rng(`sockets-${SEED}`);
  const counts = new Map<string, number>();
  const count = (name: string, by = 1) => counts.set(name, (counts.get(name) ?? 0) + by);

  for (let sent = 0; sent < CONNECTIONS; sent += BATCH) {
    const silent = Array.from({ length: SILENT }, (_, i) => {
      const socket = open(port);
      socket.write(SILENT_STARTS[i % SILENT_STARTS.length] ?? '');
      if (i % 3 === 0) socket.end();
      return socket.resume();
    });
    for (let i = sent; i < Math.min(CONNECTIONS, sent + BATCH); i++) {
      const attempt = makeAttempt(rng, i, me?.body ?? '');
      const label = `${attempt.kind}, ${attempt.ending} (connection ${i}, SEED=${SEED}): ${JSON.stringify(attempt.parts.join('|')).slice(0, 800)}`;
      const before = store.state;
      const text = await watchdog(label, send(port, attempt));
      const responses = parseResponses(text);
      count(attempt.kind);
      count('responses', responses.length);
      for (const response of responses) {
        count(`status ${response.status}`);
        const fault = findFault(response);
        if (fault !== undefined) throw new Error(`${fault}: ${response.body.slice(0, 500)} for ${label}`);
      }
      const statuses = responses.map(({ status }) => status);
      if (attempt.statuses) expect(statuses, label).toEqual(attempt.statuses);
      for (const [index, body] of Object.entries(attempt.bodies ?? {})) {
        expect(responses[Number(index)]?.body, label).toContain(body);
      }
      if (attempt.ending !== 'fin') await getMe();
      if (attempt.mayWrite) emulator.restore('start');
      else if (store.state !== before) throw new Error(`a refused or incomplete request changed the state: ${label}`);
    }
    expect(await getMe()).toEqual(me);
    for (const socket of silent) socket.destroy();
  }

  count('silent', Math.ceil(CONNECTIONS / BATCH) * SILENT);
  console.log(
    [...counts]
      .sort()
      .map(([name, times]) => `${name}: ${times}`)
      .join(', '),
  );
});
