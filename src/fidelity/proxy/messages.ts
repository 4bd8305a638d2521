import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { makeReply, type Reply } from '../service.js';

/** Longest body that is recorded and compared. Longer ones only pass. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;

export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Headers and body of a request or a response, as they were sent. */
export interface Message {
  readonly headers: HeaderList;
  /** Undefined for a body that is too long to be kept. */
  readonly body: Buffer | undefined;
  readonly size: number;
}

/** A request to the upstream with its complete response. */
export interface ProxiedExchange {
  readonly startedAt: Date;
  readonly method: string;
  /** Path and query, without the path of the upstream's base. */
  readonly target: string;
  readonly request: Message;
  readonly response: Message & { readonly status: number; readonly statusText: string };
  /** Milliseconds until the head of the response. */
  readonly wait: number;
  /** Milliseconds from then to its end. */
  readonly receive: number;
}

/** Pairs the raw headers of node:http. */
export const pairHeaders = (raw: readonly string[]): HeaderList =>
  raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1] ?? ''] as const] : []));

/** Finds a header by its lower-case name. */
export const findHeader = (headers: HeaderList, name: string): string | undefined =>
  headers.find(([each]) => each.toLowerCase() === name)?.[1];

const DECODERS: Readonly<Record<string, (body: Buffer, options: { maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** Decodes a body. Undefined for one that was not kept, has another encoding, or is damaged. */
export function decodeBody({ headers, body }: Message): Buffer | undefined {
  const encoding = findHeader(headers, 'content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (body === undefined || encoding === 'identity') return body;
  try {
    return DECODERS[encoding]?.(body, { maxOutputLength: MAX_KEPT_BYTES });
  } catch {
    return undefined;
  }
}

/** Reads the response of the upstream. Undefined if its body was not kept. */
export function readReply({ method, target, request, response }: ProxiedExchange): Reply | undefined {
  const bytes = decodeBody(response);
  if (bytes === undefined) return undefined;
  const sent = { headers: toHeaders(request), body: decodeBody(request)?.toString('utf8') ?? '' };
  return makeReply({ method, target, sent, status: response.status, headers: toHeaders(response), bytes });
}

const toHeaders = ({ headers }: Message): Headers => new Headers(headers.map(([name, value]) => [name, value]));

/** Collects the chunks of a body while they pass. */
export class BodyCollector {
  #chunks: Buffer[] = [];
  size = 0;

  add(chunk: Buffer): void {
    this.size += chunk.length;
    if (this.isKept) this.#chunks.push(chunk);
    else this.#chunks = [];
  }

  get isKept(): boolean {
    return this.size <= MAX_KEPT_BYTES;
  }

  get body(): Buffer | undefined {
    return this.isKept ? Buffer.concat(this.#chunks) : undefined;
  }
}
