import { decodeText } from '../../lib/base64.js';
import { packageVersion } from '../../lib/package.js';
import type { Redactor } from '../../lib/redactor.js';
import { parseTarget } from '../../lib/target.js';
import { decodeBody, findHeader, type HeaderList, type Message, type ProxiedExchange } from './messages.js';

/** Bytes of a body in a recording. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Characters of all entries of a recording. */
const MAX_LENGTH = 100 * 1024 * 1024;

/**
 * A recording of HTTP traffic in HAR 1.2, without secrets. It is in memory, so that a secret of a later request is replaced in
 * earlier ones too. Source: http://www.softwareishard.com/blog/har-12-spec/
 */
export class HarRecording {
  /** Requests beyond the limit of the recording. */
  skipped = 0;
  readonly #upstream: string;
  readonly #redactor: Redactor;
  readonly #entries: object[] = [];
  #length = 0;

  constructor(upstream: string, redactor: Redactor) {
    this.#upstream = upstream;
    this.#redactor = redactor;
  }

  get count(): number {
    return this.#entries.length;
  }

  add(exchange: ProxiedExchange): void {
    const entry = this.#toEntry(exchange);
    const { length } = JSON.stringify(entry);
    if (this.#length + length > MAX_LENGTH) return void this.skipped++;
    this.#length += length;
    this.#entries.push(entry);
  }

  /** Formats the recording, without secrets that only later requests have shown. */
  *format(): Generator<string> {
    const creator = { name: 'val-emulator', version: packageVersion() };
    const head = JSON.stringify({ log: { version: '1.2', creator, entries: [] } });
    yield `${head.slice(0, -3)}\n`;
    for (const [i, entry] of this.#entries.entries()) {
      const clean = (_: string, value: unknown) =>
        typeof value === 'string' ? this.#redactor.redactKnown(value) : value;
      yield `${i === 0 ? '' : ',\n'}${JSON.stringify(entry, clean)}`;
    }
    yield '\n]}}\n';
  }

  #toEntry({ startedAt, method, target, request, response, wait, receive }: ProxiedExchange): object {
    const url = this.#redactor.redact(this.#upstream + target);
    const type = findHeader(request.headers, 'content-type');
    const sent = this.#readBody(request);
    const received = this.#readBody(response);
    return {
      startedDateTime: startedAt.toISOString(),
      time: wait + receive,
      request: {
        ...{ method, url, httpVersion: 'HTTP/1.1', cookies: [], headers: this.#listHeaders(request.headers) },
        queryString: [...(parseTarget(url).query ?? [])].map(([name, value]) => ({ name, value })),
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
        redirectURL: this.#redactor.redact(findHeader(response.headers, 'location') ?? ''),
        ...{ headersSize: -1, bodySize: response.size },
      },
      cache: {},
      timings: { send: 0, wait, receive },
    };
  }

  #listHeaders(headers: HeaderList): object[] {
    return headers.map(([name, value]) => ({ name, value: this.#redactor.redactHeader(name, value) }));
  }

  #readBody(message: Message): { readonly text: string } | { readonly comment: string } {
    const bytes = decodeBody(message);
    if (bytes === undefined || bytes.length > MAX_BODY_BYTES) return { comment: `skipped: ${message.size} bytes` };
    const text = decodeText(bytes);
    // A file of another kind may hide a secret from a search.
    if (text === undefined) return { comment: `skipped: ${message.size} bytes of binary data` };
    return { text: this.#redactor.redactBody(text, findHeader(message.headers, 'content-type')) };
  }
}
