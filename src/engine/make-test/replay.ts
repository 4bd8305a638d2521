import { findCallError, findTool, readMessageText } from '../api/tool-route.js';
import { isWhole } from '../journal/bodies.js';
import { type Exchange, exchangeId } from '../journal/exchange.js';
import { parseBody, RequestContent } from '../journal/request-content.js';
import { encodeBase64 } from '../lib/base64.js';
import { parseJsonIfValid } from '../lib/json.js';
import { isObject } from '../lib/objects.js';
import { formatStatus } from '../lib/reasons.js';
import {
  type ArmedFault,
  type Body,
  bodyName,
  mapPattern,
  type NewId,
  type Pattern,
  type Place,
  type Step,
  Template,
  Varying,
} from './step.js';

/** An emulator for requests that are sent again. */
interface OtherEmulator {
  readonly store: {
    readonly state: { readonly settings: object };
    update(change: (draft: { randomSequence: number }) => void): void;
  };
  readonly fetch: typeof fetch;
  fail(route: string, effect: object): unknown;
  close(): Promise<void>;
}

/** Starts an emulator that does not listen. */
export type StartEmulator = (options: object) => Promise<OtherEmulator>;

interface ReplayOptions {
  readonly start: StartEmulator;
  /** Options of the emulator, apart from its fixtures. */
  readonly options: object;
}

/** What a test has of requests. */
export interface Replayed {
  readonly steps: readonly Step[];
  /** Why it does not expect all that was recorded. */
  readonly notes: readonly string[];
}

/** In links, so that they differ from the recorded ones, as they will differ in the test. Source: RFC 2606, section 2 */
const OTHER_URL = 'http://emulator.invalid';
/** How far the ids are drawn, so that new ones differ as well. */
const OTHER_IDS = 1_000_000;

/** Sends requests again, and returns them as steps. @param exchanges the oldest first */
export async function replay(
  exchanges: readonly Exchange[],
  fixtures: object,
  { start, options }: ReplayOptions,
): Promise<Replayed> {
  const emulator = await start({ ...options, fixtures, publicUrl: OTHER_URL });
  emulator.store.update((draft) => {
    draft.randomSequence += OTHER_IDS;
  });
  const writer = new StepWriter();
  try {
    for (const exchange of exchanges) await writer.send(exchange, emulator);
  } finally {
    await emulator.close();
  }
  return { steps: writer.steps, notes: writer.notes };
}

interface Response {
  /** 0 for a connection that was reset. */
  readonly status: number;
  readonly text: string;
}

const KEPT_HEADERS = /^(?:authorization|content-type|accept|mcp-(?:protocol-version|method|name)|x-emulator-fault)$/;
/** Methods with which `fetch` sends no body. */
const WITHOUT_BODY = /^(?:GET|HEAD)$/;
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;

/** The headers that matter to the emulator, without the client's own. */
const selectHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name, value]) => KEPT_HEADERS.test(name) && value !== '*/*'));

/** Returns what arms the fault of a response that no route gives. Undefined for others, and for a fault of a header. */
function toFault({ fault, status, error, route }: Exchange): ArmedFault | undefined {
  const isInjected = (fault ?? '').startsWith('f') && (status === 0 || status >= 400);
  if (route === null || !(isInjected || error !== null || (status === 429 && fault === null))) return undefined;
  return { route, effect: status === 0 ? { reset: true, times: 1 } : { status, times: 1 } };
}

class StepWriter {
  readonly notes: string[] = [];
  /** New ids by the text that was recorded, and what the other emulator has in its place. */
  readonly #ids = new Map<string, { readonly id: NewId; readonly replayed: string }>();
  readonly #used = new Set<NewId>();
  readonly #steps: Step[] = [];

  /** The steps, with the ids that later ones use. */
  get steps(): readonly Step[] {
    return this.#steps.map((step) => ({ ...step, newIds: step.newIds.filter((id) => this.#used.has(id)) }));
  }

