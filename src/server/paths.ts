import { LIMITS } from '../api/limits.js';
import type { HttpRequest } from './http.js';

const SANDBOX_PREFIX = /^\/_sandbox\/([^/?]*)/;

/** Path of the dashboard, below the base URL of the emulator or of a sandbox. */
export const DASHBOARD = '/_emulator/ui/';

/** The page of the dashboard that shows records. */
export const DASHBOARD_DATA = `${DASHBOARD}#/data`;

/** Where agents reach the tools, below the base URL of the emulator or of a sandbox. */
export const MCP = '/_emulator/mcp';

/** Moves the prefix of a sandbox from the target of a request to its base: `/_sandbox/checkout/v1/me` becomes `/v1/me`. */
export function takeSandbox(request: HttpRequest): HttpRequest {
  if (request.apiOnly) return request;
  const [prefix, name] = SANDBOX_PREFIX.exec(request.target) ?? [];
  if (prefix === undefined) return request;
  request.sandbox = name;
  request.base += prefix;
  request.target = request.target.slice(prefix.length) || '/';
  return request;
}

/** Which part of the emulator a request is for. */
type Addressed = Pick<HttpRequest, 'target' | 'apiOnly'>;

export const isControl = ({ target, apiOnly = false }: Addressed): boolean => !apiOnly && isControlPath(target);

export const isControlPath = (target: string): boolean => /^\/_emulator(?:[/?]|$)/.test(target);

/** Whether a request is about this process alone: its health, and the nodes of its cluster. */
export const isStatus = ({ target, apiOnly = false }: Addressed): boolean =>
  !apiOnly && /^\/_emulator\/(?:health|ready|metrics|cluster)\/?(?:\?|$)/.test(target);

/** Whether a request asks for the health or the readiness, which every client may read. */
export const isProbe = (target: string): boolean => /^\/_emulator\/(?:health|ready)\/?(?:\?|$)/.test(target);

/** Whether a request is for a page, which the application serves (`app.ts`). */
export const isPage = (target: string): boolean =>
  /^(?:\/_sandbox\/[^/?]*)?\/_emulator\/(?:ui|docs|mcp)(?:[/?]|$)/.test(target);

/** Whether a path is of the emulator: no other route can take it over. */
export const isOwn = (target: string): boolean => /^\/(?:$|\?|(?:v1|_emulator|_sandbox)(?:[/?]|$))/.test(target);

/** Returns the maximum size in bytes of the body of a request. */
export function getBodyLimit(target: string): number {
  if (!isControlPath(target) || /^\/_emulator\/requests\//.test(target)) return LIMITS.body;
  return /^\/_emulator\/(?:seed|sandboxes)\/?(?:\?|$)/.test(target) ? LIMITS.seedBody : LIMITS.controlBody;
}

/** Returns path and query of a request target, which may be an absolute URL. Source: RFC 9112, section 3.2.2. */
export const parseRequestTarget = (url: string): string => url.replace(/^https?:\/\/[^/?]*(?=\/|\?|$)/i, '') || '/';
