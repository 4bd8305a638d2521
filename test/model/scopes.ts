/** What a scope of a token allows, as docs/fixtures.md says. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  val_r: ['val:read'],
  val_rw: ['val:write'],
  user_r: ['user:read'],
  blob_rw: ['blob:write'],
  sqlite_rw: ['sqlite:write'],
};

/** The scope of a route. A token of this model has none of SQLite, or both, so one is enough. */
function scopeOf(route: string): string {
  const [method = '', path = ''] = route.split(' ');
  const access = method === 'GET' ? 'read' : 'write';
  if (/^\/v1\/(me|users\/\{user_id\}|alias\/\{username\})$/.test(path)) return 'user:read';
  if (path.startsWith('/v1/email')) return 'email:write';
  if (path.startsWith('/v1/blob')) return `blob:${access}`;
  return path.startsWith('/v1/sqlite') ? 'sqlite:read' : `val:${access}`;
}

/** Returns the scope that a token with some scopes lacks for a route. */
export function missingScope(route: string, scopes: readonly string[]): string | undefined {
  const wanted = scopeOf(route);
  const all = scopes.flatMap((scope) => MEANT[scope] ?? [scope]);
  return all.includes(wanted) || all.includes(wanted.replace('read', 'write')) ? undefined : wanted;
}
