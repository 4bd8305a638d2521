import type { AnyDefinition, Caller, Credential } from '../definition/define.js';
import { getRecords } from '../definition/definitions.js';
import type { Instant } from '../lib/time.js';
import type { RecordSet } from '../store/collection.js';
import type { State } from './state.js';

// Callers are the records of the collection whose definition has `callers`. Without one, every request is anonymous. A caller
// has one token that may do all, and may have further ones: the records of the collection whose definition has `credentials`.

/** A caller to send requests as. */
export interface CallerRecord {
  /** Null for a caller that has no name but its id. */
  readonly username: string | null;
  readonly id: string;
  readonly token: string;
}

interface Callers extends Required<Pick<AnyDefinition, 'callers'>> {
  readonly records: RecordSet;
  readonly naming: AnyDefinition['naming'];
}

export function findCallers(state: State): Callers | undefined {
  const { name = '', callers, naming } = state.definitions.callers ?? {};
  return callers && { callers, naming, records: getRecords(state, name) };
}

export const isCaller = (record: object | undefined): record is Caller =>
  record !== undefined && 'id' in record && 'token' in record;

/** Who sends a request. */
export interface Identity {
  readonly token: string | undefined;
  readonly caller: Caller | undefined;
  /** The record of a further token. Undefined for the caller's own token, and for an unknown one in lenient mode. */
  readonly credential: Credential | undefined;
  /** When the token has expired that a caller had. */
  readonly expiredAt?: Instant | undefined;
}

const NOBODY: Identity = { token: undefined, caller: undefined, credential: undefined };

/** Reads a bearer token, spaces included. Any other credentials are an unknown token. */
export const readToken = (authorization: string | undefined): string | undefined =>
  authorization ? (/^bearer (.*)$/i.exec(authorization)?.[1] ?? '') : undefined;

/** Finds the caller of a request by its token, which has not expired. In lenient mode an unknown token means the first one. */
export function identify(state: State, token: string | undefined, now: Instant): Identity {
  if (token === undefined) return NOBODY;
  const found = findByToken(state, token);
  const { expiresAt } = found.credential ?? {};
  if (expiresAt !== undefined && expiresAt <= now) {
    return { token, caller: undefined, credential: undefined, expiredAt: expiresAt };
  }
  if (found.caller || state.settings.auth === 'strict') return found;
  const [caller] = listCallers(state);
  return { token, caller, credential: undefined };
}

export const findCallerByToken = (state: State, token: string): Caller | undefined => findByToken(state, token).caller;

function findByToken(state: State, token: string): Identity {
  const { callers: definition, credentials } = state.definitions;
  if (!definition) return { token, caller: undefined, credential: undefined };
  const records = getRecords(state, definition.name);
  const caller = definition.callers?.find(records, token);
  if (caller || !credentials) return { token, caller, credential: undefined };
  const credential = findCredential(state, token);
  const owner = credential && records.get(credentials.credentials?.callerId(credential) ?? '');
  return isCaller(owner) ? { token, caller: owner, credential } : { token, caller: undefined, credential: undefined };
}

function findCredential(state: State, token: string): (object & Credential) | undefined {
  const { credentials: definition } = state.definitions;
  return definition?.credentials?.find(getRecords(state, definition.name), token);
}

/** Whether a token may do what needs a scope. @param credential undefined for a token that may do all */
export const hasScope = (
  { definitions }: State,
  credential: Credential | undefined,
  scope: string | undefined,
): boolean =>
  scope === undefined ||
  credential === undefined ||
  (definitions.credentials?.credentials?.scopes(credential).includes(scope) ?? true);

/** Names the scopes of a token that allow what needs a scope of a route. Default: the same name */
export const nameScopes = ({ definitions }: State, scope: string): readonly string[] =>
  definitions.credentials?.credentials?.grantedBy?.(scope) ?? [scope];

export const nameCredentialOwner = (state: State, credential: object): string =>
  nameCallerOf(state, state.definitions.credentials?.credentials?.callerId(credential) ?? '');

/** Whether a caller has a token: also one that is being replaced, and whose further tokens remain. */
export const hasToken = (state: State, token: string): boolean =>
  findCallerByToken(state, token) !== undefined || findCredential(state, token) !== undefined;

/** Lists the callers in the order of the fixtures. */
export function* listCallers(state: State): Generator<Caller> {
  const found = findCallers(state);
  if (found) yield* found.callers.list(found.records);
}

/** Lists the callers with what a client needs of them. */
export const listCallerRecords = (state: State): CallerRecord[] =>
  Array.from(listCallers(state), (caller) => {
    const name = nameCaller(state, caller);
    return { username: name === caller.id ? null : name, id: caller.id, token: caller.token };
  });

/** Finds a caller as fixtures name it. */
export function findCallerByReference(state: State, reference: string): Caller | undefined {
  const found = findCallers(state);
  const record = found?.naming?.find(state, reference) ?? found?.records.get(reference);
  return isCaller(record) ? record : undefined;
}

/** Names a caller as fixtures do. */
export const nameCaller = (state: State, caller: Caller): string =>
  state.definitions.callers?.naming?.write(state, caller) ?? caller.id;

/** Names the caller with an id. @throws Error for an unknown one */
export function nameCallerOf(state: State, id: string): string {
  const record = findCallers(state)?.records.get(id);
  if (!isCaller(record)) throw new Error(`no caller ${id}`);
  return nameCaller(state, record);
}

/** The token of a caller in a session file, and in fixtures that give none: `ada-token`. @param name as fixtures have it */
export const defaultToken = (name: string): string => `${name}-token`;
