import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import jsonServer from 'json-server';
import { badRequest } from '../model/errors.js';
import type { Row } from './rows.js';

/** A request to the data browser. */
export interface BrowserRequest {
  readonly method: string;
  /** Path and query below {@link base}: `/vals?privacy=public`. */
  readonly path: string;
  /** Base URL for links: `http://127.0.0.1:4010/_emulator/db`. */
  readonly base: string;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

export interface BrowserResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body before serialization. */
  readonly value: unknown;
}

/** The headers that json-server sets for its clients. */
const HEADERS = ['link', 'x-total-count', 'access-control-expose-headers'];

/** A response that passes its value on instead of sending it. */
type ResponseCapture = ServerResponse & { jsonp(value: unknown): void };

/** json-server over plain records, without a socket. */
export class JsonServer {
  readonly #app = jsonServer.create();

  constructor(rows: Readonly<Record<string, Row[]>>) {
    const router = jsonServer.router(rows);
    // The last layer prints errors and responds with the stack. Without it, errors reach the layer below.
    router.stack.pop();
    this.#app.disable('x-powered-by');
    this.#app.use(router);
    this.#app.use((error: Error, _request: IncomingMessage, response: ResponseCapture, _next: unknown) => {
      response.jsonp(error);
    });
  }

  /** Reads records. @throws ApiError 400 for a query that json-server cannot handle */
  handle({ method, path, base }: BrowserRequest): Promise<BrowserResponse> {
    const { protocol, host, pathname } = new URL(base);
    return new Promise((resolve, reject) => {
      const request = Object.assign(new IncomingMessage(new Socket()), {
        method,
        url: path,
        // json-server makes links from these.
        originalUrl: pathname + path,
        protocol: protocol.slice(0, -1),
        headers: { host },
        // Marks the body as read.
        _body: true,
      });
      const response: ResponseCapture = Object.assign(new ServerResponse(request), {
        jsonp(value: unknown) {
          if (value instanceof Error) return reject(badRequest(`json-server cannot handle this: ${value.message}`));
          const headers = HEADERS.filter((name) => response.hasHeader(name));
          resolve({
            status: response.statusCode,
            headers: Object.fromEntries(headers.map((name) => [name, String(response.getHeader(name))])),
            value,
          });
        },
      });
      this.#app(request, response);
    });
  }
}
