// What a token may do. Source of both vocabularies: the service's documentation of tokens and of OAuth, July 2026.

/** The scopes of routes. Those of projects are apart from those of the vals of /v1, since OAuth has a name for each. */
export type Scope =
  | `${'val' | 'project' | 'user' | 'blob' | 'sqlite' | 'email'}:${'read' | 'write'}`
  | 'telemetry:read';

/** The scopes of tokens, with the scopes of routes that each has: write includes read. */
const OF_TOKENS = {
  'val:read': ['val:read', 'project:read'],
  'val:write': ['val:read', 'val:write', 'project:read', 'project:write'],
  'user:read': ['user:read'],
  'user:write': ['user:read', 'user:write'],
  'blob:read': ['blob:read'],
  'blob:write': ['blob:read', 'blob:write'],
  'sqlite:read': ['sqlite:read'],
  'sqlite:write': ['sqlite:read', 'sqlite:write'],
  'email:read': ['email:read'],
  'email:write': ['email:read', 'email:write'],
  'telemetry:read': ['telemetry:read'],
} as const satisfies Record<string, readonly Scope[]>;

/** The scopes of OAuth, in the same way. */
const OF_OAUTH = {
  user_r: ['user:read'],
  user_rw: ['user:read', 'user:write'],
  project_rw: ['project:read', 'project:write'],
  blob_rw: ['blob:read', 'blob:write'],
  sqlite_rw: ['sqlite:read', 'sqlite:write'],
  email_rw: ['email:read', 'email:write'],
  telemetry_r: ['telemetry:read'],
  val_r: ['val:read'],
  val_rw: ['val:read', 'val:write'],
  // Of the login, without effect on the API.
  openid: [],
  profile: [],
  email: [],
  offline_access: [],
} as const satisfies Record<string, readonly Scope[]>;

const GRANTED: Readonly<Record<TokenScope, readonly Scope[]>> = { ...OF_TOKENS, ...OF_OAUTH };

export type TokenScope = keyof typeof OF_TOKENS | keyof typeof OF_OAUTH;

const listKeys = <T extends object>(table: T) => Object.keys(table) as Extract<keyof T, string>[];

/** All that a token can have, by the names of tokens. */
export const ALL_SCOPES: readonly TokenScope[] = listKeys(OF_TOKENS);
export const OAUTH_SCOPES: readonly TokenScope[] = listKeys(OF_OAUTH);
/** The names of both vocabularies. */
export const SCOPE_NAMES: readonly TokenScope[] = [...ALL_SCOPES, ...OAUTH_SCOPES];

/** Lists the scopes of routes that a token with these scopes has. */
export const toRouteScopes = (scopes: readonly TokenScope[]): Scope[] => [
  ...new Set(scopes.flatMap((scope) => GRANTED[scope])),
];

/** Lists the scopes of tokens that have a scope of a route: the least one of each vocabulary. */
export const toTokenScopes = (scope: string): TokenScope[] =>
  [listKeys(OF_TOKENS), listKeys(OF_OAUTH)].flatMap((names: readonly TokenScope[]) => {
    const least = names.find((name) => GRANTED[name].some((each) => each === scope));
    return least === undefined ? [] : [least];
  });
