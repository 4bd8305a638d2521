import { formatContent } from '#engine/definition/content.js';
import { isObject } from '#engine/lib/objects.js';
import type { Input } from '#vals/collections/index.js';
import type { Service } from '../conformance/remote-service.js';

/**
 * Reads the blobs of an account, one after another, since each may have 10 MB. Says in words what could not be read.
 * @param user username or id of the account
 */
export async function readBlobs(service: Service, user: string) {
  const { status, json } = await service.get('/v1/blob');
  if (status !== 200 || !Array.isArray(json)) {
    return { blobs: [], unseen: ['The blobs: the service does not have GET /v1/blob, or does not show it.'] };
  }
  const blobs: Input<'blobs'>[] = [];
  const unseen: string[] = [];
  for (const item of json.filter(isObject)) {
    const key = String(item.key);
    const reply = await service.get(`/v1/blob/${encodeURIComponent(key)}`);
    if (reply.status !== 200) {
      unseen.push(`The blob ${JSON.stringify(key)}: the service responded ${reply.status}.`);
      continue;
    }
    const time = typeof item.lastModified === 'string' ? { createdAt: item.lastModified } : {};
    blobs.push({ user, key, ...formatContent(reply.bytes), ...time });
  }
  return { blobs, unseen };
}
