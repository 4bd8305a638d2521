import { TextDecoder } from 'node:util';

/** Characters of base64 and of its form for URLs, with line breaks as emails have them. */
const BASE64 = /^[\w+/\-\s]*={0,2}\s*$/;

/** Returns a copy that shares no memory, as a buffer of Node may do. */
export const toBytes = (buffer: Uint8Array): Uint8Array => new Uint8Array(buffer);

/** Returns the bytes of a text in base64. Undefined for another text. */
export const decodeBase64 = (text: string): Uint8Array | undefined =>
  BASE64.test(text) ? toBytes(Buffer.from(text, 'base64')) : undefined;

export const encodeBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

/** Returns a body as text: bytes that are not UTF-8 have none. */
export const toBodyText = (body: string | Uint8Array | undefined): string | undefined =>
  body instanceof Uint8Array ? decodeText(body) : body;

/** Returns the text of bytes in UTF-8. Undefined for other bytes. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
