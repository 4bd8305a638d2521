import { getStateAt } from '#engine/sandbox/history-entries.js';
import type { Sandbox } from '#engine/sandbox/sandbox.js';
import { toValsState } from './state.collection.js';

/** Returns the state of a sandbox, now or after a commit, as {@link getStateAt} does. @throws NotFoundError */
export function getValsStateAt({ store }: Sandbox, at: string | undefined) {
  const { state, ...others } = getStateAt(store, at);
  return { ...others, state: toValsState(state) };
}
