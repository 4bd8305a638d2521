import { Rng } from '#engine/lib/rng.js';
import type { Fetch } from '../support/views.js';
import { type GeneratorOptions, type RandomRequest, RequestGenerator, toText } from './generator.js';

/** What no two responses have alike, however the same they are. */
const VARYING = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

/** Headers of a control response that a socket encodes. In process it stays plain. */
const ENCODED = new Set(['content-encoding', 'etag', 'cache-control']);

function showHeaders(target: string, headers: Headers): Record<string, string> {
  const isControl = target.startsWith('/_emulator');
  return Object.fromEntries(
    [...headers].flatMap(([name, value]) => {
      if (VARYING.has(name) || (isControl && ENCODED.has(name))) return [];
      const shown = isControl && name === 'vary' ? value.replace(/(?:^|, )Accept-Encoding$/, '') : value;
      return shown === '' ? [] : [[name, shown]];
    }),
  );
}

/** Makes the target and the options of a fetch. */
export function toFetch({ operation, path, query, body, token }: RandomRequest) {
  const { method, bodyType } = operation;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const isRepeated = Array.isArray(value) && operation.query.properties?.[name]?.type === 'array';
    for (const each of isRepeated ? value : [value]) search.append(name, toText(each).toWellFormed());
  }
  const isJson = body !== undefined && bodyType !== 'bytes';
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(isJson && { 'content-type': 'application/json' }),
  };
  const sent = isJson ? JSON.stringify(body) : body;
  const target = path + (search.size > 0 ? `?${search}` : '');
  return { target, init: { method, headers, ...(typeof sent === 'string' && { body: sent }) } };
}

/** A response, or an error of the connection. */
export interface Outcome {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

export async function sendByFetch(fetch: Fetch, request: RandomRequest): Promise<Outcome> {
  const { target, init } = toFetch(request);
  try {
    const response = await fetch(target, init);
    const headers = showHeaders(target, response.headers);
    const text = await response.text();
    return { status: response.status, headers, text };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { status: 0, headers: {}, text: `${error}` };
  }
}

/** What the control API says of the way itself: the program, the headers that a transport adds, and times of the machine. */
const OWN =
  /"(?:sandbox|folder|program|host|connection|accept|accept-(?:language|encoding)|sec-fetch-mode|user-agent|x-emulator-sandbox|content-length|duration|outcome)":(?:"[^"]*"|[\d.e-]+|null),?/g;

/** Which requests are near a duration, in a message: the clock of the machine decides. */
const NEAR_DURATION = /( with duration (?:[^"\\]|\\.)*?\\nNear misses:)(?:[^"\\]|\\.)*/g;

/** Drops what two ways of a request differ in. @param base what addresses begin with */
export const withoutWay = (text: string, base = ''): string =>
  text.replaceAll(base, '').replace(OWN, '').replace(NEAR_DURATION, '$1').replaceAll(',}', '}');

export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends random requests to an emulator, by one seed the same. */
export class RandomClient {
  readonly #fetch: Fetch;
  readonly #generator: RequestGenerator;
  #isReady = false;

  constructor(fetch: Fetch, seed: number | string, options?: GeneratorOptions) {
    this.#fetch = fetch;
    this.#generator = new RequestGenerator(new Rng(seed), options);
  }

  /** Sends requests one after the other, and returns each with its response as a line. */
  async run(count: number): Promise<string[]> {
    if (!this.#isReady) this.#generator.learnState(Object(await (await this.#fetch('/_emulator/state')).json()));
    this.#isReady = true;
    const lines: string[] = [];
    for (let sent = 0; sent < count; sent++) {
      const request = this.#generator.next();
      const { status, headers, text } = await sendByFetch(this.#fetch, request);
      this.#generator.learn(request, status, parse(text));
      const { target, init } = toFetch(request);
      const about = [request.token, init.method, target, init.body].join(' ');
      lines.push(`${about} -> ${status} ${JSON.stringify(headers)} ${withoutWay(text)}`);
    }
    return lines;
  }
}
