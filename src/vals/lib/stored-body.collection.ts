import type { Codec } from '#engine/definition/define.js';
import { decodeBase64, encodeBase64 } from '#engine/lib/base64.js';

/** Stores the bytes of records in base64, and counts them. */
export const storedBody = <R extends { readonly body: Uint8Array }>() => ({
  stored: {
    encode: (record: R) => ({ ...record, body: encodeBase64(record.body) }),
    decode: (record: R & { readonly body: string }) => ({ ...record, body: decodeBytes(record.body) }),
    weigh: ({ body }: { readonly body: string }) => body.length,
  } satisfies Codec<R>,
  bytes: ({ body }: R) => [body],
});

/** @throws RangeError for a text that is not base64 */
export function decodeBytes(text: string): Uint8Array {
  const bytes = decodeBase64(text);
  if (!bytes) throw new RangeError('bytes are not base64');
  return bytes;
}
