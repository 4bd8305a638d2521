import * as http from 'node:http';
import * as https from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { ApiError, reasonFor } from '../../lib/errors.js';
import { describeNetworkError } from '../../lib/network-errors.js';
import { isRead } from '../../lib/target.js';
import { badRequest } from '../../model/errors.js';
import { sendError, toHttpRequest } from '../../server/node.js';
import { BodyCollector, findHeader, type HeaderList, type ProxiedExchange, pairHeaders } from './messages.js';

/** Headers of one connection. Source: RFC 9110, section 7.6.1. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-authenticate', 'proxy-connection', 'te', 'trailer', 'upgrade'];
/** The proxy waits for its body itself, sends its own Host, and reads the response. */
const REPLACED = ['host', 'expect', 'proxy-authorization', 'accept-encoding'];

interface ForwarderOptions {
  /** Base URL of the upstream, without a slash at the end. */
  readonly upstream: string;
  /** Milliseconds until the upstream must have begun to respond. */
  readonly timeout: number;
  /** Called with the headers and the target of each request, before it is sent. */
  readonly onRequest: (headers: HeaderList, target: string) => void;
  /** Called with each complete response, after the client has it. */
  readonly onExchange: (exchange: ProxiedExchange) => void;
}

/** Forwards requests to one upstream, and its responses back. */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #base: URL;
  readonly #agent: http.Agent;

  constructor(options: ForwarderOptions) {
    this.#options = options;
    this.#base = new URL(options.upstream);
    this.#agent = this.#base.protocol === 'https:' ? new https.Agent(KEEP_ALIVE) : new http.Agent(KEEP_ALIVE);
  }

  close(): void {
    this.#agent.destroy();
  }

  readonly listener = (incoming: http.IncomingMessage, outgoing: http.ServerResponse): void => {
    const headers = pairHeaders(incoming.rawHeaders);
    const { target, base, method } = toHttpRequest(incoming);
    this.#options.onRequest(headers, target);
    const forwarded: ForwardedRequest = { incoming, outgoing, headers, target, base, method, startedAt: new Date() };
    try {
      if (!target.startsWith('/')) throw badRequest('The request target must be a path that begins with /');
      // A connection that the upstream has just closed would lose a write, which cannot be sent twice.
      this.#forward(forwarded, isRead(method) ? this.#agent : false);
    } catch (error) {
      // Node's client refuses some characters in a path that its server accepts.
      sendError(outgoing, error instanceof ApiError ? error : badRequest(reasonFor(error)));
    }
  };

  #forward(forwarded: ForwardedRequest, agent: http.Agent | false): void {
    const { incoming, outgoing, headers, target, method } = forwarded;
    const { upstream, timeout } = this.#options;
    const start = performance.now();
    const requestBody = new BodyCollector();
    const { request } = this.#base.protocol === 'https:' ? https : http;
    const sent = request({
      ...urlToHttpOptions(this.#base),
      // As it was sent: a URL would resolve `..`, and encode characters.
      path: this.#base.pathname.replace(/\/$/, '') + target,
      method,
      headers: [
        ...withoutHops(headers, REPLACED),
        ['host', this.#base.host] as const,
        // The links of a compressed response cannot be rewritten.
        ['accept-encoding', 'identity'] as const,
      ].flat(),
      agent,
    });
    const timer = setTimeout(() => {
      sent.destroy(new ApiError(504, `${upstream} does not respond within ${timeout} ms.`));
    }, timeout);
    sent.once('close', () => clearTimeout(timer));
    outgoing.once('close', () => void (outgoing.writableFinished || sent.destroy()));
    sent.on('error', (error) => {
      if (sent.reusedSocket && !outgoing.headersSent && !hasBody(headers)) return this.#forward(forwarded, false);
      sendError(outgoing, error instanceof ApiError ? error : toBadGateway(upstream, error));
    });
    sent.once('response', (response) => {
      clearTimeout(timer);
      const wait = performance.now() - start;
      this.#respond(forwarded, response, (message) => {
        this.#options.onExchange({
          ...{ startedAt: forwarded.startedAt, method, target, wait },
          request: { headers, body: requestBody.body, size: requestBody.size },
          response: message,
          receive: performance.now() - start - wait,
        });
      });
    });
    incoming.on('data', (chunk: Buffer) => requestBody.add(chunk));
    incoming.pipe(sent);
  }

  #respond(
    { outgoing, base, method, target }: ForwardedRequest,
    response: http.IncomingMessage,
    done: (message: ProxiedExchange['response']) => void,
  ): void {
    const { upstream } = this.#options;
    const { statusCode: status = 502, statusMessage: statusText = '' } = response;
    const received = pairHeaders(response.rawHeaders);
    const kept = new BodyCollector();
    const passed = withoutHops(received, ['transfer-encoding']).map(([name, value]) =>
      name.toLowerCase() === 'location'
        ? ([name, rewriteLocation(value, upstream, base)] as const)
        : ([name, value] as const),
    );
    const begin = (headers: HeaderList) => {
      outgoing.sendDate = false;
      try {
        outgoing.writeHead(status, statusText, headers.flat());
      } catch (error) {
        // Node's server refuses some statuses that its client accepts, such as 099.
        response.destroy();
        sendError(outgoing, toBadGateway(upstream, error));
      }
    };
    // Held until the end, since new links change its length.
    const hasLinks = method !== 'HEAD' && status !== 304 && isPlainJson(received) && !BLOB.test(target);
    let held: Buffer[] | undefined = hasLinks ? [] : undefined;
    const release = () => {
      const chunks = held;
      held = undefined;
      if (!chunks) return;
      begin(passed);
      for (const chunk of chunks) outgoing.write(chunk);
    };
    if (!held) begin(passed);
    response.on('data', (chunk: Buffer) => {
      kept.add(chunk);
      if (held && kept.isKept) return void held.push(chunk);
      release();
      if (outgoing.writableEnded) return;
      if (!outgoing.write(chunk)) {
        response.pause();
        outgoing.once('drain', () => response.resume());
      }
    });
    response.once('error', () => {
      // Cuts the response as the upstream did.
      release();
      setImmediate(() => outgoing.destroy());
    });
    response.once('end', () => {
      if (!held) outgoing.end();
      else {
        const text = Buffer.concat(held).toString('utf8');
        const rewritten = rewriteLinks(text, upstream, base);
        // Bytes that are not UTF-8 stay unchanged.
        const bytes = rewritten === text ? Buffer.concat(held) : Buffer.from(rewritten);
        begin(
          passed.map(([name, value]) =>
            /^content-length$/i.test(name) ? [name, String(bytes.length)] : [name, value],
          ),
        );
        if (outgoing.writableEnded) return;
        outgoing.end(bytes);
      }
      done({ headers: received, body: kept.body, size: kept.size, status, statusText });
    });
  }
}

