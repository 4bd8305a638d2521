import { inspect, isDeepStrictEqual } from 'node:util';
import type { Sandbox } from '../../src/index.js';
import type { Operation } from './control.js';
import type { Json } from './records.js';
import type { Expected } from './request.js';

/** In place of a status, where a method is called. */
export const [RETURNED, THREW] = [1, 2];
export const ANY = Symbol('any body');

/** Without what depends on the machine; in the order of the model. */
export function comparable(noun: string, body: unknown): unknown {
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
    // Texts for people, which the model does not write.
    if (noun === 'history' && key === 'names') return undefined;
    return ['added', 'changed', 'removed'].includes(key) ? value.sort() : value;
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

/** A call of a method in place of a request. */
export async function byMethod(sandbox: Sandbox, { method, path, body = {} }: Operation): Promise<Actual> {
  try {
    return {
      status: RETURNED,
      body: JSON.parse(JSON.stringify(call(sandbox, method, path, body) ?? null)) ?? undefined,
    };
  } catch {
    return { status: THREW };
  }
}

function call(sandbox: Sandbox, method: string, path: string, { ...body }: Json): unknown {
  const [noun = '', name = '', verb] = path.split('/').map(decodeURIComponent);
  const { add, clock } = sandbox;
  // The methods take the bodies of requests; what does not fit is theirs to refuse.
  const given = JSON.parse(JSON.stringify(body));
  const { route = '*', ...fault } = given;
  switch (`${method} ${noun}`) {
    case 'POST users':
      return add.user(given);
    case 'POST tokens':
      return add.token(given);
    case 'POST vals':
      return add.val(given);
    case 'POST runs':
      return add.run(given);
    case 'POST likes':
      return add.like(given);
    case 'POST comments':
      return add.comment(given);
    case 'POST reset':
      return sandbox.reset();
    case 'GET users':
      return sandbox.users;
    case 'GET state':
      return sandbox.exportState();
    case 'PUT clock':
      return moveClock(clock, body);
    case 'GET clock':
      return clock.read();
    case 'GET faults':
      return sandbox.faults();
    case 'POST faults':
      return sandbox.fail(route, fault);
    case 'DELETE faults':
      return sandbox.disarm(name === '' ? undefined : name);
    case 'GET snapshots':
      return sandbox.snapshots();
    case 'POST snapshots':
      if (verb === 'restore') return sandbox.restore(name);
      sandbox.snapshot(String(body.name));
      return sandbox.snapshots().find((each) => each.name === body.name);
    case 'DELETE snapshots':
      return sandbox.dropSnapshot(name);
    case 'GET history':
      return sandbox.history();
    case 'POST rewind':
      return sandbox.rewind(typeof body.steps === 'number' ? body.steps : String(body.before));
    default:
      return sandbox.requests();
  }
}

function moveClock(clock: Sandbox['clock'], { freeze, set, advance }: Json): unknown {
  // Running on in between, as the clock of the machine must leave no trace.
  if (typeof freeze === 'string' && freeze !== 'later') clock.resume();
  if (freeze !== undefined) return freeze === true ? clock.freeze() : clock.freeze(String(freeze));
  return advance === undefined
    ? clock.set(String(set))
    : clock.advance(typeof advance === 'number' ? advance : String(advance));
}
