import type { RouteResponse } from '#engine/api/route-response.js';
import type { Draft, State } from '#vals/lib/state.collection.js';
import type { User } from '#vals/users/users.collection.js';
import { toResource } from './addresses.rules.js';
import { authenticate } from './authentication.rules.js';
import { assertKnownResource, assertResource } from './authorization.rules.js';
import { GRANT_TYPES, type GrantType } from './clients.collection.js';
import { registerClient } from './clients.rules.js';
import { listUsers } from './decisions.routes.js';
import { type LoginRequest, loginRoute, readForm, readJsonBody, toJson } from './define.routes.js';
import { invalidGrant, invalidRequest, LoginError } from './errors.rules.js';
import {
  ACCESS_LIFETIME,
  assertScope,
  type Exchange,
  findLoginUser,
  type Issued,
  isOfApi,
  issueToClient,
  redeemCode,
  redeemDeviceCode,
  refresh,
} from './grants.rules.js';
import { makeIdToken } from './id-token.rules.js';
import { assertOnce, expectParameters } from './parameters.rules.js';

/** Finds the user that a client acts as, which has none: the user of the option `login`, else the first user. @throws LoginError */
function getClientUser(state: State): User {
  const [first] = listUsers(state);
  const user = findLoginUser(state) ?? first;
  if (!user) throw invalidGrant('there is no user to act as');
  return user;
}

/** What a client gives for tokens, and the parameters of that. */
const EXCHANGES: Readonly<
  Record<GrantType, { readonly names: readonly string[]; redeem(exchange: Exchange, request: LoginRequest): Issued }>
> = {
  authorization_code: { names: ['code', 'code_verifier', 'redirect_uri'], redeem: redeemCode },
  refresh_token: { names: ['refresh_token', 'scope'], redeem: refresh },
  client_credentials: {
    names: ['scope'],
    redeem(exchange, { base }) {
      const { draft, client, parameters } = exchange;
      if (!client.client_secret) throw notAllowed('a public client cannot prove who it is');
      for (const each of parameters.resources) assertResource(each, toResource(base));
      return issueToClient(exchange, getClientUser(draft));
    },
  },
  'urn:ietf:params:oauth:grant-type:device_code': { names: ['device_code'], redeem: redeemDeviceCode },
};

const notAllowed = (reason: string): LoginError =>
  invalidRequest('requested grant type is not allowed for this client', reason);

function exchange(request: LoginRequest, draft: Draft): RouteResponse {
  const { now, issuer, base, header } = request;
  const parameters = readForm(request);
  const client = authenticate(draft, parameters, header('authorization'));
  assertOnce(parameters, ['grant_type']);
  const [wanted] = expectParameters(parameters, 'grant_type');
  const type = GRANT_TYPES.find((each) => each === wanted);
  if (type === undefined) {
    const reason = `${wanted} is none of ${GRANT_TYPES.join(', ')}`;
    throw new LoginError('unsupported_grant_type', 'unsupported grant_type requested', reason);
  }
  if (!client.grant_types.includes(type)) throw notAllowed(`its grant_types are ${client.grant_types.join(', ')}`);
  const { names, redeem } = EXCHANGES[type];
  assertOnce(parameters, names);
  if (names.includes('scope')) assertScope(parameters.get('scope'));
  const assertTarget = () => {
    for (const each of parameters.resources) assertKnownResource(each, toResource(base));
  };
  const issued = redeem({ draft, client, parameters, now, assertTarget }, request);
  const { user, scopes, token, refreshToken, nonce } = issued;
  const claims = { issuer, clientId: client.client_id, user, scopes, nonce, now };
  return toJson({
    access_token: token,
    expires_in: ACCESS_LIFETIME / 1_000,
    ...(scopes.includes('openid') && { id_token: makeIdToken(draft.settings, claims) }),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    // Scopes of the login itself are no scopes of the access token. Source: oidc-provider.
    scope: scopes.filter(isOfApi).join(' '),
    token_type: 'Bearer',
  });
}

const SECRETS = ['code', 'code_verifier', 'device_code', 'client_secret', 'access_token', 'refresh_token', 'id_token'];

export const tokenRoutes = [
  loginRoute('POST', '/oauth/reg', 'registerClient', 'Register a client', ['client_secret'], {
    write: (request, draft) => toJson(registerClient(draft, readJsonBody(request), request.now), 201),
  }),
  loginRoute('POST', '/oauth/token', 'getTokens', 'Exchange a code or a token for tokens', SECRETS, {
    write: exchange,
  }),
];
