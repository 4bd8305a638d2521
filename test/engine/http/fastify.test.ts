import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Rng } from '#engine/lib/rng.js';
import * as errors from '#vals/lib/errors.rules.js';
import { emulate } from '../../support/emulate.js';
import { createOracle, SETTINGS, type Setting } from '../../support/fastify.js';
import { SEED, scaled, sized } from '../../support/soak.js';
import { type Seen, sendToEmulator, sendToFastify } from '../../support/wire.js';
import { wireFixtures } from '../../support/wire-fixtures.js';
import { type WireRequest, WireRequests } from '../../support/wire-requests.js';

/*
 * The real service ran on Fastify 4, so a real one with the same schemas says which response each request gets before a
 * handler sees it: that of the router, of the parser of bodies, or of the validator. `SEED=7` draws other requests.
 */

const REQUESTS = sized(600, scaled(100_000));
/** Requests until the data is reset. */
const ROUND = 200;

/** Errors of handlers, which see valid requests only. */
const OF_HANDLERS: ReadonlySet<unknown> = new Set([
  ...Object.values(errors).map((make) => make('').message),
  'Cannot delete the only version of a val',
  'Cannot delete the branch main',
  'The blob was not found',
]);
/** Errors of the handler of emails, about senders, headers and attachments. */
const OF_EMAILS =
  /^body\/\S+ must (?:be \S+@valtown\.email, or absent|NOT have (?:CR, LF or NUL|a word of more than)|be base64$)/;

/** Errors of the handlers of projects, about paths, files, branches and cursors. */
const OF_PROJECTS =
  /^(?:(?:querystring\/path|body\/(?:name|parent_path)|the new path): |querystring\/cursor must |body\/(?:type|content) must be (?:"directory"|a type of files|absent|text)(?=[:,])|body\/parent_path must NOT be in |File not found: |Precondition Failed$)/;

const messageOf = ({ body }: Seen): string => (typeof body === 'string' ? body : String(Object(body).message));

/** Whether a handler has seen the request. A response to HEAD has no message. */
const isHandled = ({ method, target }: WireRequest, ours: Seen): boolean =>
  ours.status < 400 ||
  ours.status === 409 ||
  (method === 'HEAD' && /^4(?:04|12)$/.test(`${ours.status}`)) ||
  // A path of a project, or a cursor.
  (method === 'HEAD' && /^\/v2\/|[?&]cursor=/.test(target) && ours.status === 400) ||
  OF_HANDLERS.has(messageOf(ours)) ||
  OF_EMAILS.test(messageOf(ours)) ||
  OF_PROJECTS.test(messageOf(ours)) ||
  // Of SQL.
  /^SQL\w+: /.test(messageOf(ours));

/** All differences that there may be. docs/fidelity.md has a line for each. */
const EXCEPTIONS: Readonly<Record<string, (request: WireRequest, ours: Seen, theirs: Seen) => boolean>> = {
  'The token comes before the rest': (_, { status }) => status === 401 || status === 403,
  'Parts that are not emulated are a 501': (_, ours, theirs) => ours.status === 501 && theirs.status >= 400,
  'OPTIONS is a preflight': ({ method }, ours) => method === 'OPTIONS' && ours.status === 204,
  'Compressed bodies are read': ({ headers }) => headers['content-encoding'] !== undefined,
  'Deep nesting is refused': (_, ours) => messageOf(ours) === 'Body is nested deeper than 500 levels',
  'Bounds apply to infinite numbers': ({ method, target }, ours) =>
    target.includes('1e400') &&
    (/\/(?:limit|offset|version) must be [<>]= /.test(messageOf(ours)) || (method === 'HEAD' && ours.status === 400)),
  'Bytes that are not UTF-8 are refused': ({ headers }, ours, theirs) =>
    headers['transfer-encoding'] !== undefined &&
    Object(ours.body).code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' &&
    (theirs.status === 200 || Object(theirs.body).code !== Object(ours.body).code),
  'An empty body is not a body where a route takes none': ({ method, target, body }, _, theirs) =>
    (method === 'DELETE' || target.includes('/cancel')) &&
    !body &&
    /^FST_ERR_CTP_(?:EMPTY|INVALID_MEDIA)/.test(Object(theirs.body).code),
};

async function listen(without?: Setting): Promise<FastifyInstance> {
  const oracle = createOracle(without);
  onTestFinished(() => oracle.close());
  await oracle.listen({ port: 0, host: '127.0.0.1' });
  return oracle;
}

const describeRequest = ({ method, target, headers, body }: WireRequest) =>
  `${method} ${target.slice(0, 300)} ${JSON.stringify(headers)} ${body?.toString().slice(0, 300) ?? ''}`;

test('the documentation names every exception and every setting', () => {
  const page = readFileSync(new URL('../../../docs/fidelity.md', import.meta.url), 'utf8');

  const missing = [...Object.keys(EXCEPTIONS), ...Object.keys(SETTINGS)].filter(
    (name) => !page.includes(`- **${name}**`),
  );

  expect(missing).toEqual([]);
});

test(`a real Fastify 4 gives the same response to each odd request and to ${REQUESTS} random ones`, async () => {
  const emulator = await emulate(wireFixtures);
  const oracle = await listen();
  const hits = new Map(Object.keys(EXCEPTIONS).map((name) => [name, 0]));
  const requests = new WireRequests(new Rng(`wire-${SEED}`), emulator);
  const odd = requests.listOdd();
  expect(odd.length).toBeGreaterThan(100);
  for (let sent = 0; sent < odd.length + REQUESTS; sent++) {
    if (sent % ROUND === 0) emulator.reset();
    const request = odd[sent] ?? requests.next();
    const [ours, theirs] = await Promise.all([sendToEmulator(emulator, request), sendToFastify(oracle, request)]);
    if (theirs.status === 200 ? isHandled(request, ours) : isDeepStrictEqual(ours, theirs)) continue;
    const name = Object.keys(EXCEPTIONS).find((each) => EXCEPTIONS[each]?.(request, ours, theirs));
    expect(name ?? ours, `${describeRequest(request)} (request ${sent}, SEED=${SEED})`).toEqual(name ?? theirs);
    if (name) hits.set(name, (hits.get(name) ?? 0) + 1);
  }
  expect([...hits].filter(([, count]) => count === 0)).toEqual([]);
});

describe('a Fastify with settings', () => {
  test.each(Object.entries(SETTINGS) as [Setting, (typeof SETTINGS)[Setting]][])(
    '%s',
    async (setting, { method, url: target, ...rest }) => {
      const { headers = {}, body = undefined } = 'body' in rest ? rest : {};
      const request = {
        method,
        target,
        headers: { ...headers, authorization: 'Bearer ada token' },
        body: body && Buffer.from(body),
        isRaw: false,
      };
      const [ours, theirs, others] = await Promise.all([
        sendToEmulator(await emulate(wireFixtures), request),
        sendToFastify(await listen(), request),
        sendToFastify(await listen(setting), request),
      ]);
      expect(others).not.toEqual(theirs);
      if (theirs.status === 200) expect(isHandled(request, ours)).toBe(true);
      else expect(ours).toEqual(theirs);
    },
  );
});
