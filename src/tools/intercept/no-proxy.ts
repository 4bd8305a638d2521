type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the entries of `NO_PROXY`. The lower-case variable takes precedence, as in curl. */
export const readNoProxy = ({ no_proxy, NO_PROXY }: Environment): string[] =>
  (no_proxy ?? NO_PROXY ?? '').split(/[\s,]+/).filter((entry) => entry !== '');

/** Whether an entry of `NO_PROXY` names a host, or a domain that it is in. */
export function coversName(entry: string, name: string): boolean {
  const domain = entry
    .toLowerCase()
    .replace(/^\*?\./, '')
    .replace(/:\d+$/, '');
  return domain === '*' || name === domain || name.endsWith(`.${domain}`);
}

/** Finds the proxy that was in force for a host. */
export function findProxy(scheme: 'http' | 'https', host: string, env: Environment): string | undefined {
  if (readNoProxy(env).some((entry) => coversName(entry, host))) return undefined;
  const names = [`${scheme}_proxy`, `${scheme}_PROXY`.toUpperCase(), 'all_proxy', 'ALL_PROXY'];
  const proxy = names.map((name) => env[name]).find((value) => value);
  return proxy === undefined || proxy.includes('://') ? proxy : `http://${proxy}`;
}
