import type { Instant } from '#engine/lib/time.js';
import { deleteRecord } from '#engine/state/cascades.js';
import { describeExpiry } from '#engine/state/errors.js';
import { drawId } from '#engine/state/state.js';
import type { Draft, State } from '#vals/lib/state.collection.js';
import { OAUTH_SCOPES, type TokenScope } from '#vals/users/scopes.collection.js';
import { findUserByReference, type User } from '#vals/users/users.collection.js';
import type { Client } from './clients.collection.js';
import { invalidGrant, invalidRequest, LoginError } from './errors.rules.js';
import type { Grant } from './grants.collection.js';
import { expectParameters, type Parameters } from './parameters.rules.js';
import {
  makeGrantSecret,
  makeSecret,
  makeUserCode,
  normalizeUserCode,
  readGrantId,
  type SecretKind,
  toChallenge,
} from './secrets.rules.js';

const SECOND = 1_000;
/** Source of both: the default of oidc-provider. */
const CODE_LIFETIME = 60 * SECOND;
export const DEVICE_LIFETIME = 600 * SECOND;
/** Source of both: the service's documentation of OAuth, July 2026. */
export const ACCESS_LIFETIME = 24 * 3_600 * SECOND;
const REFRESH_LIFETIME = 90 * 24 * 3_600 * SECOND;

/** Grants of a sandbox at most, and access tokens of them. The one above takes the place of the one that was used longest ago. */
const MAX_GRANTS = 10_000;
/** Access tokens of a grant at most that have not expired. */
const MAX_TOKENS = 100;

function deleteExpired(draft: Draft, now: Instant): void {
  for (const grant of draft.grants.by.expiry.range([], { until: now })) deleteRecord(draft, 'grants', grant);
}

/** Deletes what has expired, and what a new grant takes the place of. */
function makeRoom(draft: Draft, now: Instant): void {
  deleteExpired(draft, now);
  const { first } = draft.grants.by.serial.range();
  if (draft.grants.size >= MAX_GRANTS && first) deleteRecord(draft, 'grants', first);
}

const putGrant = (draft: Draft, grant: Omit<Grant, 'serial'>): void => {
  draft.grants = draft.grants.put({ ...grant, serial: draft.nextSerial++ });
};

/** Selects the scopes that a client asks for and may have. Unknown ones are dropped. Default: all */
export function selectScopes(client: Client, scope: string | undefined): TokenScope[] {
  const asked = scope?.split(' ');
  const hasRefresh = client.grant_types.includes('refresh_token');
  return OAUTH_SCOPES.filter(
    (each) =>
      (asked === undefined ? !/^val_/.test(each) : asked.includes(each)) && (each !== 'offline_access' || hasRefresh),
  );
}

/** What a client asks a user for. */
export interface Asked {
  readonly client: Client;
  readonly scopes: readonly TokenScope[];
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly nonce?: string | undefined;
}

/** Makes a code, by which a client gets the tokens of a user. @param scopes which the user has allowed */
export function makeCode(draft: Draft, asked: Asked, user: User, scopes: readonly TokenScope[], now: Instant): string {
  const { client, redirectUri, codeChallenge, nonce } = asked;
  makeRoom(draft, now);
  const id = drawId(draft);
  const secret = makeGrantSecret(id, 'code', `${drawId(draft)}:${user.id}:${client.client_id}`);
  const request = { redirectUri, codeChallenge, ...(nonce !== undefined && { nonce }) };
  const expiresAt = now + CODE_LIFETIME;
  putGrant(draft, {
    ...{ id, clientId: client.client_id, userId: user.id, scopes, step: 'code', secret, ...request, expiresAt },
  });
  return secret;
}

/** Begins the login of a device. */
export function makeDeviceCode(draft: Draft, client: Client, scope: string | undefined, now: Instant): Grant {
  makeRoom(draft, now);
  const id = drawId(draft);
  let userCode = makeUserCode(drawId(draft));
  while (draft.grants.by.userCode.get([userCode])) userCode = makeUserCode(drawId(draft));
  const secret = makeGrantSecret(id, 'device', `${drawId(draft)}:${client.client_id}`);
  const scopes = selectScopes(client, scope);
  const grant = { id, clientId: client.client_id, scopes, step: 'device' as const, secret, userCode };
  putGrant(draft, { ...grant, expiresAt: now + DEVICE_LIFETIME });
  const made = draft.grants.get(id);
  if (!made) throw new Error('no grant');
  return made;
}

