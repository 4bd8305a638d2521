import type { Instant } from '#engine/lib/time.js';
import type { Draft, State } from '#vals/lib/state.collection.js';
import type { TokenScope } from '#vals/users/scopes.collection.js';
import type { User } from '#vals/users/users.collection.js';
import type { Client } from './clients.collection.js';
import { explainUnknown, findClient, isRedirectAllowed, LONGEST } from './clients.rules.js';
import { invalidRequest, LoginError } from './errors.rules.js';
import { type Asked, assertProof, assertScope, makeCode, selectScopes } from './grants.rules.js';
import { assertOnce, expectParameters, type Parameters, readParameters } from './parameters.rules.js';

/** What a login is for, as its address says, or why it is refused. */
export interface Authorization {
  readonly asked: Asked;
  /** The user that the client expects. */
  readonly hint: string | undefined;
  /** Returns where the login leads. */
  leadTo(result: Readonly<Record<string, string>>): string;
}

/** A login that was refused, and where it leads. Undefined for one that leads nowhere, since the client or its address is unknown. */
interface Refusal {
  readonly error: LoginError;
  readonly location: string | undefined;
}

/** Where a login is, and what it is for. */
export interface Place {
  readonly issuer: string;
  /** The API of the login. */
  readonly resource: string;
}

/** Reads the address of a login. */
export function readAuthorization(
  state: Pick<State, 'clients'>,
  query: URLSearchParams,
  place: Place,
): Authorization | Refusal {
  const parameters = readParameters(query);
  const client = findClient(state, parameters.get('client_id') ?? '');
  const [only, other] = client?.redirect_uris ?? [];
  const redirectUri = parameters.get('redirect_uri') ?? (other === undefined ? only : undefined);
  const leadTo = (result: Readonly<Record<string, string>>): string => {
    const state = parameters.get('state');
    const added = new URLSearchParams({ ...result, ...(state !== undefined && { state }), iss: place.issuer });
    const uri = redirectUri ?? '';
    // A header has printable ASCII alone.
    const shown = uri.toWellFormed().replace(/[^!-~]/gu, encodeURIComponent);
    return `${shown}${uri.includes('?') ? '&' : '?'}${added}`;
  };
  try {
    const asked = readAsked(client, redirectUri, parameters, place);
    return { asked, hint: parameters.get('login_hint'), leadTo };
  } catch (error) {
    if (!(error instanceof LoginError)) throw error;
    // A wrong address comes before any other error: nothing leads there.
    const wrong = client && redirectUri !== undefined && findWrongRedirect(client, redirectUri);
    if (wrong || !client || redirectUri === undefined) return { error: wrong || error, location: undefined };
    const description = error.message === '' ? {} : { error_description: error.message };
    return { error, location: leadTo({ error: error.error, ...description }) };
  }
}

function findWrongRedirect(client: Client, uri: string): LoginError | undefined {
  if (isRedirectAllowed(client, uri)) return undefined;
  const description = "redirect_uri did not match any of the client's registered redirect_uris";
  const known = client.redirect_uris.join(', ') || 'none';
  return new LoginError('invalid_redirect_uri', description, `${uri} is not one of the client's: ${known}`);
}

/** In the order in which an error names them. */
const ONCE = [
  ...['client_id', 'code_challenge', 'code_challenge_method', 'login_hint', 'max_age', 'nonce', 'prompt'],
  ...['redirect_uri', 'registration', 'request', 'request_uri', 'response_mode', 'response_type', 'scope', 'state'],
];

/** Parameters that are refused, by the error of each. */
const REFUSED = { request: 'request_not_supported', request_uri: 'request_uri_not_supported' };

