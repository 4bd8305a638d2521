import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../lib/package.js';
import { makeKeyStore } from './key-store.js';
import { coversName, readNoProxy } from './no-proxy.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** A running interception, as programs reach it. */
export interface InterceptionInfo {
  readonly names: readonly string[];
  /** Port of 127.0.0.1 that serves the names, for Node. */
  readonly port: number;
  /** URL of the proxy with its password, for other programs. */
  readonly proxy: string;
  /** Port of the proxy for Java, which cannot send a password. */
  readonly javaPort: number;
  /** Folder of its files, which is deleted at the end. */
  readonly folder: string;
  /** Whether connections to other hosts are refused. */
  readonly only: boolean;
}

/** What the preload reads from `VAL_EMULATOR_PRELOAD`. */
export interface PreloadSettings extends Pick<InterceptionInfo, 'names' | 'port' | 'folder'> {
  /** Path of the certificate of the authority. */
  readonly authority: string;
  /** Path of the list of refused connections. Undefined if none is refused. */
  readonly refused?: string;
  /** The variables that Node does not see. */
  readonly proxies: Readonly<Record<string, { readonly before: string | null; readonly ours: string }>>;
}

export const AUTHORITY_FILE = 'authority.pem';
/** A line for each connection that the preload has refused. */
export const REFUSED_FILE = 'refused';

/** The built preload. */
const PRELOAD = 'dist/preload/node.cjs';

/** Where systems keep their trusted roots: Debian, Fedora, SUSE, Alpine and macOS. Source: crypto/x509 of Go. */
const SYSTEM_ROOTS = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];
/** Variables that replace the trusted roots, with those that are read in their absence. */
const ROOTS: Readonly<Record<string, readonly string[]>> = {
  SSL_CERT_FILE: [],
  CURL_CA_BUNDLE: ['SSL_CERT_FILE'],
  REQUESTS_CA_BUNDLE: ['CURL_CA_BUNDLE'],
};
/** Variables that add to the trusted roots. */
const EXTRA_ROOTS = ['NODE_EXTRA_CA_CERTS', 'DENO_CERT'];

/**
 * Makes the variables by which programs trust the authority and reach the intercepted names. Writes the certificates that
 * they name to the folder of the interception.
 * @param env the variables in force, which the result extends
 */
export function makeVariables(info: InterceptionInfo, env: Environment): Record<string, string> {
  const { names, port, folder, only, proxy } = info;
  const authority = join(folder, AUTHORITY_FILE);
  const certificate = readFileSync(authority, 'utf8');
  const write = (content: string | Buffer, ending: string) => {
    const path = join(folder, `${createHash('sha256').update(content).digest('hex').slice(0, 12)}.${ending}`);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };
  const system = findText(SYSTEM_ROOTS) ?? rootCertificates.join('\n');
  const bundles = Object.entries(ROOTS).map(([name, others]) => {
    const roots = findText([name, ...others].flatMap((each) => env[each] ?? [])) ?? system;
    return [name, write(`${roots}\n${certificate}`, 'pem')];
  });
  const extras = EXTRA_ROOTS.map((name) => {
    const roots = findText([env[name] ?? []].flat()) ?? '';
    return [name, write(`${roots}\n${certificate}`, 'pem')];
  });
  const proxies = makeProxies(proxy, names, env);
  const preload: PreloadSettings = {
    ...{ names, port, folder, authority },
    ...(only && { refused: join(folder, REFUSED_FILE) }),
    proxies: Object.fromEntries(
      Object.entries(proxies).map(([name, ours]) => [name, { before: env[name] ?? null, ours }]),
    ),
  };
  const keyStore = write(makeKeyStore(`${system}\n${certificate}`), 'jks');
  const java = [
    ...['http', 'https'].flatMap((scheme) => [`${scheme}.proxyHost=127.0.0.1`, `${scheme}.proxyPort=${info.javaPort}`]),
    `javax.net.ssl.trustStore=${keyStore}`,
    'javax.net.ssl.trustStoreType=jks',
  ].map((property) => quote(`-D${property}`));
  return {
    ...proxies,
    ...Object.fromEntries([...bundles, ...extras]),
    NODE_OPTIONS: extend(env.NODE_OPTIONS, `--require ${quote(fileURLToPath(packageFile(PRELOAD)))}`),
    // First, so that properties of the user take precedence.
    JAVA_TOOL_OPTIONS: extend(env.JAVA_TOOL_OPTIONS, java.join(' ')),
    VAL_EMULATOR_PRELOAD: JSON.stringify(preload),
  };
}

/** Returns the variables of the proxy in both cases, since some programs read only one. */
function makeProxies(proxy: string, names: readonly string[], env: Environment): Record<string, string> {
  const direct = readNoProxy(env).filter((entry) => !names.some((name) => coversName(entry, name)));
  const values = {
    https_proxy: proxy,
    http_proxy: proxy,
    no_proxy: [...direct, 'localhost', '127.0.0.1', '::1'].join(),
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => [
      [name, value],
      [name.toUpperCase(), value],
    ]),
  );
}

/** Reads the first of several files that exists. */
function findText(paths: readonly string[]): string | undefined {
  for (const path of paths) {
    try {
      return readFileSync(path, 'utf8');
    } catch {}
  }
  return undefined;
}

const extend = (before: string | undefined, ours: string): string => (before ? `${ours} ${before}` : ours);

/** Quotes a word as NODE_OPTIONS and JAVA_TOOL_OPTIONS are read. */
const quote = (word: string): string => (/[\s"\\]/.test(word) ? `"${word.replaceAll(/["\\]/g, '\\$&')}"` : word);
