import type { Area, HttpRequest } from '../api/http-request.js';
import { LIMITS } from '../api/limits.js';
import { isRead } from '../lib/target.js';

const SANDBOX_PREFIX = /^\/_sandbox\/([^/?]*)/;

/** Path of the dashboard, below the base URL of the emulator or of a sandbox. */
export const DASHBOARD = '/_emulator/ui/';

/** The page of the dashboard that shows records. */
export const DASHBOARD_DATA = `${DASHBOARD}#/data`;

/** Where agents reach the tools, below the base URL of the emulator or of a sandbox. */
export const MCP = '/_emulator/mcp';

/** Splits the prefix of a sandbox off a target: `/_sandbox/checkout/v1/me` is `/v1/me` of `checkout`. */
export function splitSandbox(target: string): { prefix: string; name: string | undefined; rest: string } {
  const [prefix = '', name] = SANDBOX_PREFIX.exec(target) ?? [];
  return { prefix, name, rest: prefix === '' ? target : target.slice(prefix.length) || '/' };
}

export const isControlPath = (target: string): boolean => /^\/_emulator(?:[/?]|$)/.test(target);

const STATUS = /^\/_emulator\/(?:health|ready|metrics|cluster)\/?(?:\?|$)/;

/** Finds the part of the emulator that a request is for. @param target without the prefix of a sandbox */
export function findArea(method: string, target: string): Area {
  if (target.startsWith('/v1/')) return 'api';
  if (isControlPath(target)) return STATUS.test(target) ? 'status' : 'control';
  // HEAD is the same as GET without a body.
  return /^\/?(?:\?|$)/.test(target) && isRead(method) ? 'root' : 'api';
}

/** Whether a request is for the control API, its probes among them. */
export const isControl = ({ area }: Pick<HttpRequest, 'area'>): boolean => area === 'control' || area === 'status';

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