/** A request on its way. */
interface ForwardedRequest {
  readonly incoming: http.IncomingMessage;
  readonly outgoing: http.ServerResponse;
  readonly headers: HeaderList;
  readonly target: string;
  /** Base URL of the proxy, as the client reached it. */
  readonly base: string;
  readonly method: string;
  readonly startedAt: Date;
}

const KEEP_ALIVE = { keepAlive: true };

function withoutHops(headers: HeaderList, others: readonly string[]): HeaderList {
  const named = (findHeader(headers, 'connection') ?? '').toLowerCase().split(/\s*,\s*/);
  const dropped = new Set([...HOP_BY_HOP, ...others, ...named]);
  return headers.filter(([name]) => !dropped.has(name.toLowerCase()));
}

const hasBody = (headers: HeaderList): boolean =>
  findHeader(headers, 'transfer-encoding') !== undefined || Number(findHeader(headers, 'content-length') ?? 0) > 0;

/** Bytes of a program, with any links as they are. */
const BLOB = /^\/v1\/blob\/./;

const isPlainJson = (headers: HeaderList): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\b/i.test(findHeader(headers, 'content-type') ?? '') &&
  /^(?:identity)?$/i.test(findHeader(headers, 'content-encoding') ?? '');

const toBadGateway = (upstream: string, error: unknown): ApiError =>
  new ApiError(502, `${upstream} does not respond: ${describeNetworkError(error)}.`);

const LINKS = /"links"\s*:\s*\{(?:[^{}"]|"(?:\\.|[^"\\])*")*\}/g;

/**
 * Makes the links of a response lead to the proxy. Only the values of `links` change: code and readmes of vals may name the
 * service too. (Within a string the quotes of such a key have backslashes.)
 * @param from base of the upstream. @param to base of the proxy
 */
const rewriteLinks = (json: string, from: string, to: string): string =>
  json.replace(LINKS, (links) => links.replaceAll(`"${from}/`, `"${to}/`));

/** Makes a redirect within the upstream lead to the proxy. Any other stays unchanged. */
const rewriteLocation = (location: string, from: string, to: string): string =>
  location === from || location.startsWith(`${from}/`) ? to + location.slice(from.length) : location;
