import type { Explained } from '#engine/api/plan.js';
import { RouteResponse } from '#engine/api/route-response.js';
import type { Draft } from '#vals/lib/state.collection.js';
import { type Authorization, decide, readAuthorization } from './authorization.rules.js';
import { listUsers, readDecision, toPlace } from './decisions.routes.js';
import { type LoginRequest, loginRoute, toErrorJson } from './define.routes.js';
import type { LoginError } from './errors.rules.js';
import { findLoginUser } from './grants.rules.js';
import { askUser, showEnd } from './pages.routes.js';

const SECRETS = ['code'];

const redirect = (location: string): RouteResponse =>
  new RouteResponse(303, { location, 'cache-control': 'no-store', 'content-length': '0' });

/** Refuses a login that leads nowhere: on a page if a person reads it. */
function refuseHere({ header }: LoginRequest, error: LoginError): RouteResponse {
  if (!/\btext\/html\b/.test(header('accept') ?? '')) return toErrorJson(error);
  const reason = error.reason === undefined ? '' : ` (${error.reason})`;
  return showEnd('This login is not possible', `${error.error}: ${error.message}${reason}`, 400);
}

/** Handles a login that is not refused for its address. */
function handle(
  request: LoginRequest,
  draft: Draft,
  act: (authorization: Authorization) => RouteResponse,
): RouteResponse | Explained<RouteResponse> {
  const found = readAuthorization(draft, request.links.query ?? new URLSearchParams(), toPlace(request));
  if ('leadTo' in found) return act(found);
  const { error, location } = found;
  return { value: location === undefined ? refuseHere(request, error) : redirect(location), reason: error.reason };
}

export const authorizationRoutes = [
  loginRoute('GET', '/oauth/auth', 'beginLogin', 'Ask a user who logs in, and for what', SECRETS, {
    write: (request, draft) =>
      handle(request, draft, (authorization) => {
        const { asked, hint } = authorization;
        const user = findLoginUser(draft);
        if (user) return redirect(decide(draft, authorization, { user }, request.now));
        const place = new URL(asked.redirectUri).host || asked.redirectUri;
        return askUser({ client: asked.client, scopes: asked.scopes, place, users: listUsers(draft), hint });
      }),
  }),
  loginRoute('POST', '/oauth/auth', 'decideOnLogin', 'Log a user in, or deny it', SECRETS, {
    write: (request, draft) =>
      handle(request, draft, (authorization) => {
        const { decision } = readDecision(request, draft);
        return redirect(decide(draft, authorization, decision, request.now));
      }),
  }),
];