/** Reads what a client asks for, in the order of oidc-provider. @throws LoginError */
function readAsked(
  client: Client | undefined,
  uri: string | undefined,
  parameters: Parameters,
  { resource }: Place,
): Asked {
  assertOnce(parameters, ONCE);
  for (const [name, error] of Object.entries(REFUSED)) {
    if (parameters.get(name) !== undefined) throw new LoginError(error, '');
  }
  const [id = ''] = expectParameters(parameters, 'client_id');
  if (!client) throw new LoginError('invalid_client', 'client is invalid', explainUnknown(id));
  const mode = parameters.get('response_mode') ?? 'query';
  if (mode !== 'query') throw new LoginError('unsupported_response_mode', 'unsupported response_mode requested');
  const [type] = expectParameters(parameters, 'response_type');
  if (parameters.get('registration') !== undefined) throw new LoginError('registration_not_supported', '');
  if (type !== 'code') throw new LoginError('unsupported_response_type', 'unsupported response_type requested');
  if (!client.grant_types.includes('authorization_code')) {
    throw invalidRequest('requested response_type is not allowed for this client');
  }
  if (uri === undefined) throw invalidRequest("missing required parameter 'redirect_uri'");
  const prompts = parameters.get('prompt')?.split(' ') ?? [];
  if (prompts.some((each) => !PROMPTS.includes(each))) throw invalidRequest('unsupported prompt value requested');
  if (prompts.includes('none') && prompts.length > 1) throw invalidRequest('prompt none must only be used alone');
  const scope = parameters.get('scope');
  assertScope(scope);
  const wrong = findWrongRedirect(client, uri);
  if (wrong) throw wrong;
  const codeChallenge = readChallenge(parameters);
  for (const each of parameters.resources) assertResource(each, resource);
  const age = Number(parameters.get('max_age') ?? 0);
  if (!Number.isSafeInteger(age) || age < 0) throw invalidRequest('invalid max_age parameter value');
  if (prompts.includes('none')) throw new LoginError('login_required', 'End-User authentication is required');
  const nonce = parameters.get('nonce');
  if (nonce !== undefined && nonce.length > LONGEST) throw invalidRequest('nonce is too long');
  const scopes = selectScopes(client, scope);
  return { client, scopes, redirectUri: uri, codeChallenge, ...(nonce !== undefined && { nonce }) };
}

const PROMPTS = ['none', 'login', 'consent'];

function readChallenge(parameters: Parameters): string {
  const method = parameters.get('code_challenge_method');
  const challenge = parameters.get('code_challenge');
  if (challenge !== undefined && method === undefined) throw invalidRequest('code_challenge_method must be provided');
  if (method !== undefined && method !== 'S256') {
    throw invalidRequest('not supported value of code_challenge_method', `${method} is not S256`);
  }
  if (challenge === undefined) {
    throw invalidRequest(
      method === undefined
        ? 'Authorization Server policy requires PKCE to be used for this request'
        : 'code_challenge must be provided with code_challenge_method',
    );
  }
  assertProof(challenge, 'code_challenge');
  return challenge;
}

/** Asserts that a token is for the API of the login. Source: RFC 8707. @throws LoginError */
export function assertResource(wanted: string, resource: string): void {
  if (!URL.canParse(wanted)) throw new LoginError('invalid_target', 'resource indicator must be an absolute URI');
  if (new URL(wanted).href.includes('#')) {
    throw new LoginError('invalid_target', 'resource indicator must not contain a fragment component');
  }
  assertKnownResource(wanted, resource);
}

/** The same for a request for tokens, which has one error for all others. @throws LoginError */
export function assertKnownResource(wanted: string, resource: string): void {
  const own = new URL(resource);
  const found = URL.canParse(wanted) ? new URL(wanted) : undefined;
  // A second port of this machine serves the same.
  const isOwnHost = found?.protocol === own.protocol && found.hostname === own.hostname && found.hash === '';
  const path = found?.pathname.replace(/\/$/, '').replace(/\/v3\/mcp$/, '');
  if (isOwnHost && path === own.pathname.replace(/\/$/, '')) return;
  const reason = `the resource is ${resource}, not ${wanted}`;
  throw new LoginError('invalid_target', 'resource indicator is missing, or unknown', reason);
}

/** What a user decides on a login. */
export interface Decision {
  /** Undefined for a refusal. */
  readonly user: User | undefined;
  /** Those that the user allows. Default: all that the client asks for */
  readonly scopes?: readonly string[] | undefined;
}

/** Selects the scopes of a decision among those that a client asks for. */
export const selectAllowed = (asked: readonly TokenScope[], { scopes }: Decision): TokenScope[] =>
  asked.filter((each) => scopes === undefined || scopes.includes(each));

/** Ends a login, and returns where it leads. */
export function decide(draft: Draft, authorization: Authorization, decision: Decision, now: Instant): string {
  const { asked, leadTo } = authorization;
  const { user } = decision;
  if (!user) return leadTo({ error: 'access_denied', error_description: 'End-User aborted interaction' });
  return leadTo({ code: makeCode(draft, asked, user, selectAllowed(asked.scopes, decision), now) });
}
