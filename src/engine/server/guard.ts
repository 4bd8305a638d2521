import { type BlockList, isIP, isIPv6 } from 'node:net';
import type { HttpRequest } from '../api/http-request.js';
import { ApiError } from '../lib/errors.js';
import type { ControlToken } from './control-token.js';

/** The parts of a request by which it is trusted. */
export type Sender = Pick<HttpRequest, 'path' | 'header' | 'remoteAddress'>;

export interface TrustOptions {
  /** Host names, other than the loopback ones, that may use the control API; with a dot at the start, all names below. */
  readonly allowedHosts: readonly string[];
  /** Networks, other than this machine, that may use the control API. */
  readonly controlFrom: BlockList;
  /** Allows every request that sends it as `X-Emulator-Control-Token`. */
  readonly controlToken?: string | undefined;
}

const METRICS = '/_emulator/metrics';

/** Host names by which a machine reaches itself. */
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Finds why a request may not use the control API. Undefined for one with the control token.
 * Others must come from this machine or an allowed network, and not from a page of another site. The `Host` shows pages
 * whose own name resolves to this machine (DNS rebinding). The other headers show pages that name it themselves.
 * @param token undefined without a control token
 * @returns an error 403, or 429 after too many wrong tokens
 */
export function findRefusal(request: Sender, trust: TrustOptions, token?: ControlToken): ApiError | undefined {
  const sent = request.header('x-emulator-control-token');
  const limit = sent === undefined ? undefined : token?.refuse(request);
  if (sent !== undefined && !limit && token?.accepts(sent, request)) return undefined;
  const refusal = findRemoteRefusal(request, trust);
  return refusal && (limit ?? refusal);
}

/** Finds why a request is not from this machine or an allowed network. */
function findRemoteRefusal(request: Sender, { allowedHosts, controlFrom }: TrustOptions): ApiError | undefined {
  const { remoteAddress, path } = request;
  if (remoteAddress !== undefined && !isLoopback(remoteAddress) && !isListed(controlFrom, remoteAddress)) {
    const advice = 'Allow its network by the option controlFrom, or send the token of controlToken';
    return new ApiError(403, `The control API does not accept requests from ${remoteAddress}. ${advice}.`);
  }
  const isTrusted = (name: string | undefined) =>
    name !== undefined && (LOOPBACK.test(name) || allowedHosts.some((allowed) => isBelow(name, allowed)));
  const [host, origin, site] = ['host', 'origin', 'sec-fetch-site'].map((name) => request.header(name));
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

const parseHostname = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).hostname : undefined);