  async send(exchange: Exchange, emulator: OtherEmulator): Promise<void> {
    const { method, target, route, requestBody } = exchange;
    const id = exchangeId(exchange);
    const fault = toFault(exchange);
    const headers = selectHeaders(new RequestContent(exchange).headers);
    const body = WITHOUT_BODY.test(method) ? undefined : toBody(requestBody, headers);
    if (!isWhole(requestBody)) this.notes.push(`${id}: the journal has only a part of its body.`);
    if (fault) emulator.fail(fault.route, fault.effect);
    const response = await send(emulator, this.#replay(target), {
      ...{ method, headers },
      body: toBytes(body, (text) => this.#replay(text)),
    });
    const isCall = findTool(route) !== undefined;
    // Other messages of the protocol get what the emulator itself has, such as its version.
    const isProtocol = isCall || exchange.message !== null;
    const json = readMessageText(response.text);
    const message = isProtocol ? (findCallError(json) ?? null) : null;
    const recordedStatus = formatStatus(exchange);
    const replayedStatus = formatStatus({ status: response.status, message });
    const isSame = recordedStatus === replayedStatus;
    const comment = isSame ? undefined : `It responded ${recordedStatus} when it was recorded.`;
    if (comment !== undefined)
      this.notes.push(`${id}: it responded ${recordedStatus}, and ${replayedStatus} in the test.`);
    const path = this.#write(target);
    const sent = body && this.#writeBody(body);
    const newIds: NewId[] = [];
    const result = parseBody(exchange.responseBody);
    const replied = parseJsonIfValid(isProtocol ? json : response.text);
    // The journal has the result of a call without the message around it.
    const recorded = isCall && isObject(replied) && 'result' in replied ? { ...replied, result } : result;
    const isCompared = isSame && !fault && isWhole(exchange.responseBody) && isParsed(recorded) && isParsed(replied);
    const expected = isCompared
      ? this.#compare(id, recorded, replied, { body: bodyName(id), keys: [] }, newIds)
      : undefined;
    this.#steps.push({
      ...{ id, title: route ?? `${method} ${target}`, comment, fault, method, path, headers, body: sent },
      ...{ status: response.status, isStream: response.text !== json, expected, newIds },
    });
  }

  /** Replaces ids by the ids of the other emulator. */
  #replay(text: string): string {
    return [...this.#ids].reduce((replaced, [id, { replayed }]) => replaced.replaceAll(id, replayed), text);
  }

  /** Replaces new ids by variables. */
  #write(text: string): string | Template {
    const found = [...this.#ids].filter(([id]) => text.includes(id));
    if (found.length === 0) return text;
    const parts = text.split(new RegExp(`(${found.map(([id]) => id).join('|')})`));
    return new Template(
      parts
        .filter((part) => part !== '')
        .map((part) => {
          const id = this.#ids.get(part)?.id;
          if (id) this.#used.add(id);
          return id ?? part;
        }),
    );
  }

  #writeBody(body: NonNullable<Body>): Body {
    if ('base64' in body) return body;
    const write = (part: unknown) => (typeof part === 'string' ? this.#write(part) : part);
    if ('json' in body) return { json: mapPattern(body.json, write) };
    return typeof body.text === 'string' ? { text: this.#write(body.text) } : body;
  }

  /** Returns what the test expects of a value: the same where both emulators agree. */
  #compare(id: string, value: unknown, other: unknown, place: Place, newIds: NewId[]): Pattern {
    if (Array.isArray(value) && Array.isArray(other)) {
      if (value.length !== other.length) {
        this.notes.push(`${id}: a list has ${value.length} items, and ${other.length} in the test.`);
        return new Varying('list', place);
      }
      return value.map((each, index) => this.#compare(id, each, other[index], at(place, index), newIds));
    }
    if (isObject(value) && isObject(other)) {
      const fields = Object.entries(value).map(
        ([name, field]) => [name, this.#compare(id, field, other[name], at(place, name), newIds)] as const,
      );
      return Object.fromEntries(fields);
    }
    if (typeof value === 'string' && this.#ids.has(value)) return this.#write(value);
    if (value === other) return value;
    if (typeof value === 'number' && typeof other === 'number') return new Varying('number', place);
    if (typeof value !== 'string' || typeof other !== 'string') return new Varying('any', place);
    if (UUID.test(value) && UUID.test(other)) {
      const made = { name: `id${this.#ids.size + 1}`, ...place };
      this.#ids.set(value, { id: made, replayed: other });
      newIds.push(made);
    }
    return new Varying('string', place);
  }
}

const at = ({ body, keys }: Place, key: string | number): Place => ({ body, keys: [...keys, key] });

const isParsed = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** JSON apart from the spaces between its tokens. */
const withoutSpaces = (json: string): string => json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');

/** Returns a body as a test sends it: JSON only if a program would write it so, since some is refused as it was written. */
function toBody(body: Exchange['requestBody'], headers: Readonly<Record<string, string>>): Body {
  if (body === undefined) return undefined;
  const type = headers['content-type'];
  // `fetch` adds a content type to a string body.
  if (typeof body !== 'string' || type === undefined) return { base64: encodeBase64(Buffer.from(body)) };
  const value = parseJsonIfValid(body);
  const isJson = isParsed(value) && /json/i.test(type) && !body.includes('__proto__');
  return isJson && JSON.stringify(value) === withoutSpaces(body) ? { json: value } : { text: body };
}

function toBytes(body: Body, replay: (text: string) => string): string | Uint8Array<ArrayBuffer> | null {
  if (body === undefined) return null;
  if ('base64' in body) return new Uint8Array(Buffer.from(body.base64, 'base64'));
  if ('json' in body) return replay(JSON.stringify(body.json));
  return typeof body.text === 'string' ? replay(body.text) : null;
}

/** Sends a request. The status is 0 for a connection that was reset. */
async function send(emulator: OtherEmulator, path: string, init: RequestInit): Promise<Response> {
  try {
    const response = await emulator.fetch(path, init);
    const text = await response.text().catch(() => '');
    return { status: response.status, text };
  } catch {
    return { status: 0, text: '' };
  }
}
