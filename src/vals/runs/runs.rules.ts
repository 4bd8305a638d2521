import type { Instant } from '#engine/lib/time.js';
import type { Bounds, Range } from '#engine/store/collection.js';
import { runNotFound } from '#vals/lib/errors.rules.js';
import type { Draft, State } from '#vals/lib/state.collection.js';
import type { Run, User, Val } from '#vals/service/service.collection.js';

/** Returns a run of a val of the caller. @throws ApiError 404 */
export function getOwnRun(state: State, id: string, caller: User): Run {
  const run = state.runs.get(id.toLowerCase());
  if (run?.authorId !== caller.id) throw runNotFound(id);
  return run;
}

/** Lists the runs of all vals of an author, newest first. @param failed undefined for any outcome */
export function listRunsByAuthor(
  { runs }: State,
  author: User,
  failed: boolean | undefined,
  window: Bounds,
): Range<Run> {
  if (failed === undefined) return runs.by.author.range([author.id], window);
  return runs.by.authorOutcome.range([author.id, failed], window);
}

/** Lists the runs of a val, newest first. @param failed undefined for any outcome */
export function listRunsByVal({ runs }: State, val: Val, failed: boolean | undefined, window: Bounds): Range<Run> {
  if (failed === undefined) return runs.by.val.range([val.id], window);
  return runs.by.valOutcome.range([val.id, failed], window);
}

/** Ends an unfinished run of a val now. Returns whether there was one. */
export function cancelRun(draft: Draft, val: Val, id: string, now: Instant): boolean {
  const run = draft.runs.get(id.toLowerCase());
  if (run?.valId !== val.id || run.runEndAt !== null) return false;
  draft.runs = draft.runs.put({ ...run, runEndAt: Math.max(now, run.runStartAt) });
  return true;
}
