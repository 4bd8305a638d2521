import { formatContent } from '#engine/definition/content.js';
import { isObject } from '#engine/lib/objects.js';
import type { Input } from '#vals/collections/index.js';
import type { Service } from '../conformance/remote-service.js';
import type { ReadPage } from './pages.js';

interface ReadBlobs {
  readonly blobs: readonly Input<'blobs'>[];
  /** The list of the blobs that were read. Absent if the service does not show it. */
  readonly list?: ReadPage;
  /** What could not be read, in words. */
  readonly unseen: readonly string[];
}

const LIST = '/v1/blob';

/**
 * Reads the blobs of an account, one after another, since each may have 10 MB.
 * @param user username or id of the account
 */
export async function readBlobs(service: Service, user: string): Promise<ReadBlobs> {
  const { status, json, headers } = await service.get(LIST);
  if (status !== 200 || !Array.isArray(json)) {
    return { blobs: [], unseen: ['The blobs: the service does not have GET /v1/blob, or does not show it.'] };
  }
  const blobs: Input<'blobs'>[] = [];
  const items: unknown[] = [];
  const unseen: string[] = [];
  for (const item of json.filter(isObject)) {
    const key = String(item.key);
    const reply = await service.get(`${LIST}/${encodeURIComponent(key)}`);
    if (reply.status !== 200) {
      unseen.push(`The blob ${JSON.stringify(key)}: the service responded ${reply.status}.`);
      continue;
    }
    const time = typeof item.lastModified === 'string' ? { createdAt: item.lastModified } : {};
    blobs.push({ user, key, ...formatContent(reply.bytes), ...time });
    items.push(item);
  }
  const list = { target: LIST, status, json: items, mediaType: headers.get('content-type') };
  return { blobs, list, unseen };
}
