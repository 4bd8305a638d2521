export function parseTarget(target: string): { path: string; query: URLSearchParams } {
  const end = target.indexOf('?');
  if (end < 0) return { path: target, query: new URLSearchParams() };
  return { path: target.slice(0, end), query: new URLSearchParams(target.slice(end + 1)) };
}

/** Parses a query to strings, and to lists for repeated parameters. */
export function parseQuery(query: URLSearchParams): Record<string, string | string[]> {
  // No prototype, so that a parameter named `__proto__` is just a key.
  const parsed: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of query) {
    const existing = parsed[name];
    if (existing === undefined) parsed[name] = value;
    else if (Array.isArray(existing)) existing.push(value);
    else parsed[name] = [existing, value];
  }
  return parsed;
}
