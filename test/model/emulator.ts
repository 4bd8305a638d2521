import { inspect, isDeepStrictEqual } from 'node:util';
import type { Sandbox } from '../../src/index.js';
import type { Operation } from './control.js';
import { findMethod, type Method } from './methods.js';
import { OPERATIONS } from './operations.js';
import { type Expected, matchPath } from './request.js';

/** In place of a status, where a method is called. */
export const [RETURNED, THREW] = [1, 2];
export const ANY = Symbol('any body');

/** Without what depends on the machine. */
export function comparable(noun: string, body: unknown): unknown {
  if (noun === 'rewind' && body !== undefined) return { commits: Object(body).commits };
  if (body === undefined || (noun !== 'history' && noun !== 'requests')) return body;
  const isRecord = (key: string) =>
    [
      'duration',
      'outcome',
      'delay',
      'request',
      'response',
      'message',
      'suggestion',
      'reason',
      'program',
      'rows',
    ].includes(key);
  return JSON.parse(JSON.stringify(body), (key, value) => {
    if (noun === 'requests' && isRecord(key)) return undefined;
    // The first ones, with texts for people, which the model does not write.
    if (noun === 'history' && key === 'changes') return undefined;
    return value;
  });
}

export function compare(title: string, expected: Expected, actual: Actual, now?: number): void {
  const complaint = (what: string, wanted: unknown, found: unknown) =>
    new Error(`${title}\n${what}: the model has ${inspect(wanted, DEEP)}\nthe emulator ${inspect(found, DEEP)}`);
  const wanted =
    JSON.stringify(expected.body) === undefined ? expected.body : JSON.parse(JSON.stringify(expected.body));
  if (expected.status !== actual.status) throw complaint('status', expected, actual);
  if (expected.body !== ANY && !fits(wanted, actual.body)) throw complaint('body', wanted, actual.body);
  const headers = { ...expected.headers, ...(now !== undefined && { date: new Date(now).toUTCString() }) };
  for (const [name, value] of Object.entries(headers)) {
    const found = actual.headers?.get(name) ?? null;
    if (actual.status !== 0 && found !== value) throw complaint(name, value, found);
  }
}
const DEEP = { depth: 9, breakLength: 120 };

/** An error without a message stands for one with any. */
export function fits(expected: unknown, actual: unknown): boolean {
  const isLoose = Object(expected).statusCode !== undefined && Object(expected).message === undefined;
  if (!isLoose) return isDeepStrictEqual(expected, actual);
  const { message, code: _code, ...rest } = Object(actual);
  return typeof message === 'string' && isDeepStrictEqual(expected, rest);
}

export interface Actual {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Headers;
}

/** The response of a fetch; status 0 for a connection that broke off. */
export async function read(fetch: Sandbox['fetch'], address: string, init: RequestInit): Promise<Actual> {
  const response = await fetch(address, init).catch((error: unknown) => {
    if (error instanceof TypeError && error.message === 'fetch failed') return undefined;
    throw error;
  });
  if (!response) return { status: 0 };
  const { status, headers } = response;
  const text = await response.text();
  const isJson = headers.get('content-type') === 'application/json; charset=utf-8';
  return { status, headers, ...(text !== '' && { body: isJson ? JSON.parse(text) : text }) };
}

/** Finds the operation of the table that an operation of the model is. */
function findOperation({ method, path, body = {} }: Operation) {
  const address = `/_emulator/${path}`;
  const isMeant = ({ adds }: (typeof OPERATIONS)[number]) =>
    (path === 'records') === (adds !== undefined && adds in body);
  const found = OPERATIONS.find((each) => each.method === method && matchPath(each.path, address) && isMeant(each));
  if (!found) throw new Error(`there is no operation ${method} ${address}`);
  return { ...found, values: matchPath(found.path, address) ?? [] };
}

const LIST_REQUESTS: Method = { run: (sandbox) => sandbox.requests() };

export function findMethodOf(operation: Operation): Method | undefined {
  const found = findOperation(operation);
  // Its filters are other values than those of the query, but none is the same.
  return found.id === 'listRequests' ? LIST_REQUESTS : findMethod(found);
}

/** Calls the method that does the same as a request. */
export async function byMethod(sandbox: Sandbox, { run }: Method, operation: Operation): Promise<Actual> {
  const { path, values } = findOperation(operation);
  const params = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name], i) => [name, values[i]]));
  const { body = {} } = operation;
  // Running on in between, as the clock of the machine must leave no trace.
  if (typeof body.freeze === 'string' && body.freeze !== 'later') sandbox.clock.resume();
  try {
    const returned = await run(sandbox, { ...params, ...body });
    return { status: RETURNED, body: JSON.parse(JSON.stringify(returned ?? null)) ?? undefined };
  } catch {
    return { status: THREW };
  }
}
