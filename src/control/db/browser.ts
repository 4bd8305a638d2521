import { ApiError, badRequest } from '../../domain/errors.js';
import { suggest } from '../../fixtures/problems.js';
import type { CollectionName } from '../../fixtures/schema.js';
import type { Sandbox } from '../sandbox.js';
import { COLLECTION_NAMES, changeBetween, copyCollections, isCollection, TABLES } from './collections.js';
import { copyOf, readerOf } from './copy.js';
import { type Answer, JsonServer, type Question } from './server.js';

const BROWSER_PATH = '/_emulator/db';

/**
 * Answers a request to the data browser: json-server over a plain copy of the sandbox's collections. What it changed in
 * the copy is checked as a fixture is, and written to the state by the rules of the domain.
 * @throws ApiError for a path or query that leads nowhere
 * @throws FixtureError for a write that does not fit; nothing has changed then
 */
export async function browse(sandbox: Sandbox, question: Question): Promise<Answer> {
  const { method, path, base } = question;
  const segments = path.replace(/\?.*$/s, '').split('/').filter(Boolean);
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead && segments.length === 0) return indexAt(base);
  checkQuery(path, collectionAt(segments));
  return isRead ? ask(readerOf(copyOf(sandbox)), question) : write(sandbox, question);
}

async function write(sandbox: Sandbox, question: Question): Promise<Answer> {
  const { method, base } = question;
  const isNew = method === 'POST';
  // json-server gives ids of its own kind and answers a taken one with a 500, so it does not learn of the id.
  const { id, ...fields } = question.body ?? {};
  const asked = isNew ? { ...question, body: fields } : question;
  for (;;) {
    const { state, collections } = copyOf(sandbox);
    const draft = copyCollections(collections);
    const answer = await ask(new JsonServer(draft, method !== 'DELETE'), asked);
    const change = changeBetween(collections, draft);
    if (!change) return answer;
    const { collection, before, after } = change;
    const table = TABLES[collection];
    // json-server pauses for a millisecond or two: the record may be another one by now.
    if (before && !table.isSame(state, sandbox.world.state, before.id)) continue;
    const now = sandbox.clock.now.getTime();
    const cause = `${method} ${BROWSER_PATH}/${collection}${isNew ? '' : '/{id}'}`;
    if (!after) {
      sandbox.write(cause, (fork) => before && table.remove(fork, before));
      return answer;
    }
    const next = isNew ? { ...after, id } : after;
    const value = sandbox.write(cause, (fork) => table.put(fork, now, before, next));
    const location = isNew ? { location: `${base}/${collection}/${value.id}` } : {};
    return { ...answer, headers: { ...answer.headers, ...location }, value };
  }
}

/** @throws ApiError 400 for what json-server cannot make sense of */
async function ask(server: JsonServer, question: Question): Promise<Answer> {
  try {
    return await server.ask(question);
  } catch (error) {
    throw badRequest(`json-server cannot answer this: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const indexAt = (base: string): Answer => ({
  status: 200,
  headers: {},
  value: Object.fromEntries(COLLECTION_NAMES.map((name) => [name, `${base}/${name}`])),
});

/** The collection that a path ends in: `/vals`, `/vals/{id}`, `/users/{id}/vals`. */
function collectionAt(segments: readonly string[]): CollectionName {
  const [first = '', , last = first] = segments;
  if (isCollection(first) && isCollection(last)) return last;
  const unknown = isCollection(first) ? last : first;
  const hint = suggest(unknown, COLLECTION_NAMES);
  throw new ApiError(404, `There is no collection ${JSON.stringify(unknown)}: ${COLLECTION_NAMES.join(', ')}.${hint}`);
}

/** Throws the 400 for an `_expand` over which json-server would stumble. */
function checkQuery(path: string, collection: CollectionName): void {
  const names = Object.values(TABLES[collection].references).map((key) => key.replace(/Id$/, ''));
  const wrong = new URLSearchParams(/\?.*$/s.exec(path)?.[0]).getAll('_expand').find((name) => !names.includes(name));
  if (wrong === undefined) return;
  throw badRequest(
    `_expand: found ${JSON.stringify(wrong)}; expected ${names.join(' or ') || 'none'}, which is all that ${collection} refer to.`,
  );
}
