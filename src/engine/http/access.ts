import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { routeNotFound } from '../api/errors.js';
import type { HttpRequest } from '../api/http-request.js';
import type { Route } from '../api/route.js';
import type { Match } from '../api/router.js';
import type { Credential } from '../definition/define.js';
import { ApiError } from '../lib/errors.js';
import { decode, isRead } from '../lib/target.js';
import type { Instant } from '../lib/time.js';
import type { Service } from '../service.js';
import { hasScope, hasToken, type Identity, identify, nameScopes, readToken } from '../state/callers.js';
import { missingScope, notBearer, unauthorized } from '../state/errors.js';
import type { State } from '../state/state.js';
import { readRouteBody, WIRE_INPUT } from './input.js';
import { DASHBOARD, SIGN_IN } from './paths.js';

// Who may do what. To the API: callers by their tokens. To the control API: this machine, networks, pages that have signed in.

/**
 * Returns the match of a request that may go on to its route.
 * @throws ApiError 401 for a missing or unknown token, 403 without the scope of the route. For an unknown route 404 or 501, or 400 or 413 for its body
 */
export function authorize(
  request: HttpRequest,
  { token, caller, credential, expiredAt }: Identity,
  state: State,
  service: Pick<Service, 'findNotImplemented'>,
): Match<Route> {
  const { match } = request;
  if (!match) {
    const error =
      service.findNotImplemented?.(request.method, request.path) ?? routeNotFound(request.method, request.target);
    if (error.status === 404 && decode(request.path) !== undefined) readRouteBody(request, undefined, WIRE_INPUT.parse);
    throw error;
  }
  const isUnknownToken = token !== undefined && !caller;
  if (isUnknownToken) assertBearer(request.header('authorization') ?? '', state);
  if (isUnknownToken || (match.route.auth === 'required' && !caller)) throw unauthorized(isUnknownToken, expiredAt);
  assertScope(state, credential, match.route.scope);
  return match;
}

/** Asserts that a header with an unknown token has the word that precedes one. @throws RefusalError 401 */
function assertBearer(authorization: string, state: State): void {
  if (/^bearer\b/i.test(authorization)) return;
  const words = [authorization, authorization.slice(authorization.lastIndexOf(' ') + 1)];
  // An unknown one may be a token of the real service.
  throw notBearer(words.find((each) => hasToken(state, each)));
}

/**
 * Asserts that a token has a scope.
 * @param credential undefined for a token that may do all, and for a request without one
 * @throws ApiError 403
 */
export function assertScope(state: State, credential: Credential | undefined, scope: string | undefined): void {
  if (scope !== undefined && !hasScope(state, credential, scope)) throw missingScope(nameScopes(state, scope));
}

/** Whether a request has the token of a caller, with the scope of its route. */
export function mayPass({ header, match }: HttpRequest, state: State, now: Instant): boolean {
  const { caller, credential } = identify(state, readToken(header('authorization')), now);
  return caller !== undefined && hasScope(state, credential, match?.route.scope);
}

/** The parts of a request by which it is trusted. */
export type Sender = Pick<HttpRequest, 'method' | 'path' | 'origin' | 'header' | 'remoteAddress'> & {
  /** Whether a browser reads the response into a frame, and thus cannot add a header. */
  readonly isFrame?: boolean;
};

export interface TrustOptions {
  /** Host names, other than the loopback ones, that may use the control API; with a dot at the start, all names below. */
  readonly allowedHosts: readonly string[];
  /** Networks, other than this machine, that may use the control API. */
  readonly controlFrom: BlockList;
  /** Allows every request that sends it as `X-Emulator-Control-Token`. */
  readonly controlToken?: string | undefined;
}

/** Who may use the control API from elsewhere. */
export interface ControlAccess {
  readonly token: ControlToken;
  readonly signIns: SignIns;
}

const METRICS = '/_emulator/metrics';

/** Host names by which a machine reaches itself. */
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Finds why a request may not use the control API. Undefined for one with the control token.
 * Others must come from this machine, an allowed network or a page that has signed in, and not from a page of another site.
 * @param access undefined without a control token
 * @returns an error 403, or 429 after too many wrong tokens
 */
export function findRefusal(request: Sender, trust: TrustOptions, access?: ControlAccess): ApiError | undefined {
  const sent = request.header('x-emulator-control-token');
  const limit = sent === undefined ? undefined : access?.token.refuse(request);
  if (sent !== undefined && !limit && access?.token.accepts(sent, request)) return undefined;
  const refusal = findSenderRefusal(request, trust, access) ?? findSiteRefusal(request, trust);
  return refusal && (limit ?? refusal);
}

/** Finds why the sender of a request is neither of this machine, nor of an allowed network, nor a page that signs in or has done so. */
function findSenderRefusal(request: Sender, { controlFrom }: TrustOptions, access?: ControlAccess) {
  const { remoteAddress, path } = request;
  if (access && path === SIGN_IN) return findForgery(request);
  const isNear = remoteAddress === undefined || isLoopback(remoteAddress) || isListed(controlFrom, remoteAddress);
  // The page itself has no data, and shows a form.
  if (isNear || (access && path.startsWith(DASHBOARD))) return undefined;
  if (access?.signIns.has(request)) return findForgery(request);
  const advice = 'Allow its network by the option controlFrom, or send the token of controlToken';
  return new ApiError(403, `The control API does not accept requests from ${remoteAddress}. ${advice}.`);
}

