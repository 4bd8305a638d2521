import { randomBytes, randomUUID } from 'node:crypto';
import { isObject } from '#engine/lib/objects.js';
import type { FurtherToken } from './case.js';
import { NEEDS } from './cases/index.js';
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
  'me.username': 'the account has no username',
  ...Object.fromEntries(Object.entries(NEEDS).map(([name, { missing }]) => [name, missing])),
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
  await findNeeds(service, found, me);
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
  await findNeeds(service, found, second, secondToken);
  return found;
}

/** Finds what cases need of the account of a token. @param token of the second account */
async function findNeeds(service: Service, found: Map<string, unknown>, owner: Json, token?: string): Promise<void> {
  const needs = Object.entries(NEEDS).filter(([, { of }]) => (of === 'second') === (token !== undefined));
  const paths = new Set(needs.flatMap(([, { lists = [] }]) => lists));
  const read = async (path: string) => {
    const { json } = await service.get(path.replace('{me.id}', String(owner.id)), { token });
    return [path, listItems(json).filter(isObject)] as const;
  };
  const items = new Map(await Promise.all(Array.from(paths, read)));
  for (const [name, { lists = [], find }] of needs) {
    const value = find?.(
      lists.flatMap((path) => items.get(path) ?? []),
      owner,
    );
    if (value !== undefined) found.set(name, value);
  }
}

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
