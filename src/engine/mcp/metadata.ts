import type { ToolServer } from '../api/tool.js';

const RESOURCE = '/.well-known/oauth-protected-resource';
const SERVER = '/.well-known/oauth-authorization-server';

/**
 * Returns the metadata at a path: of the endpoint (RFC 9728), or of its authorization server (RFC 8414), which is the emulator.
 * Clients append the path of the endpoint, or of a sandbox. Undefined for another path.
 */
export function toMetadata(path: string, base: string, { path: endpoint, scopes }: ToolServer): object | undefined {
  const [known, rest = ''] =
    [RESOURCE, SERVER].flatMap((each) =>
      path === each || path.startsWith(`${each}/`) ? [[each, path.slice(each.length)]] : [],
    )[0] ?? [];
  if (known === undefined) return undefined;
  const issuer = base + (rest.endsWith(endpoint) ? rest.slice(0, -endpoint.length) : rest).replace(/\/$/, '');
  const common = { scopes_supported: [...scopes] };
  if (known === RESOURCE) {
    return { resource: issuer, authorization_servers: [issuer], bearer_methods_supported: ['header'], ...common };
  }
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/auth`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/reg`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    ...common,
  };
}
