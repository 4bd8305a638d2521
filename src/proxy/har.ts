import { packageVersion } from '../lib/package.js';
import { parseTarget } from '../lib/target.js';
import type { Secrets } from '../remote/secrets.js';
import { decodeBody, type Exchange, findHeader, type HeaderList, type Message } from './exchange.js';
import { Recording } from './recording.js';

/** Bytes of a body in a recording. */
const MAX_BODY_BYTES = 1024 * 1024;

/** A recording of HTTP traffic in HAR 1.2, without secrets. Source: http://www.softwareishard.com/blog/har-12-spec/ */
export class HarRecording extends Recording<object> {
  readonly #upstream: string;
  readonly #secrets: Secrets;

  constructor(upstream: string, secrets: Secrets) {
    super();
    this.#upstream = upstream;
    this.#secrets = secrets;
  }

  add(exchange: Exchange): void {
    this.keep(this.#toEntry(exchange));
  }

  /** Replaces also what later requests have taught. */
  *format(): Generator<string> {
    const creator = { name: 'val-emulator', version: packageVersion() };
    const head = JSON.stringify({ log: { version: '1.2', creator, entries: [] } });
    yield `${head.slice(0, -3)}\n`;
    for (const [i, entry] of this.entries.entries()) {
      const clean = (_: string, value: unknown) =>
        typeof value === 'string' ? this.#secrets.redactKnown(value) : value;
      yield `${i === 0 ? '' : ',\n'}${JSON.stringify(entry, clean)}`;
    }
    yield '\n]}}\n';
  }

  #toEntry({ startedAt, method, target, request, response, wait, receive }: Exchange): object {
    const url = this.#secrets.redact(this.#upstream + target);
    const type = findHeader(request.headers, 'content-type');
    const sent = this.#readBody(request);
    const received = this.#readBody(response);
    return {
      startedDateTime: startedAt.toISOString(),
      time: wait + receive,
      request: {
        ...{ method, url, httpVersion: 'HTTP/1.1', cookies: [], headers: this.#listHeaders(request.headers) },
        queryString: [...parseTarget(url).query].map(([name, value]) => ({ name, value })),
        ...(request.size > 0 && { postData: { mimeType: type ?? '', ...sent } }),
        ...{ headersSize: -1, bodySize: request.size },
      },
      response: {
        ...{ status: response.status, statusText: response.statusText, httpVersion: 'HTTP/1.1', cookies: [] },
        headers: this.#listHeaders(response.headers),
        content: {
          size: response.size,
          mimeType: findHeader(response.headers, 'content-type') ?? 'x-unknown',
          ...(response.size > 0 && received),
        },
        redirectURL: this.#secrets.redact(findHeader(response.headers, 'location') ?? ''),
        ...{ headersSize: -1, bodySize: response.size },
      },
      cache: {},
      timings: { send: 0, wait, receive },
    };
  }

  #listHeaders(headers: HeaderList): object[] {
    return headers.map(([name, value]) => ({ name, value: this.#secrets.redactHeader(name, value) }));
  }

  #readBody(message: Message): { readonly text: string } | { readonly comment: string } {
    const bytes = decodeBody(message);
    const text = bytes?.toString('utf8');
    if (bytes === undefined || text === undefined || bytes.length > MAX_BODY_BYTES) {
      return { comment: `left out: ${message.size} bytes` };
    }
    // A file of another kind may hide a secret from a search.
    if (text.includes('\ufffd')) return { comment: `left out: ${message.size} bytes that are no text` };
    return { text: this.#secrets.redactBody(text, findHeader(message.headers, 'content-type')) };
  }
}