/**
 * Finds why a request with a cookie is not of our page. A browser sends the cookie for pages of other ports of the host as
 * well: cookies ignore ports, which are the same site. No other page can add the header without a preflight. A frame cannot add it
 * either: no other page can read its content, and its policy lets no other page show it.
 */
function findForgery({ method, origin, header, isFrame }: Sender): ApiError | undefined {
  const own = new URL(origin).origin;
  const rules = [
    ['X-Emulator-Page', (value?: string) => value === '1' || (isFrame && value === undefined), '1'],
    ['Origin', (value?: string) => (value === undefined ? isRead(method) : value === own), own],
    ['Sec-Fetch-Site', (value?: string) => value === undefined || value === 'same-origin', 'same-origin'],
  ] as const;
  for (const [name, accepts, expected] of rules) {
    const found = header(name.toLowerCase());
    if (accepts(found)) continue;
    const message = `The control API accepts a sign-in from its own page only, with ${name}: ${expected}`;
    return new ApiError(403, `${message}; found ${JSON.stringify(found ?? '')}`);
  }
  return undefined;
}

/**
 * Finds why a request may be of a page of another site. The `Host` shows pages whose own name resolves to this machine (DNS
 * rebinding). The other headers show pages that name it themselves.
 */
function findSiteRefusal({ path, header }: Sender, { allowedHosts }: TrustOptions): ApiError | undefined {
  const isTrusted = (name: string | undefined) =>
    name !== undefined && (LOOPBACK.test(name) || allowedHosts.some((allowed) => isBelow(name, allowed)));
  const [host, origin, site] = ['host', 'origin', 'sec-fetch-site'].map((name) => header(name));
  const hostname = parseHostname(`http://${host ?? ''}`);
  // Prometheus names a pod by its address, and no page has an address that was made to resolve to this machine.
  const isAddress = path === METRICS && isIP(hostname?.replace(/^\[|\]$/g, '') ?? '') !== 0;
  if (!isAddress && !isTrusted(hostname)) return forbidden('Host', host);
  if (origin !== undefined && !isTrusted(parseHostname(origin))) return forbidden('Origin', origin);
  // A browser sends no Origin for an image or a link: https://www.w3.org/TR/fetch-metadata/
  if (origin !== undefined || (site !== 'cross-site' && site !== 'same-site')) return undefined;
  const message = 'The control API does not accept requests from pages of other sites';
  return new ApiError(403, `${message}; found Sec-Fetch-Site ${JSON.stringify(site)}`);
}

/** Whether a name is the allowed one, or below one that starts with a dot. */
const isBelow = (name: string, allowed: string): boolean =>
  allowed.startsWith('.') ? `.${name}`.endsWith(allowed) : name === allowed;

const isLoopback = (address: string): boolean => /^(?:127\.|::1$|::ffff:127\.)/i.test(address);

/** Whether a program of this machine has sent a request, and no proxy says that it forwards another request. */
export const isOfThisMachine = ({ remoteAddress, header }: Pick<Sender, 'remoteAddress' | 'header'>): boolean =>
  (remoteAddress === undefined || isLoopback(remoteAddress)) &&
  ['forwarded', 'x-forwarded-for'].every((name) => header(name) === undefined);

/** Checks an address, which a socket for both families gives as `::ffff:10.0.0.1`. */
function isListed(networks: BlockList, address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return networks.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}

const forbidden = (header: string, found: string | undefined) =>
  new ApiError(
    403,
    `The control API accepts loopback hosts and those in the option allowedHosts only; found ${header} ${JSON.stringify(found ?? '')}`,
  );

/** Scheme, host and port alone. A parser of URLs reads more as a host: `localhost/evil`, `evil@localhost`, `local%68ost`. */
const ORIGIN = /^[a-z][\w+.-]*:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d*)?$/i;

const parseHostname = (origin: string): string | undefined =>
  ORIGIN.test(origin) && URL.canParse(origin) ? new URL(origin).hostname : undefined;

/** Wrong control tokens that an address may send within the window. */
export const MAX_ATTEMPTS = 10;
/** Milliseconds from the first wrong token of an address. */
const WINDOW_MS = 60_000;
/** Addresses that are remembered; the oldest is forgotten. */
const MAX_ADDRESSES = 1_000;
const NONE = { count: 0, end: 0 };

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time, so that the time does not reveal a part of the token. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/** Checks who has sent the control token, and limits the attempts at it by the address of the client. */
export class ControlToken {
  readonly #token: string;
  readonly #systemTime: () => Instant;
  readonly #failures = new Map<string, { readonly count: number; readonly end: Instant }>();

  constructor(token: string, systemTime: () => Instant) {
    this.#token = token;
    this.#systemTime = systemTime;
  }

