import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { HttpRequest } from '../api/http-request.js';
import { hasTag } from '../api/representation.js';
import type { HttpResponse } from '../control/http-response.js';
import { isRead } from '../lib/target.js';
import { accepts, addHeaders } from './response.js';

/** Minimum bytes of an encoded text: a smaller text fits into one packet. */
const MIN_SIZE = 1_024;

const compress = promisify(gzip);

/** Makes the tag of a content. */
export const makeTag = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 22);

/**
 * Compresses a response text for a client that accepts gzip, and responds with a 304 to a client that has it. A small text, and one that is made
 * while it is sent, stay the same.
 */
export async function encode(request: HttpRequest, response: HttpResponse): Promise<HttpResponse> {
  const { status, headers, body } = response;
  if (typeof body !== 'string' || Number(headers['content-length']) < MIN_SIZE) return response;
  const described: Record<string, string> = {
    vary: headers.vary === undefined ? 'Accept-Encoding' : `${headers.vary}, Accept-Encoding`,
  };
  if (status === 200 && isRead(request.method) && headers['cache-control'] === undefined) {
    const tag = makeTag(body);
    // Weak, since both encodings of the text have the tag.
    Object.assign(described, { etag: `W/"${tag}"`, 'cache-control': 'private, no-cache' });
    const known = request.header('if-none-match');
    if (known !== undefined && hasTag(known, tag, 'weak')) {
      const { 'content-type': _, 'content-length': __, ...others } = headers;
      return { ...response, status: 304, headers: { ...others, ...described }, body: undefined };
    }
  }
  if (!accepts(request.header('accept-encoding') ?? '', 'gzip')) return addHeaders(response, described);
  const bytes = await compress(body);
  const encoded = { 'content-encoding': 'gzip', 'content-length': String(bytes.length) };
  return { ...addHeaders(response, { ...described, ...encoded }), body: bytes };
}
