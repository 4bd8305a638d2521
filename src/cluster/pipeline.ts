import type { HttpRequest } from '#engine/api/http-request.js';
import type { Pipeline } from '#engine/http/pipeline.js';
import { isRead } from '#engine/lib/target.js';
import type { RunKind, Turns } from './turns.js';

/** Lets requests wait for their turns, except for those about this process alone. */
export function wrapPipeline(pipeline: Pipeline, turns: Turns): void {
  const respond = pipeline.respond.bind(pipeline);
  pipeline.respond = (request, sandbox) => {
    const kind = findRunKind(request);
    if (!kind) return respond(request, sandbox);
    const name = request.sandbox ?? sandbox?.name ?? '';
    return turns.run(() => respond(request, sandbox), kind, name).catch((error) => pipeline.refuse(request, error));
  };
}

/** Undefined for a request about this process alone. */
export function findRunKind(
  request: Pick<HttpRequest, 'method' | 'area' | 'isOfProcess'> & Partial<Pick<HttpRequest, 'match'>>,
): RunKind | undefined {
  if (request.area === 'control') return request.isOfProcess ? undefined : 'control';
  // A page may log in at once.
  return isRead(request.method) && !request.match?.route.plans ? 'read' : 'write';
}
