import type { HttpRequest } from '../api/http-request.js';
import type { Caller } from '../definition/define.js';
import { getBodyLimit } from './paths.js';

/** How the body of a request is read. */
export interface BodyPlan {
  /** Bytes at most. */
  readonly limit: number;
  /** Whether the body stays bytes. */
  readonly isBytes?: boolean;
}

/**
 * Returns how the body of a request is read. Undefined for a large body of an unknown caller, which is not worth the memory.
 * @param identify finds the caller in the state of its sandbox; throws for a wrong name, of which the response says more
 */
export function planBody(
  request: HttpRequest,
  identify: (token: string | undefined) => Caller | undefined,
): BodyPlan | undefined {
  const { target, match } = request;
  const route = match?.route;
  if (route?.bodyLimit === undefined) return { limit: getBodyLimit(target) };
  const isBytes = route.bodyType === 'bytes';
  try {
    const caller = identify(readToken(request.header('authorization')));
    return caller && { limit: route.bodyLimit, isBytes };
  } catch {
    // Another node may open the sandbox before the request has its turn.
    return { limit: getBodyLimit(target), isBytes };
  }
}

/** Reads a bearer token, spaces included. Any other credentials are an unknown token. */
export const readToken = (authorization: string | undefined): string | undefined =>
  authorization ? (/^bearer (.*)$/i.exec(authorization)?.[1] ?? '') : undefined;
