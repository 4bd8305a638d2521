import type { RouteResponse } from '#engine/api/route-response.js';
import type { Draft, State } from '#vals/lib/state.collection.js';
import { getHandle } from '#vals/users/users.collection.js';
import { toResource } from './addresses.rules.js';
import { authenticate } from './authentication.rules.js';
import { assertResource, selectAllowed } from './authorization.rules.js';
import { findClient } from './clients.rules.js';
import { listUsers, readDecision } from './decisions.routes.js';
import { type LoginRequest, loginRoute, readForm, toJson } from './define.routes.js';
import { invalidRequest, LoginError } from './errors.rules.js';
import {
  assertScope,
  DEVICE_LIFETIME,
  decideOnDevice,
  findDevice,
  findLoginUser,
  makeDeviceCode,
} from './grants.rules.js';
import { askForCode, askUser, showEnd } from './pages.routes.js';
import { assertOnce, expectParameters, readParameters } from './parameters.rules.js';

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

function begin(request: LoginRequest, draft: Draft): RouteResponse {
  const form = readForm(request);
  const client = authenticate(draft, form, request.header('authorization'));
  assertOnce(form, ['scope']);
  if (!client.grant_types.includes(DEVICE_CODE)) {
    throw invalidRequest(`${DEVICE_CODE} is not allowed for this client`);
  }
  const scope = form.get('scope');
  assertScope(scope);
  for (const each of form.resources) assertResource(each, toResource(request.base));
  const grant = makeDeviceCode(draft, client, scope, request.now);
  const user = findLoginUser(draft);
  if (user) decideOnDevice(draft, grant, user, grant.scopes);
  const uri = `${request.issuer}/device`;
  return toJson({
    device_code: grant.secret,
    user_code: grant.userCode,
    verification_uri: uri,
    verification_uri_complete: `${uri}?user_code=${grant.userCode}`,
    expires_in: DEVICE_LIFETIME / 1_000,
  });
}

function ask({ links: { query = new URLSearchParams() }, now }: LoginRequest, state: State): RouteResponse {
  const code = readParameters(query).get('user_code');
  if (code === undefined) return askForCode();
  try {
    const { clientId, scopes, userCode = '' } = findDevice(state, code, now);
    const client = findClient(state, clientId);
    if (!client) return askForCode('The program of this code is gone.');
    const place = `a device that shows ${userCode}`;
    return askUser({ client, place, scopes, users: listUsers(state), fields: { user_code: userCode } });
  } catch (error) {
    if (error instanceof LoginError) return askForCode(error.message);
    throw error;
  }
}

function decide(request: LoginRequest, draft: Draft): RouteResponse {
  const { form, decision } = readDecision(request, draft);
  const { user } = decision;
  const [code = ''] = expectParameters(form, 'user_code');
  const grant = findDevice(draft, code, request.now);
  decideOnDevice(draft, grant, user, selectAllowed(grant.scopes, decision));
  return user
    ? showEnd('You are logged in', `The device is logged in as ${getHandle(user)}. You can close this page.`)
    : showEnd('The login was denied', 'The device is not logged in. You can close this page.');
}

export const deviceRoutes = [
  loginRoute(
    'POST',
    '/oauth/device/auth',
    'beginDeviceLogin',
    'Begin the login of a device',
    ['device_code', 'client_secret'],
    { write: begin },
  ),
  loginRoute('GET', '/oauth/device', 'askForDevice', 'Ask a user for the code of a device, and who logs in', [], {
    read: ask,
  }),
  loginRoute('POST', '/oauth/device', 'decideOnDevice', 'Log a user in on a device, or deny it', [], { write: decide }),
];