  /** Returns the error for an address with too many wrong tokens. Undefined for any other. */
  refuse({ remoteAddress = '' }: Pick<HttpRequest, 'remoteAddress'>): ApiError | undefined {
    const now = this.#systemTime();
    const { count, end } = this.#failures.get(remoteAddress) ?? NONE;
    if (count < MAX_ATTEMPTS || now >= end) return undefined;
    const seconds = Math.ceil((end - now) / 1_000);
    const message = `Too many wrong control tokens (${MAX_ATTEMPTS} a minute). Try again in ${seconds} seconds.`;
    return new ApiError(429, message, undefined, seconds);
  }

  /** @throws ApiError 403 for another text than the token, 429 after too many of them */
  assert(text: string, request: Pick<HttpRequest, 'remoteAddress'>): void {
    const limit = this.refuse(request);
    if (limit) throw limit;
    if (!this.accepts(text, request)) throw new ApiError(403, 'This is not the control token of the emulator.');
  }

  /** Whether a string is the token, which resets the count of the address. Another string is counted. */
  accepts(text: string, { remoteAddress = '' }: Pick<HttpRequest, 'remoteAddress'>): boolean {
    const isRight = isSame(text, this.#token);
    const { count, end } = this.#failures.get(remoteAddress) ?? NONE;
    this.#failures.delete(remoteAddress);
    if (isRight) return true;
    const now = this.#systemTime();
    this.#failures.set(remoteAddress, now < end ? { count: count + 1, end } : { count: 1, end: now + WINDOW_MS });
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > MAX_ADDRESSES && oldest !== undefined) this.#failures.delete(oldest);
    return false;
  }
}

/** Sign-ins that are remembered; the oldest is forgotten. */
const MAX_SIGN_INS = 1_000;

/** The browsers that have signed in with the control token. Each has a random id in a cookie, and all end with the process. */
export class SignIns {
  readonly #name: string;
  readonly #ids = new Set<string>();

  /** @param instance by which the cookies of two emulators on one host differ: cookies ignore ports */
  constructor(instance: string) {
    this.#name = `emulator-${instance}`;
  }

  has(request: Pick<HttpRequest, 'header'>): boolean {
    return this.#ids.has(this.#read(request));
  }

  /** Adds a browser. Returns the cookie that it gets. */
  add(request: Pick<HttpRequest, 'origin'>): string {
    const id = randomBytes(32).toString('base64url');
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > MAX_SIGN_INS && oldest !== undefined) this.#ids.delete(oldest);
    return this.#format(request, id);
  }

  /** Removes a browser. Returns what removes its cookie. */
  delete(request: Pick<HttpRequest, 'header' | 'origin'>): string {
    this.#ids.delete(this.#read(request));
    return `${this.#format(request, '')}; Max-Age=0`;
  }

  #read({ header }: Pick<HttpRequest, 'header'>): string {
    const start = `${this.#name}=`;
    const cookies = (header('cookie') ?? '').split(/; */);
    return cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length) ?? '';
  }

  #format({ origin }: Pick<HttpRequest, 'origin'>, id: string): string {
    const { protocol, pathname } = new URL(origin);
    const secure = protocol === 'https:' ? '; Secure' : '';
    return `${this.#name}=${id}; Path=${pathname.replaceAll(';', '%3B')}; HttpOnly; SameSite=Strict${secure}`;
  }
}

/** Networks by name: of this machine's gateway, where the connections of the host of a container come from, and its own. */
const NAMED: Readonly<Record<string, () => readonly string[]>> = {
  gateway: readGateway,
  subnet: () =>
    Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.flatMap(({ cidr }) => cidr ?? [])),
};

function split(network: string): { address: string; prefix: number; maximum: number } {
  const [address = '', prefix, ...rest] = network.split('/');
  const maximum = isIPv6(address) ? 128 : 32;
  if (prefix === undefined) return { address, prefix: maximum, maximum };
  return { address, prefix: rest.length === 0 && /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN, maximum };
}

/** Whether a string is an address, a network in CIDR notation, `gateway`, or `subnet`. */
export function isNetwork(text: string): boolean {
  const { address, prefix, maximum } = split(text);
  return Object.hasOwn(NAMED, text) || (isIP(address) !== 0 && prefix <= maximum);
}

/** Makes the list of the addresses in some networks. The named ones are read from this machine. */
export function makeBlockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks.flatMap((each) => NAMED[each]?.() ?? each)) {
    const { address, prefix } = split(network);
    list.addSubnet(address, prefix, isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Reads the default gateway of Linux, in hexadecimal digits from the last byte to the first; none elsewhere. */
function readGateway(): readonly string[] {
  try {
    const routes = readFileSync('/proc/net/route', 'utf8').split('\n');
    const [, , gateway] = routes.find((route) => route.split('\t')[1] === '00000000')?.split('\t') ?? [];
    return gateway === undefined ? [] : [Buffer.from(gateway, 'hex').reverse().join('.')];
  } catch {
    return [];
  }
}
