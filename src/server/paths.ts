import { LIMITS } from '../api/limits.js';
import { isRead } from '../lib/methods.js';
import type { RunKind } from '../sandbox/storage.js';

export const SANDBOX_PREFIX = /^\/_sandbox\/([^/?]*)/;

/** Path of the dashboard, below the base URL of the emulator or of a sandbox. */
export const DASHBOARD = '/_emulator/ui/';

/** The page of the dashboard that shows records. */
export const DASHBOARD_DATA = `${DASHBOARD}#/data`;

/** Returns the target of a request as its sandbox sees it: `/v1/me` for `/_sandbox/checkout/v1/me`. */
export const stripSandbox = (target: string): string => target.replace(SANDBOX_PREFIX, '') || '/';

export const isControl = (target: string): boolean => /^\/_emulator(?:[/?]|$)/.test(target);

/** Whether a request is about this process alone: its health, and the nodes of its cluster. */
export const isStatus = (target: string): boolean =>
  /^\/_emulator\/(?:health|ready|metrics|cluster)\/?(?:\?|$)/.test(target);

/** Returns what a request needs of a shared store. Undefined for one about this process alone. */
export function findRunKind(method: string, target: string): RunKind | undefined {
  if (isControl(target)) return isStatus(target) ? undefined : 'control';
  return isRead(method) ? 'read' : 'write';
}

/** Whether a request is for a page, which the application serves (`app.ts`). */
export const isPage = (target: string): boolean => /^\/_emulator\/(?:ui|docs)(?:[/?]|$)/.test(stripSandbox(target));

/** Whether a path is of the emulator: no other route can take it over. */
export const isOwn = (target: string): boolean => /^\/(?:$|\?|(?:v1|_emulator|_sandbox)(?:[/?]|$))/.test(target);

/** Returns the maximum size in bytes of the body of a request. */
export function getBodyLimit(target: string): number {
  const inner = stripSandbox(target);
  if (!isControl(inner) || /^\/_emulator\/requests\//.test(inner)) return LIMITS.body;
  return /^\/_emulator\/seed\/?(?:\?|$)/.test(inner) ? LIMITS.seedBody : LIMITS.controlBody;
}

/** Returns path and query of a request target, which may be an absolute URL. Source: RFC 9112, section 3.2.2. */
export const parseRequestTarget = (url: string): string => url.replace(/^https?:\/\/[^/?]*(?=\/|\?|$)/i, '') || '/';
