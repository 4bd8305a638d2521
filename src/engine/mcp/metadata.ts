import type { ToolServer } from '../api/tool.js';
import { METADATA_PATHS } from '../api/tool-route.js';

/**
 * Finds the metadata at a path: of the endpoint (RFC 9728), or of its authorization server (RFC 8414), which is the emulator.
 * Clients append the path of the endpoint, or of a sandbox. Undefined for another path.
 */
export function findMetadata(path: string, base: string, { path: endpoint, scopes }: ToolServer): Metadata | undefined {
  const known = Object.values(METADATA_PATHS).find((each) => path === each || path.startsWith(`${each}/`));
  if (known === undefined) return undefined;
  const rest = path.slice(known.length).replace(/\/$/, '');
  const issuer = base + (rest.endsWith(endpoint) ? rest.slice(0, -endpoint.length) : rest);
  const common = { scopes_supported: [...scopes] };
  const document =
    known === METADATA_PATHS.resource
      ? { resource: issuer, authorization_servers: [issuer], bearer_methods_supported: ['header'], ...common }
      : describeServer(issuer, common);
  return { route: `GET ${known}`, document };
}

interface Metadata {
  readonly route: string;
  readonly document: object;
}

function describeServer(issuer: string, common: object): object {
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
