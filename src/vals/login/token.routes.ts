import type { RouteResponse } from '#engine/api/route-response.js';
import type { Draft, State } from '#vals/lib/state.collection.js';
import type { User } from '#vals/users/users.collection.js';
import { toResource } from './addresses.rules.js';
import { authenticate } from './authentication.rules.js';
import { assertResource } from './authorization.rules.js';
import { type Client, GRANT_TYPES, type GrantType } from './clients.collection.js';
import { registerClient } from './clients.rules.js';
import { listUsers } from './decisions.routes.js';
import { type LoginRequest, loginRoute, readForm, readJsonBody, toJson } from './define.routes.js';
import { invalidGrant, invalidRequest, LoginError } from './errors.rules.js';
import {
  ACCESS_LIFETIME,
  findLoginUser,
  type Issued,
  issueToClient,
  redeemCode,
  redeemDeviceCode,
  refresh,
} from './grants.rules.js';
import { makeIdToken } from './id-token.rules.js';
import { expectParameters, type Parameters } from './parameters.rules.js';

/** Finds the user that a client acts as, which has none: the one of the option `login`, else the first. @throws LoginError */
function getClientUser(state: State): User {
  const [first] = listUsers(state);
  const user = findLoginUser(state) ?? first;
  if (!user) throw invalidGrant('there is no user to act as');
  return user;
}

/** What a client gives for tokens. */
const EXCHANGES: Readonly<
  Record<GrantType, (draft: Draft, client: Client, form: Parameters, request: LoginRequest) => Issued>
> = {
  authorization_code: (draft, client, form, { now }) => redeemCode(draft, client, form, now),
  refresh_token: (draft, client, form, { now }) => refresh(draft, client, form, now),
  client_credentials(draft, client, form, { now }) {
    if (!client.client_secret) throw notAllowed('a public client cannot prove who it is');
    return issueToClient(draft, client, form.get('scope'), getClientUser(draft), now);
  },
  'urn:ietf:params:oauth:grant-type:device_code': (draft, client, form, { now }) =>
    redeemDeviceCode(draft, client, form, now),
};

const notAllowed = (reason: string): LoginError =>
  invalidRequest('requested grant type is not allowed for this client', reason);

function exchange(request: LoginRequest, draft: Draft): RouteResponse {
  const { now, issuer, base, header } = request;
  const form = readForm(request, ['resource']);
  const client = authenticate(draft, form, header('authorization'));
  const [wanted] = expectParameters(form, 'grant_type');
  const type = GRANT_TYPES.find((each) => each === wanted);
  if (type === undefined) {
    const reason = `${wanted} is none of ${GRANT_TYPES.join(', ')}`;
    throw new LoginError('unsupported_grant_type', 'unsupported grant_type requested', reason);
  }
  if (!client.grant_types.includes(type)) throw notAllowed(`its grant_types are ${client.grant_types.join(', ')}`);
  for (const each of form.all('resource')) assertResource(each, toResource(base));
  const { user, scopes, token, refreshToken, nonce } = EXCHANGES[type](draft, client, form, request);
  const claims = { issuer, clientId: client.client_id, user, scopes, nonce, now };
  return toJson({
    access_token: token,
    expires_in: ACCESS_LIFETIME / 1_000,
    ...(scopes.includes('openid') && { id_token: makeIdToken(draft.settings, claims) }),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    scope: scopes.join(' '),
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
