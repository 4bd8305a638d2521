import { isDeepStrictEqual } from 'node:util';
import { parseJsonIfValid } from '#engine/lib/json.js';
import { isObject } from '#engine/lib/objects.js';
import type { Case } from '#tools/conformance/case.js';
import { CASES } from '#tools/conformance/cases/index.js';
import { checkConformance } from '#tools/conformance/index.js';
import { ServiceError } from '#tools/conformance/remote-service.js';
import { routes } from '#vals/service/all.routes.js';
import type { Emulator } from '../../../src/index.js';
import { PATIENCE } from '../../support/patience.js';
import type { Plant, Reply, Sender } from './plants.js';
import { addRecords, SCOPED_TOKENS, TOKENS } from './target.js';

const PATTERNS = [...routes, { name: 'POST /v3/mcp', method: 'POST', path: '/v3/mcp' }].map(
  ({ name, method, path }) => ({
    name,
    method,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
  }),
);

const SENDERS: Readonly<Record<string, Sender>> = {
  [TOKENS.token]: 'author',
  [TOKENS.secondToken]: 'other',
  [SCOPED_TOKENS.limitedToken]: 'limited',
  [SCOPED_TOKENS.readerToken]: 'reader',
};

function findSender(authorization: string | null): Sender {
  if (authorization === null) return 'anonymous';
  const token = authorization.replace(/^bearer /i, '');
  return SENDERS[token] ?? 'unknown';
}

async function toReply(response: Response): Promise<Reply> {
  const { status, headers } = response;
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = bytes.toString();
  const json = parseJsonIfValid(text);
  const isJson = json !== undefined && JSON.stringify(json) === text;
  return { status, headers: Object.fromEntries(headers), body: isJson ? json : bytes.length > 0 ? bytes : undefined };
}

function toResponse({ status, headers, body }: Reply): Response {
  const content = body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
  return new Response(content ?? null, { status, headers });
}

/**
 * Runs cases of conformance against an emulator with a plant in front of it.
 * @param cases default: all
 * @returns how many requests or responses the plant has changed, and the ids of the cases that failed
 */
export async function checkPlanted(emulator: Emulator, plant: Plant, cases: readonly Case[] = CASES) {
  let fired = 0;
  const count = (isChanged: boolean) => void (isChanged && fired++);
  const planted = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input));
    const isMet = plant.isEverywhere
      ? plant.method === undefined || plant.method === init.method
      : PATTERNS.some(
          ({ name, method, pattern }) =>
            name === plant.route && (plant.method ?? method) === init.method && pattern.test(url.pathname),
        );
    if (!isMet) return emulator.fetch(input, init);
    const sent = typeof init.body === 'string' ? parseJsonIfValid(init.body) : undefined;
    const changed = plant.toRequest && isObject(sent) ? plant.toRequest(sent) : sent;
    count(!isDeepStrictEqual(changed, sent));
    const send = (headers: Headers, method = init.method ?? 'GET', to: string = String(input)) =>
      emulator.fetch(to, { ...init, method, headers, ...(changed !== undefined && { body: JSON.stringify(changed) }) });
    const headers = new Headers(init.headers);
    const sender = findSender(headers.get('authorization'));
    const before = plant.isUndone && emulator.snapshot('before');
    const response = await send(headers);
    const reply = await toReply(response.clone());
    if (before) {
      emulator.restore(before);
      if (reply.status < 300) fired++;
    }
    const asAuthor = async (method?: string, target?: string) => {
      headers.set('authorization', `Bearer ${TOKENS.token}`);
      return toReply(await send(headers, method, target));
    };
    const request = { url, headers: new Headers(init.headers), sender, body: sent, asAuthor };
    const found = (await plant.toReply?.(reply, request)) ?? reply;
    if (isDeepStrictEqual(found, reply)) return response;
    fired++;
    return toResponse(found);
  };
  emulator.reset();
  await addRecords(emulator);
  try {
    const { entries } = await checkConformance({
      ...{ ...TOKENS, ...SCOPED_TOKENS, url: emulator.url, level: 'email', timeout: PATIENCE, fetch: planted, cases },
    });
    const failed = entries.filter(({ outcome }) => outcome === 'failed' || outcome === 'different');
    return { fired, failed: failed.map(({ id }) => id) };
  } catch (error) {
    // Without a usable GET /v1/me there is no run.
    if (error instanceof ServiceError && plant.route === 'GET /v1/me')
      return { fired, failed: [`getMe/${error.message}`] };
    throw error;
  }
}

/** What the ids of the cases of each operation begin with, and of the standard modules. */
const PREFIXES = new Map([
  ['standard', 'standard/'],
  ...CASES.filter(({ route }) => route !== '*').map(({ route, id }): [string, string] => [
    route,
    `${id.split('/')[0]}/`,
  ]),
]);

/** Whether a case names an operation. */
export const names = (id: string, route: string): boolean => id.startsWith(PREFIXES.get(route) ?? '/');

/** The cases that name the operation of a plant, and others that end with a request to it. */
export const casesOf = ({ route, method: changed }: Plant): readonly Case[] =>
  CASES.filter(({ id, act }) => {
    const [method, target = ''] = (typeof act === 'string' ? act : act.send).split(' ');
    if (changed !== undefined && changed !== method) return false;
    const path = target.replaceAll(/\{[^}]*\}/g, 'x').replace(/\?.*/, '');
    const hit = PATTERNS.find((each) => each.method === method && each.pattern.test(path));
    return names(id, route) || ((hit?.name ?? '*') === route && id.startsWith('general/'));
  });
