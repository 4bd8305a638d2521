import { setImmediate } from 'node:timers/promises';
import type supertest from 'supertest';
import { expect } from 'vitest';
import type { Emulator } from '../../src/index.js';

type Fetch = Emulator['fetch'];
/** A response, with the names of supertest. */
type Read = Pick<supertest.Response, 'status' | 'ok' | 'headers' | 'type' | 'body' | 'text'>;

const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain',
};

/** A request that is sent when it is awaited. */
class Sending implements PromiseLike<Read> {
  readonly #fetch: Fetch;
  readonly #method: string;
  readonly #headers: Headers;
  readonly #checks: ((response: Read) => void)[] = [];
  #path: string;
  #body: unknown;
  #read: Promise<Read> | undefined;

  constructor(fetch: Fetch, method: string, path: string, headers: Headers) {
    this.#fetch = fetch;
    this.#method = method;
    this.#path = path;
    this.#headers = new Headers(headers);
  }

  set(name: string | Readonly<Record<string, string | undefined>>, value?: string): this {
    const headers = typeof name === 'string' ? { [name]: value } : name;
    for (const [each, text] of Object.entries(headers)) if (text !== undefined) this.#headers.set(each, text);
    return this;
  }

  type(type: string): this {
    return this.set('content-type', TYPES[type] ?? type);
  }

  /** Undefined values are left out. */
  query(query: string | object): this {
    const defined =
      typeof query === 'string' ? query : Object.entries(query).filter(([, value]) => value !== undefined);
    const text = String(new URLSearchParams(defined));
    if (text !== '') this.#path += `${this.#path.includes('?') ? '&' : '?'}${text}`;
    return this;
  }

  /** @param body a string and bytes are sent as they are, any other value as JSON */
  send(body?: unknown): this {
    this.#body = body;
    return this;
  }

  expect(status: number, body?: unknown): this {
    // Made here, so that it names the line of the test.
    const error = new Error();
    this.#checks.push((read) => {
      error.message = `expected ${status}, found ${read.status}: ${read.text}`;
      if (read.status !== status) throw error;
      if (body !== undefined) expect(read.body).toEqual(body);
    });
    return this;
  }

  // biome-ignore lint/suspicious/noThenProperty: a request is sent when it is awaited
  then<A = Read, B = never>(
    onRead?: ((response: Read) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#read ??= this.#send();
    return this.#read.then(onRead, onError);
  }

  async #send(): Promise<Read> {
    const body = this.#body;
    const isPlain = typeof body === 'string' || body instanceof Uint8Array;
    if (body !== undefined && !this.#headers.has('content-type')) this.type(isPlain ? 'form' : 'json');
    // As a socket does: a loop of requests must not keep timers and threads from running.
    await setImmediate();
    const response = await this.#fetch(this.#path, {
      method: this.#method,
      headers: this.#headers,
      redirect: 'manual',
      ...(body !== undefined && { body: isPlain ? Buffer.from(body) : JSON.stringify(body) }),
    });
    const read = await readResponse(response);
    for (const check of this.#checks) check(read);
    return read;
  }
}

async function readResponse(response: Response): Promise<Read> {
  const headers = Object.fromEntries(response.headers);
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  const bytes = Buffer.from(await response.arrayBuffer());
  const isText = bytes.length === 0 || /json|text|xml|javascript/.test(type);
  const text = isText ? String(bytes) : '';
  const isJson = type.endsWith('json') && text !== '';
  const body = isJson ? JSON.parse(text) : isText ? {} : bytes;
  return { status: response.status, ok: response.ok, headers, type, body, text };
}

/** Sends requests by `fetch` of an emulator, which takes an eighth of the time of a socket. test/transports.test.ts compares both. */
export class Client {
  readonly #fetch: Fetch;
  readonly #headers = new Headers();

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  /** Sets a header of each request. */
  set(name: string, value: string): this {
    this.#headers.set(name, value);
    return this;
  }

  get = this.#sendBy('GET');
  post = this.#sendBy('POST');
  put = this.#sendBy('PUT');
  patch = this.#sendBy('PATCH');
  delete = this.#sendBy('DELETE');
  head = this.#sendBy('HEAD');
  options = this.#sendBy('OPTIONS');

  #sendBy(method: string) {
    return (path: string): Sending => new Sending(this.#fetch, method, path, this.#headers);
  }
}
