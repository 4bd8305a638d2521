import { routeNotFound } from '#engine/api/errors.js';
import { toIssuer, toResource } from './addresses.rules.js';
import { API_SCOPES, OPENID_PATH, RESOURCE_PATH, SERVER_PATH } from './challenge.routes.js';
import { GRANT_TYPES } from './clients.collection.js';
import { type LoginRequest, loginRoute, toJson } from './define.routes.js';
import { getSigningKeys } from './id-token.rules.js';

/** The scopes of a login in addition. Source: the service's documentation of OAuth, July 2026. */
const LOGIN_SCOPES = ['openid', 'profile', 'email'] as const;

const describeResource = (base: string) => ({
  resource: toResource(base),
  authorization_servers: [toIssuer(base)],
  scopes_supported: [...API_SCOPES, ...LOGIN_SCOPES],
  bearer_methods_supported: ['header'],
});

function describeServer(base: string) {
  const issuer = toIssuer(base);
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/reg`,
    device_authorization_endpoint: `${issuer}/device/auth`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: GRANT_TYPES,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    scopes_supported: [...API_SCOPES, ...LOGIN_SCOPES, 'offline_access'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
  };
}

/** Returns the base of the resource or the server that a path of metadata names: a sandbox, or a prefix of a proxy. @throws ApiError 404 */
function findBase({ base, links: { path } }: LoginRequest, known: string, end: RegExp): string {
  const rest = path.slice(known.length).replace(/\/$/, '');
  const found = end.exec(rest);
  if (!found) throw routeNotFound('GET', path);
  const prefix = found.slice(1).join('');
  return base.endsWith(prefix) ? base : base + prefix;
}

/** The path of the tools, below a prefix, a sandbox path or nothing. */
const OF_RESOURCE = /^(.*)\/v3\/mcp$|^((?:\/_sandbox\/[^/]+)?)$/;
const OF_SERVER = /^(.*)\/oauth$/;

const RESOURCE_SUMMARY = 'Get where a client of a resource logs in';
const SERVER_SUMMARY = 'Get the endpoints of a login';

const readResource = (request: LoginRequest) => toJson(describeResource(findBase(request, RESOURCE_PATH, OF_RESOURCE)));
const readServer = (request: LoginRequest) => toJson(describeServer(findBase(request, SERVER_PATH, OF_SERVER)));
const readOpenId = (request: LoginRequest) => toJson(describeServer(findBase(request, OPENID_PATH, OF_SERVER)));

/** Clients append the path of a resource, or of an issuer. */
export const wellKnownRoutes = [
  loginRoute('GET', RESOURCE_PATH, 'getResourceMetadata', RESOURCE_SUMMARY, [], { read: readResource }),
  loginRoute('GET', `${RESOURCE_PATH}/{rest}`, 'getResourceMetadataAt', RESOURCE_SUMMARY, [], { read: readResource }),
  loginRoute('GET', SERVER_PATH, 'getServerMetadata', SERVER_SUMMARY, [], {
    read: ({ base }) => toJson(describeServer(base)),
  }),
  loginRoute('GET', `${SERVER_PATH}/{rest}`, 'getServerMetadataAt', SERVER_SUMMARY, [], { read: readServer }),
  loginRoute('GET', `${OPENID_PATH}/{rest}`, 'getOpenIdMetadataAt', SERVER_SUMMARY, [], { read: readOpenId }),
];

export const metadataRoutes = [
  loginRoute('GET', `/oauth${OPENID_PATH}`, 'getOpenIdMetadata', SERVER_SUMMARY, [], {
    read: ({ base }) => toJson(describeServer(base)),
  }),
  loginRoute('GET', '/oauth/jwks', 'getSigningKeys', 'Get the key that verifies an id_token', [], {
    read: (_request, { settings }) => toJson({ keys: [getSigningKeys(settings).jwk] }),
  }),
];
