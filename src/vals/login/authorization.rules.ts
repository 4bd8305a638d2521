import type { Instant } from '#engine/lib/time.js';
import type { Draft, State } from '#vals/lib/state.collection.js';
import type { TokenScope } from '#vals/users/scopes.collection.js';
import type { User } from '#vals/users/users.collection.js';
import type { Client } from './clients.collection.js';
import { explainUnknown, findClient, isRedirectAllowed } from './clients.rules.js';
import { invalidRequest, LoginError } from './errors.rules.js';
import { type Asked, assertProof, makeCode, selectScopes } from './grants.rules.js';
import { expectParameters, type Parameters, readParameters } from './parameters.rules.js';

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
  let redirectUri: string | undefined;
  const leadTo = (result: Readonly<Record<string, string>>): string => {
    const [state] = query.getAll('state');
    const added = new URLSearchParams({ ...result, ...(state ? { state } : {}), iss: place.issuer });
    const uri = redirectUri ?? '';
    return `${uri}${uri.includes('?') ? '&' : '?'}${added}`;
  };
  try {
    const parameters = readParameters(query, ['resource']);
    const client = getClient(state, parameters);
    const [only, other] = client.redirect_uris;
    const uri = parameters.get('redirect_uri') ?? (other === undefined ? only : undefined);
    if (uri !== undefined && isRedirectAllowed(client, uri)) redirectUri = uri;
    const asked = readAsked(client, parameters, uri, redirectUri !== undefined, place);
    return { asked, hint: parameters.get('login_hint'), leadTo };
  } catch (error) {
    if (!(error instanceof LoginError)) throw error;
    const result = { error: error.error, error_description: error.message };
    return { error, location: redirectUri === undefined ? undefined : leadTo(result) };
  }
}

function getClient(state: Pick<State, 'clients'>, parameters: Parameters): Client {
  const [id = ''] = expectParameters(parameters, 'client_id');
  const client = findClient(state, id);
  if (!client) throw new LoginError('invalid_client', 'client is invalid', explainUnknown(id));
  return client;
}

/** Reads what a client asks for, in the order of oidc-provider. @throws LoginError */
function readAsked(
  client: Client,
  parameters: Parameters,
  uri: string | undefined,
  isAllowed: boolean,
  { resource }: Place,
): Asked {
  const mode = parameters.get('response_mode') ?? 'query';
  if (mode !== 'query') throw new LoginError('unsupported_response_mode', 'unsupported response_mode requested');
  const [type] = expectParameters(parameters, 'response_type');
  if (type !== 'code') throw new LoginError('unsupported_response_type', 'unsupported response_type requested');
  if (uri === undefined) expectParameters(parameters, 'redirect_uri');
  const prompts = parameters.get('prompt')?.split(' ') ?? [];
  if (prompts.some((each) => !PROMPTS.includes(each))) throw invalidRequest('unsupported prompt value requested');
  if (prompts.includes('none') && prompts.length > 1) throw invalidRequest('prompt none must only be used alone');
  const scope = parameters.get('scope');
  if (scope !== undefined && !/^[!#-[\]-~ ]*$/.test(scope)) {
    throw new LoginError('invalid_scope', 'scope contains invalid characters');
  }
  if (uri === undefined || !isAllowed) {
    const description = "redirect_uri did not match any of the client's registered redirect_uris";
    const known = client.redirect_uris.join(', ') || 'none';
    throw new LoginError('invalid_redirect_uri', description, `${uri} is not one of the client's: ${known}`);
  }
  const codeChallenge = readChallenge(parameters);
  for (const each of parameters.all('resource')) assertResource(each, resource);
  if (prompts.includes('none')) throw new LoginError('login_required', 'End-User authentication is required');
  const nonce = parameters.get('nonce');
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
  const { href, hash } = new URL(wanted);
  if (hash !== '' || href.endsWith('#')) {
    throw new LoginError('invalid_target', 'resource indicator must not contain a fragment component');
  }
  const own = new URL(resource);
  const found = new URL(href);
  // A second port of this machine serves the same.
  const isOwnHost = found.protocol === own.protocol && found.hostname === own.hostname;
  const path = found.pathname.replace(/\/$/, '').replace(/\/v3\/mcp$/, '');
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
