import { call, markStack, readJson, readProblem, startStack } from './place.js';

/** The service has refused a request for a blob. */
export class ValTownBlobError extends Error {
  override name = 'ValTownBlobError';
}

/** There is no blob of a key. */
export class ValTownBlobNotFoundError extends ValTownBlobError {
  override name = 'ValTownBlobNotFoundError';
}

/** A blob in a list. */
export interface BlobItem {
  readonly key: string;
  readonly size: number;
  readonly lastModified: string;
}

/** What a response can have as its body. */
export type BlobContent = ConstructorParameters<typeof Response>[0];

const pathOf = (key: string): string => `/v1/blob/${encodeURIComponent(key)}`;

/** Sends a request. @throws ValTownBlobError */
async function ask(mark: Pick<Error, 'stack'>, target: string, init?: RequestInit): Promise<Response> {
  const response = await call('std/blob', import.meta.url, target, init);
  if (response.ok) return response;
  const { message } = await readProblem(response);
  const isMissing = response.status === 404;
  throw startStack(isMissing ? new ValTownBlobNotFoundError(message) : new ValTownBlobError(message), mark);
}

/** Returns a blob as a response. @throws ValTownBlobNotFoundError */
const get = (key: string): Promise<Response> => ask(markStack(get), pathOf(key));

async function set(key: string, value: BlobContent): Promise<void> {
  const mark = markStack(set);
  // As bytes: Node sends a stream only with a further option, and the emulator keeps no type.
  const body = await new Response(value).arrayBuffer();
  await (await ask(mark, pathOf(key), { method: 'POST', body })).arrayBuffer();
}

/** Deletes a blob. @throws ValTownBlobNotFoundError */
async function remove(key: string): Promise<void> {
  await (await ask(markStack(remove), pathOf(key), { method: 'DELETE' })).arrayBuffer();
}

/** Lists blobs by key. @param prefix of their keys. Default: all */
async function list(prefix?: string): Promise<BlobItem[]> {
  const query = prefix ? `?prefix=${encodeURIComponent(prefix)}` : '';
  return await readJson(await ask(markStack(list), `/v1/blob${query}`));
}

/** Returns a blob as JSON. Undefined if there is none. */
// biome-ignore lint/suspicious/noExplicitAny: the interface of the service, whose callers annotate their variables
async function getJSON<T = any>(key: string): Promise<T | undefined> {
  const mark = markStack(getJSON);
  try {
    return await readJson(await ask(mark, pathOf(key)));
  } catch (error) {
    if (error instanceof ValTownBlobNotFoundError) return undefined;
    throw error;
  }
}

const setJSON = (key: string, value: unknown): Promise<void> => set(key, JSON.stringify(value));

/** Stores a blob under a second key. @throws ValTownBlobNotFoundError */
async function copy(from: string, to: string): Promise<void> {
  await set(to, await (await ask(markStack(copy), pathOf(from))).arrayBuffer());
}

/** Stores a blob under another key. @throws ValTownBlobNotFoundError */
async function move(from: string, to: string): Promise<void> {
  const mark = markStack(move);
  await set(to, await (await ask(mark, pathOf(from))).arrayBuffer());
  await remove(from);
}

/** The blobs of the user. */
export const blob = { get, set, delete: remove, list, getJSON, setJSON, copy, move };
