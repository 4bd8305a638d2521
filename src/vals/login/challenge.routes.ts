import type { Refused } from '#engine/api/refused.js';

export const RESOURCE_PATH = '/.well-known/oauth-protected-resource';
export const SERVER_PATH = '/.well-known/oauth-authorization-server';
export const OPENID_PATH = '/.well-known/openid-configuration';

/** The names of the routes by which clients find the login. */
export const DISCOVERY = [RESOURCE_PATH, SERVER_PATH, OPENID_PATH, `/oauth${OPENID_PATH}`].map((path) => `GET ${path}`);

/** The scopes of the API that the metadata name. Source: the service's documentation of OAuth, July 2026. */
export const API_SCOPES = ['user_r', 'project_rw', 'blob_rw', 'sqlite_rw', 'email_rw', 'telemetry_r'] as const;

/** Makes the header by which a client of the tools, or of version 2, finds the login, and what its token lacks. Source: RFC 6750, section 3. */
export function challenge({ base, path, status, hasToken, scopes }: Refused): string | undefined {
  if (!/^\/v(?:2|3\/mcp)(?:\/|$)/.test(path)) return undefined;
  const isForbidden = status === 403;
  const error = isForbidden ? 'insufficient_scope' : hasToken && 'invalid_token';
  // The vocabulary of the login, whose names have no colon.
  const scope = isForbidden ? scopes.filter((each) => !each.includes(':')) : API_SCOPES;
  const parts = [
    ...(error ? [`error="${error}"`] : []),
    ...(scope.length > 0 ? [`scope="${scope.join(' ')}"`] : []),
    `resource_metadata="${base}${RESOURCE_PATH}"`,
  ];
  return `Bearer ${parts.join(', ')}`;
}
