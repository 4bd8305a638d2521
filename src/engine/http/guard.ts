import { type BlockList, isIP, isIPv6 } from 'node:net';
import type { HttpRequest } from '../api/http-request.js';
import { ApiError } from '../lib/errors.js';
import { isRead } from '../lib/target.js';
import type { ControlToken } from './control-token.js';
import { DASHBOARD, SIGN_IN } from './paths.js';
import type { SignIns } from './sign-ins.js';

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

/** Whether a program of this machine has sent a request, and no proxy says that it passes on the one of another. */
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
