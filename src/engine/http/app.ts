import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { Application, ErrorRequestHandler, Router } from 'express';
import type { Route } from '../api/route.js';
import { ApiError } from '../lib/errors.js';
import { isOfThisMachine } from './access.js';
import * as lateDashboard from './dashboard.js';
import { sendError, sendFailure, sendNow, toHttpRequest } from './node.js';
import { isApiTarget, isPage, MCP, makeOwnTest, parseRequestTarget } from './paths.js';
import type { Pipeline } from './pipeline.js';

/** A request as Express passes it on: the members that most handlers read. */
export interface AppRequest extends IncomingMessage {
  readonly path: string;
  readonly params: Readonly<Record<string, string | string[]>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** The body, if middleware such as `express.json()` has parsed it. */
  body?: unknown;
}

/** A response as Express passes it on: the members that most handlers call. */
export interface AppResponse extends ServerResponse {
  status(code: number): this;
  set(name: string, value: string): this;
  json(value: unknown): this;
  send(body?: unknown): this;
  redirect(url: string): void;
}

/** Middleware of Express. The parameters may be declared by the types of Express itself. */
export type AppHandler = {
  handle(request: AppRequest, response: AppResponse, next: (error?: unknown) => void): unknown;
}['handle'];

/**
 * The emulator as a listener, to mount in a host application. An Express application, loaded on first use, serves the added
 * routes.
 */
export interface EmulatorApp extends RequestListener {
  /**
   * Adds middleware of Express, which responds at the URL of the emulator too. It receives no request to `/`, `/_emulator`,
   * `/_sandbox` or the first folder of a route, such as `/v1`. A request that it passes on gets the 404 of the API.
   * @param path where it responds, such as `/hook`
   */
  use(path: string, ...handlers: AppHandler[]): this;
  /** Adds middleware for all paths that the emulator does not use. */
  use(...handlers: AppHandler[]): this;
}

/** Responds to an agent, by the Model Context Protocol. */
export type McpListener = (
  request: IncomingMessage,
  response: ServerResponse,
  client: { readonly url: string; readonly token: string | undefined; readonly isLocal: boolean },
) => Promise<void>;

/**
 * Creates the application of an emulator.
 * @param routes of the service, which no added route takes over
 * @param listener responds to all that is neither a page nor a route of the user
 * @param respondToMcp responds to an agent
 */
export function createApp(
  pipeline: Pipeline,
  routes: readonly Pick<Route, 'path'>[],
  listener: RequestListener,
  respondToMcp: McpListener,
): EmulatorApp {
  let added: AddedRoutes | undefined;
  const respondWithPage: RequestListener = (request, response) => {
    try {
      const page = toHttpRequest(pipeline, request);
      const [path = '', query = ''] = page.target.split(/(?=\?)/);
      const location = findLocation(path);
      if (location !== undefined) return void response.writeHead(302, { location: location + query }).end();
      // First, so that a client who is refused loads nothing.
      if (page.refusal) return sendNow(response, pipeline.control.refuse(page, page.refusal));
      if (path !== MCP) return lateDashboard.respondWithFile(request, response, path);
      const token = page.header('x-emulator-control-token');
      respondToMcp(request, response, { url: page.base, token, isLocal: isOfThisMachine(page) }).catch((error) =>
        sendFailure(pipeline, request, response, error),
      );
    } catch (error) {
      sendFailure(pipeline, request, response, error);
    }
  };
  const choose: RequestListener = (request, response) => {
    const { url = '/' } = request;
    if (added === undefined && isApiTarget(url)) return listener(request, response);
    const target = parseRequestTarget(url);
    if (isPage(target)) return respondWithPage(request, response);
    return added && !added.isOwn(target) ? added.app(request, response) : listener(request, response);
  };
  return Object.assign(choose, {
    use(this: EmulatorApp, ...args: [string, ...AppHandler[]] | AppHandler[]) {
      added ??= { ...loadExpress(pipeline, listener), isOwn: makeOwnTest(routes) };
      Reflect.apply(added.routes.use, added.routes, args);
      return this;
    },
  });
}

/** Redirects the dashboard without its slash. Relative, since a proxy may have removed a prefix. */
const findLocation = (path: string): string | undefined => (path.endsWith('/_emulator/ui') ? 'ui/' : undefined);

interface AddedRoutes {
  readonly app: Application;
  readonly routes: Router;
  /** Whether a target is for the emulator, even if an added route has its path. */
  isOwn(target: string): boolean;
}

function loadExpress(pipeline: Pipeline, listener: RequestListener): Omit<AddedRoutes, 'isOwn'> {
  const express: typeof import('express') = createRequire(import.meta.url)('express');
  const app = express().disable('x-powered-by').disable('etag').enable('case sensitive routing');
  const routes = express.Router({ caseSensitive: true });
  app.use(routes, listener, toErrorHandler(pipeline));
  return { app, routes };
}

/** Responds to an error of a route that was added: as it says if its status is of the client, else as to a defect. */
function toErrorHandler(pipeline: Pipeline): ErrorRequestHandler {
  // Express knows it by its four parameters.
  return (error: unknown, request, response, _next) => {
    const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
    if (status >= 400 && status < 500) return sendError(response, new ApiError(status, String(error)));
    sendFailure(pipeline, request, response, error);
  };
}