/** Finds the device that waits for a user, by the code that the user types. @throws LoginError */
export function findDevice(state: Pick<State, 'grants'>, typed: string, now: Instant): Grant {
  const grant = state.grants.by.userCode.get([normalizeUserCode(typed)]);
  if (!grant || grant.step === 'refresh') throw invalidRequest('The code you entered is incorrect. Try again.');
  if (grant.expiresAt <= now)
    throw new LoginError('expired_token', 'The code has expired. Begin again on your device.');
  if (grant.step === 'denied' || grant.userId !== undefined) {
    throw invalidRequest('The code was used already. Begin again on your device.');
  }
  return grant;
}

/** Decides on the login of a device. @param user undefined for a refusal */
export function decideOnDevice(
  draft: Draft,
  grant: Grant,
  user: User | undefined,
  scopes: readonly TokenScope[],
): void {
  const { serial } = grant;
  const decided: Grant = user ? { ...grant, userId: user.id, scopes, serial } : { ...grant, step: 'denied', serial };
  draft.grants = draft.grants.put(decided);
}

export interface Issued {
  readonly user: User;
  readonly scopes: readonly TokenScope[];
  readonly token: string;
  readonly refreshToken?: string | undefined;
  readonly nonce?: string | undefined;
}

/** A request of a client for tokens. */
export interface Exchange {
  readonly draft: Draft;
  readonly client: Client;
  readonly parameters: Parameters;
  readonly now: Instant;
  /** @throws LoginError for tokens that are for something else than the API */
  assertTarget(): void;
}

/** Exchanges a code for tokens. @throws LoginError, also after it has revoked what a used code gave */
export function redeemCode({ draft, client, parameters, now, assertTarget }: Exchange): Issued {
  const [only, other] = client.redirect_uris;
  const redirectUri = parameters.get('redirect_uri') ?? (other === undefined ? only : undefined);
  const [code = ''] = expectParameters(parameters, 'code', ...(redirectUri === undefined ? ['redirect_uri'] : []));
  const grant = findGrant(draft, client, code, 'code', now);
  const verifier = parameters.get('code_verifier');
  if (verifier === undefined) throw invalidGrant('the code_verifier is missing');
  assertProof(verifier, 'code_verifier');
  if (toChallenge(verifier) !== grant.codeChallenge) {
    throw invalidGrant('the code_verifier is not the one of the code_challenge that the login was begun with');
  }
  if (redirectUri !== grant.redirectUri) {
    throw invalidGrant(`the redirect_uri is another one than at the login, which led to ${grant.redirectUri}`);
  }
  assertTarget();
  return issue(draft, grant, now);
}

/** Exchanges a device code for tokens. @throws LoginError while the user has not decided, and after a refusal */
export function redeemDeviceCode({ draft, client, parameters, now, assertTarget }: Exchange): Issued {
  const [code = ''] = expectParameters(parameters, 'device_code');
  const grant = findGrant(draft, client, code, 'device', now);
  if (grant.step === 'denied') {
    deleteRecord(draft, 'grants', grant);
    throw new LoginError('access_denied', 'End-User aborted interaction');
  }
  if (grant.userId === undefined) {
    throw new LoginError(
      'authorization_pending',
      "authorization request is still pending as the end-user hasn't yet completed the user interaction steps",
    );
  }
  assertTarget();
  return issue(draft, grant, now);
}

/** Exchanges a refresh token for tokens, the next refresh token among them. @throws LoginError, also after it has revoked what a used one gave */
export function refresh({ draft, client, parameters, now, assertTarget }: Exchange): Issued {
  const [token = ''] = expectParameters(parameters, 'refresh_token');
  const grant = findGrant(draft, client, token, 'refresh', now);
  const asked = parameters.get('scope')?.split(' ');
  const missing = asked?.filter((each) => !grant.scopes.some((scope) => scope === each)) ?? [];
  if (missing.length > 0) {
    const scopes = `refresh token missing requested scope${missing.length > 1 ? 's' : ''}`;
    throw new LoginError('invalid_scope', scopes, `the grant lacks ${missing.join(' ')}`);
  }
  assertTarget();
  return issue(draft, grant, now, asked && grant.scopes.filter((scope) => asked.includes(scope)));
}

const NAMES = { code: 'code', device: 'device code', refresh: 'refresh token' } as const satisfies Record<
  SecretKind,
  string
>;

