import type { Sandbox } from '../control/sandbox.js';
import type { Sandboxes } from '../control/sandboxes.js';
import type { Api } from './api.js';
import { answerControl, CONTROL_PREFIX, type ControlOptions } from './control.js';
import { preflight } from './cors.js';
import { respondWithError } from './respond.js';
import type { WireRequest, WireResponse } from './wire.js';

export interface HandlerOptions {
  readonly sandboxes: Sandboxes;
  readonly api: Api;
  readonly control: ControlOptions;
  /** Told of each request after it was answered. */
  readonly onRequest?: ((request: RequestLog) => void) | undefined;
}

/** What is told of a request after it was answered. */
export interface RequestLog {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** HTTP status of the answer; 0 where a fault broke the connection off. */
  readonly status: number;
  /** Milliseconds that answering took. */
  readonly duration: number;
}

/** Answers at once, but for requests that need a module loaded. */
export type Handler = (request: WireRequest) => WireResponse | Promise<WireResponse>;

/** What answers every request, whatever transport brought it. */
export function createHandler(options: HandlerOptions): Handler {
  const { onRequest } = options;
  if (!onRequest) return (request) => answer(request, options);
  return (request) => {
    const start = performance.now();
    const log = (response: WireResponse) => {
      const { method, target } = request;
      const told = { method, target, status: response.status, duration: performance.now() - start };
      // Once the answer is on its way: a callback that throws is its owner's uncaught exception, not a failed request.
      queueMicrotask(() => onRequest(told));
      return response;
    };
    const response = answer(request, options);
    return response instanceof Promise ? response.then(log) : log(response);
  };
}

function answer(request: WireRequest, { sandboxes, api, control }: HandlerOptions): ReturnType<Handler> {
  try {
    const { sandbox, inside } = enter(request, sandboxes);
    if (inside.target.startsWith(`${CONTROL_PREFIX}/`)) {
      const reach = { sandbox, sandboxes, origin: request.base, documentOf: control.documentOf };
      return answerControl(inside, reach, control);
    }
    if (request.method === 'OPTIONS') return preflight(request, sandbox.clock.now.getTime());
    return api.answer(inside, sandbox);
  } catch (error) {
    return respondWithError(error, sandboxes.main.clock.now.getTime());
  }
}

const SANDBOX_PREFIX = /^\/_sandbox\/([^/?]*)/;

/** Finds the sandbox that a request names by prefix or header, and the request as seen from inside it. */
function enter(request: WireRequest, sandboxes: Sandboxes): { sandbox: Sandbox; inside: WireRequest } {
  const [prefix, name = ''] = SANDBOX_PREFIX.exec(request.target) ?? [];
  if (prefix === undefined) {
    const header = request.header('x-emulator-sandbox');
    return { sandbox: header === undefined ? sandboxes.main : sandboxes.open(header), inside: request };
  }
  const inside = { ...request, target: request.target.slice(prefix.length) || '/', base: request.base + prefix };
  return { sandbox: sandboxes.open(name), inside };
}
