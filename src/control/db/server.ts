import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import jsonServer from 'json-server';
import type { Collections } from './collections.js';

/** A request to json-server. */
export interface Question {
  readonly method: string;
  /** Path and query below {@link base}: `/vals?privacy=public`. */
  readonly path: string;
  /** Where the browser is reached, for links: `http://127.0.0.1:4010/_emulator/db`. */
  readonly base: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** To be sent as JSON. */
  readonly value: unknown;
}

/** What json-server tells in headers. */
const HEADERS = ['link', 'location', 'x-total-count', 'access-control-expose-headers'];

/** Keys by which records are joined end in this. */
const KEY_SUFFIX = 'Id';
/** A suffix that no field has: with it, a DELETE does not compare every record with every other one. */
const NO_KEY_SUFFIX = '\n';

/** json-server over some collections, without a socket. */
export class JsonServer {
  readonly #app = jsonServer.create();

  /** @param joins whether records are to know each other; what hangs on a deleted record is for the domain to find */
  constructor(collections: Collections, joins: boolean) {
    const router = jsonServer.router(collections, { foreignKeySuffix: joins ? KEY_SUFFIX : NO_KEY_SUFFIX });
    // Its last layer prints an error and answers with the stack. Without it, errors come to the one below.
    router.stack.pop();
    this.#app.disable('x-powered-by');
    this.#app.use(router);
    this.#app.use((error: Error, _request: IncomingMessage, response: Collector, _next: unknown) => {
      response.jsonp(error);
    });
  }

  /** Rejects with whatever json-server throws. */
  ask({ method, path, base, body }: Question): Promise<Answer> {
    const { protocol, host, pathname } = new URL(base);
    return new Promise((resolve, reject) => {
      const request = Object.assign(new IncomingMessage(new Socket()), {
        method,
        url: path,
        // What links are made of.
        originalUrl: pathname + path,
        protocol: protocol.slice(0, -1),
        headers: { host },
        // As after the reading of a body, so that nobody tries to.
        body: { ...body },
        _body: true,
      });
      const response: Collector = Object.assign(new ServerResponse(request), {
        jsonp(value: unknown) {
          if (value instanceof Error) reject(value);
          else resolve({ status: response.statusCode, headers: headersOf(response), value });
        },
      });
      this.#app(request, response);
    });
  }
}

/** A response that hands over its value instead of sending it. */
type Collector = ServerResponse & { jsonp(value: unknown): void };

const headersOf = (response: ServerResponse): Answer['headers'] =>
  Object.fromEntries(
    HEADERS.flatMap((name) => {
      const value = response.getHeader(name);
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
