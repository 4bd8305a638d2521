import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import type { InterceptionInfo } from '#engine/control/interception.js';
import { findFile, readText } from '#engine/platform/package-files.js';
import { makeKeyStore } from './key-store.js';
import { coversName, readNoProxy } from './no-proxy.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the preload reads from `VAL_EMULATOR_PRELOAD`. */
export interface PreloadSettings extends Pick<InterceptionInfo, 'names' | 'port'> {
  /** Path of the certificate of the authority. */
  readonly authority: string;
  /** Path of the list of refused connections. Undefined if none is refused. */
  readonly refused?: string;
  /** The variables that were changed. Node does not see the variables of the proxy. */
  readonly changes: Readonly<Record<string, { readonly before: string | null; readonly ours: string }>>;
}

export const AUTHORITY_FILE = 'authority.pem';
/** A line for each connection that the preload has refused. */
export const REFUSED_FILE = 'refused';

const PRELOAD = 'dist/preload/node.cjs';

/** Where systems keep their trusted roots: Debian, Fedora, SUSE, Alpine and macOS. Source: crypto/x509 of Go. */
const SYSTEM_ROOTS = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];
/**
 * Variables with trusted roots: those that are read in their absence, and whether they replace the roots of the system.
 * The others add to the roots.
 */
const ROOTS: Readonly<Record<string, { readonly others: readonly string[]; readonly replaces: boolean }>> = {
  SSL_CERT_FILE: { others: [], replaces: true },
  CURL_CA_BUNDLE: { others: ['SSL_CERT_FILE'], replaces: true },
  REQUESTS_CA_BUNDLE: { others: ['CURL_CA_BUNDLE'], replaces: true },
  NODE_EXTRA_CA_CERTS: { others: [], replaces: false },
  DENO_CERT: { others: [], replaces: false },
};

/**
 * Makes the variables by which programs trust the authority and reach the intercepted names. Writes the certificates that
 * they name to the folder of the interception.
 * @param env the variables in force, which the result extends
 */
export function makeVariables(info: InterceptionInfo, inherited: Environment): Record<string, string> {
  const { names, port, folder, only, javaPort } = info;
  const env = restoreVariables(inherited);
  const authority = join(folder, AUTHORITY_FILE);
  const certificate = readFileSync(authority, 'utf8');
  const write = (content: string | Buffer, ending: string) => {
    const path = join(folder, `${createHash('sha256').update(content).digest('hex').slice(0, 12)}.${ending}`);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };
  // Its own file where there is one: a program that outlives the interception loads it in each of its processes.
  const preload = findFile(PRELOAD) ?? write(readText(PRELOAD), 'cjs');
  const system = findText(SYSTEM_ROOTS) ?? rootCertificates.join('\n');
  const bundles = Object.entries(ROOTS).map(([name, { others, replaces }]) => {
    const roots = findText([name, ...others].flatMap((each) => env[each] ?? [])) ?? (replaces ? system : '');
    return [name, write(`${roots}\n${certificate}`, 'pem')] as const;
  });
  const keyStore = write(makeKeyStore(`${system}\n${certificate}`), 'jks');
  const java = [
    ...['http', 'https'].flatMap((scheme) => [`${scheme}.proxyHost=127.0.0.1`, `${scheme}.proxyPort=${javaPort}`]),
    ...[`javax.net.ssl.trustStore=${keyStore}`, 'javax.net.ssl.trustStoreType=jks'],
  ].map((property) => quote(`-D${property}`));
  const variables: Record<string, string> = {
    ...makeProxies(info, env),
    ...Object.fromEntries(bundles),
    NODE_OPTIONS: extend(env.NODE_OPTIONS, `--require ${quote(preload)}`),
    // First, so that properties of the user take precedence.
    JAVA_TOOL_OPTIONS: extend(env.JAVA_TOOL_OPTIONS, java.join(' ')),
  };
  const changes = Object.entries(variables).map(([name, ours]) => [name, { before: env[name] ?? null, ours }]);
  const refused = only ? { refused: join(folder, REFUSED_FILE) } : undefined;
  const settings: PreloadSettings = { names, port, authority, ...refused, changes: Object.fromEntries(changes) };
  return { ...variables, VAL_EMULATOR_PRELOAD: JSON.stringify(settings) };
}

/** Takes back what another interception has changed: a program has the innermost one alone. */
export function restoreVariables({ VAL_EMULATOR_PRELOAD: preload, ...env }: Environment): Environment {
  // Another version may have other settings.
  const { changes = {} }: Partial<PreloadSettings> = JSON.parse(preload ?? '{}');
  const changed = Object.entries(changes).filter(([name, { ours }]) => env[name] === ours);
  return { ...env, ...Object.fromEntries(changed.map(([name, { before }]) => [name, before ?? undefined])) };
}

/** Returns the variables of the proxy in both cases, since some programs read only one. */
function makeProxies({ proxy, names }: InterceptionInfo, env: Environment): Record<string, string> {
  const direct = readNoProxy(env).filter((entry) => !names.some((name) => coversName(entry, name)));
  const none = [...direct, 'localhost', '127.0.0.1', '::1'].join();
  const variables = { https_proxy: proxy, http_proxy: proxy, no_proxy: none };
  const others = Object.entries(variables).map(([name, value]) => [name.toUpperCase(), value] as const);
  return { ...variables, ...Object.fromEntries(others) };
}

/** Reads the first path that is a file. */
function findText(paths: readonly string[]): string | undefined {
  const path = paths.find((each) => statSync(each, { throwIfNoEntry: false })?.isFile());
  return path === undefined ? undefined : readFileSync(path, 'utf8');
}

const extend = (before: string | undefined, ours: string): string => (before ? `${ours} ${before}` : ours);

/** Quotes a word as NODE_OPTIONS and JAVA_TOOL_OPTIONS are read. */
const quote = (word: string): string => (/[\s"\\]/.test(word) ? `"${word.replaceAll(/["\\]/g, '\\$&')}"` : word);
