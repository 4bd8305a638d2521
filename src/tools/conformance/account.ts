import { randomBytes, randomUUID } from 'node:crypto';
import { isObject } from '#engine/lib/objects.js';
import type { FurtherToken } from './case.js';
import { MISSING_SCOPE } from './cases/scopes.js';
import { type Service, ServiceError } from './remote-service.js';
import { listItems } from './values.js';

type Json = Readonly<Record<string, unknown>>;
export type FurtherTokens = Readonly<Partial<Record<FurtherToken, string | undefined>>>;

/** Reasons to skip a case, by the name of the missing value. */
export const OBSTACLES: Readonly<Record<string, string>> = {
  second: 'it needs --second-token',
  limited: 'it needs --limited-token',
  reader: 'it needs --reader-token',
  othersPrivate: 'it needs --second-token, of an account with a private val',
  'me.username': 'the account has no username',
  val: 'the account has no public val',
  unlisted: 'the account has no unlisted val',
  private: 'the account has no private val',
  run: 'the account has no run',
  liked: 'the account has no like',
  reference: 'no val depends on one of the account',
  other: 'the account has neither liked nor commented a public val of another user',
  all: 'the list has too few items',
  page: 'the list has too few items',
  both: 'the list has too few items',
  whole: 'the list has more than 100 items',
  line: 'no run of the account has logged anything',
  failed: 'the account has no failed run',
};

/**
 * Explores the records of an account by GET alone.
 * @throws ServiceError if the service is not there, is not a vals API, or refuses a token
 */
export async function explore(service: Service, tokens: FurtherTokens): Promise<Map<string, unknown>> {
  const { second: secondToken, limited, reader } = tokens;
  const me = await readProfile(service);
  const found = new Map<string, unknown>([
    ['me', me],
    ['unknown', randomUUID()],
    ['hex', randomBytes(6).toString('hex')],
  ]);
  const note = (name: string, value: unknown) => void (value !== undefined && found.set(name, value));
  const list = async (path: string, token?: string) =>
    listItems((await service.get(path, { token })).json).filter(isObject);
  const own = await list(`/v1/users/${me.id}/vals?limit=100`);
  // The one with the most versions comes first: their list has more than one page.
  own.sort((a, b) => Number(b.version) - Number(a.version));
  const [runs, liked, comments, references] = await Promise.all([
    list('/v1/me/runs?limit=100'),
    list('/v1/me/likes?limit=100'),
    list('/v1/me/comments?limit=100'),
    list('/v1/me/references?limit=100'),
  ]);
  note('val', findByPrivacy(own, 'public'));
  note('unlisted', findByPrivacy(own, 'unlisted'));
  note('private', findByPrivacy(own, 'private'));
  note('run', runs.find(({ error }) => error !== null) ?? runs[0]);
  note('liked', liked[0]);
  note('reference', references[0]);
  const seen = [...liked, ...comments.flatMap(({ val }) => (isObject(val) ? [val] : []))];
  note(
    'other',
    seen.find(({ author, privacy }) => privacy === 'public' && isObject(author) && author.id !== me.id),
  );
  if (limited !== undefined) found.set('limited', await assertLimited(service, limited));
  if (reader !== undefined) {
    const { id } = await readProfile(service, reader, '--reader-token');
    if (id !== me.id) throw new ServiceError('--reader-token is of another account than --token.');
    found.set('reader', true);
  }
  if (secondToken === undefined) return found;
  const second = await readProfile(service, secondToken, '--second-token');
  if (second.id === me.id) throw new ServiceError('--second-token is of the same account as --token.');
  found.set('second', second);
  const others = await list(`/v1/users/${second.id}/vals?limit=100`, secondToken);
  note('othersPrivate', findByPrivacy(others, 'private'));
  return found;
}

const findByPrivacy = (vals: readonly Json[], wanted: string): Json | undefined =>
  vals.find(({ privacy }) => privacy === wanted);

/** Asserts that the service knows a token, which may not read the profile. Returns true. @throws ServiceError */
async function assertLimited(service: Service, token: string): Promise<true> {
  const { status, json } = await service.get('/v1/me', { token });
  const isKnown = status !== 401 || (isObject(json) && json.message === MISSING_SCOPE);
  if (!isKnown) throw refuseToken(service, '--limited-token', status);
  return true;
}

const refuseToken = ({ base }: Service, flag: string, status: number): ServiceError =>
  new ServiceError(`${base} refuses the token of ${flag} (${status}).`);

/** Reads the profile of the user of a token. @param flag that gives the token */
async function readProfile(service: Service, token?: string, flag = '--token'): Promise<Json> {
  const { status, json, headers } = await service.get('/v1/me', { token });
  if (status === 401 || status === 403) throw refuseToken(service, flag, status);
  const type = headers.get('content-type') ?? 'no media type';
  if (status !== 200) throw new ServiceError(`${service.base} is not a vals API: GET /v1/me responded ${status}.`);
  if (!isObject(json) || typeof json.id !== 'string') {
    throw new ServiceError(
      `${service.base} is not a vals API: GET /v1/me responded with ${type}, without the id of a user.`,
    );
  }
  return json;
}