/** Finds a grant by its secret, and revokes it if the secret was used before. @throws LoginError */
function findGrant(draft: Draft, client: Client, secret: string, kind: SecretKind, now: Instant): Grant {
  const name = NAMES[kind];
  const grant = draft.grants.get(readGrantId(secret, kind) ?? '');
  if (!grant)
    throw invalidGrant(`there is no such ${name}: it never was, or all that it gave has expired or was revoked`);
  const { clientId } = grant;
  if (clientId !== client.client_id) throw invalidGrant(`the ${name} is of the client ${clientId}`);
  const isExpired = grant.expiresAt <= now;
  if (secret !== grant.secret) {
    if (!isExpired) deleteRecord(draft, 'grants', grant);
    throw invalidGrant(`the ${name} was used before, which has revoked all tokens of its login`);
  }
  if (!isExpired) return grant;
  const reason = describeExpiry(name, grant.expiresAt);
  throw kind === 'device' ? new LoginError('expired_token', 'device code is expired', reason) : invalidGrant(reason);
}

/** Makes the tokens of a grant. @param scopes of the access token. Default: all of the grant */
function issue(draft: Draft, grant: Grant, now: Instant, scopes = grant.scopes): Issued {
  const user = draft.users.get(grant.userId ?? '');
  if (!user) throw invalidGrant('the user is gone');
  deleteExpired(draft, now);
  const { id, clientId, userId, nonce } = grant;
  const hasRefresh = grant.scopes.includes('offline_access');
  const secret = hasRefresh ? makeGrantSecret(id, 'refresh', `${drawId(draft)}:${userId}:${clientId}`) : undefined;
  putGrant(draft, {
    ...{ id, clientId, userId, scopes: grant.scopes, step: 'refresh' },
    ...(nonce !== undefined && { nonce }),
    ...(secret !== undefined && { secret }),
    expiresAt: now + (hasRefresh ? REFRESH_LIFETIME : ACCESS_LIFETIME),
  });
  return { user, scopes, token: makeToken(draft, user, scopes, grant, now), refreshToken: secret, nonce };
}

function makeToken(
  draft: Draft,
  user: User,
  scopes: readonly TokenScope[],
  { id: grantId, clientId }: Pick<Grant, 'id' | 'clientId'>,
  now: Instant,
): string {
  const others = [...draft.tokens.by.grant.range([grantId])];
  const valid = others.filter(({ expiresAt = now }) => expiresAt > now);
  const kept = valid.slice(-MAX_TOKENS + 1);
  for (const other of others) if (!kept.includes(other)) deleteRecord(draft, 'tokens', other);
  const id = drawId(draft);
  // After a reset, the login of another user draws the same ids.
  const token = makeSecret(`${id}:${user.id}:${clientId}`, 'access');
  const serial = draft.nextSerial++;
  const expiresAt = now + ACCESS_LIFETIME;
  draft.tokens = draft.tokens.put({ id, userId: user.id, token, scopes: [...scopes], expiresAt, grantId, serial });
  return token;
}

/** Makes the token of a client for itself, which acts as a user. */
export function issueToClient({ draft, client, parameters, now }: Exchange, user: User): Issued {
  const scopes = selectScopes(client, parameters.get('scope')).filter(isOfApi);
  makeRoom(draft, now);
  const id = drawId(draft);
  const grant = { id, clientId: client.client_id, userId: user.id, scopes, step: 'refresh' as const };
  putGrant(draft, { ...grant, expiresAt: now + ACCESS_LIFETIME });
  return { user, scopes, token: makeToken(draft, user, scopes, grant, now) };
}

/** The scopes that are about a login. */
const OF_USERS: readonly TokenScope[] = ['openid', 'profile', 'email', 'offline_access'];

export const isOfApi = (scope: TokenScope): boolean => !OF_USERS.includes(scope);

/** Asserts the form of scopes. @throws LoginError */
export function assertScope(scope: string | undefined): void {
  if (scope === undefined || /^[!#-[\]-~]+(?: [!#-[\]-~]+)*$/.test(scope)) return;
  throw new LoginError('invalid_scope', 'scope contains invalid characters');
}

/** Asserts the form of a verifier or a challenge. Source: RFC 7636, section 4.1. @throws LoginError */
export function assertProof(text: string, name: string): void {
  if (text.length < 43) throw invalidRequest(`${name} must be a string with a minimum length of 43 characters`);
  if (text.length > 128) throw invalidRequest(`${name} must be a string with a maximum length of 128 characters`);
  if (/[^\w.\-~]/.test(text)) throw invalidRequest(`${name} contains invalid characters`);
}

/** Finds the user that the option `login` names. */
export const findLoginUser = (state: State): User | undefined => {
  const { login } = state.settings;
  return login === undefined ? undefined : findUserByReference(state, login);
};
