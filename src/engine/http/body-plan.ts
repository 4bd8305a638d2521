import type { HttpRequest } from '../api/http-request.js';
import { readToken } from '../lib/bearer.js';
import { getBodyLimit } from './paths.js';

export interface BodyPlan {
  /** Bytes at most. */
  readonly limit: number;
  /** Whether the body stays bytes. */
  readonly isBytes?: boolean;
}

/**
 * Returns how the body of a request is read. Undefined for a large body of a token that is unknown or lacks the scope, which is not worth the memory.
 * @param isAllowed finds the token in the state of its sandbox; throws for a wrong name, of which the response says more
 */
export function planBody(
  request: HttpRequest,
  isAllowed: (token: string | undefined, scope: string | undefined) => boolean,
): BodyPlan | undefined {
  const { target, match } = request;
  const route = match?.route;
  if (route?.bodyLimit === undefined) return { limit: getBodyLimit(target) };
  const isBytes = route.bodyType === 'bytes';
  try {
    const token = readToken(request.header('authorization'));
    return isAllowed(token, route.scope) ? { limit: route.bodyLimit, isBytes } : undefined;
  } catch {
    // Another node may open the sandbox before the request has its turn.
    return { limit: getBodyLimit(target), isBytes };
  }
}
