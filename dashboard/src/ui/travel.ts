import { control, dashboardUrl } from '../lib/api.js';
import { commits, dropCommits, MAX_COMMITS } from '../lib/live.js';
import { travelTo } from '../lib/location.js';
import type { RequestSummary } from '../lib/types.js';

/** A state of the history, as `at` selects it: a commit, `start`, or undefined for the current state. */
export interface Moment {
  readonly at: string | undefined;
}

/** Whether the list begins at the start of the history. A full list has the last commits only. */
export const isWhole = (): boolean => commits.value.length < MAX_COMMITS;

/** Finds the state before a commit; undefined if the list no longer has both. */
export function stateBefore(id: string): Moment | undefined {
  const index = commits.value.findIndex((commit) => commit.id === id);
  if (index < 0 || (index === 0 && !isWhole())) return undefined;
  return { at: commits.value[index - 1]?.id ?? 'start' };
}

/** Finds the state when the response to a request was sent; undefined if the list no longer has it. */
export function stateAfter({ commit }: Pick<RequestSummary, 'commit'>): Moment | undefined {
  if (commit === null) return isWhole() ? { at: commits.value.length === 0 ? undefined : 'start' } : undefined;
  return commits.value.some(({ id }) => id === commit) ? { at: commit } : undefined;
}

/** Lists the commits after a state, oldest first: those that a rewind to it takes back. None if the list does not have all. */
export function commitsAfter(at: string) {
  return at === 'start' && isWhole() ? commits.value : commitsFrom(at).slice(1);
}

/** Lists a commit and all later ones: those that a rewind to before it takes back. None if the list no longer has it. */
export function commitsFrom(id: string) {
  const index = commits.value.findIndex((commit) => commit.id === id);
  return index < 0 ? [] : commits.value.slice(index);
}

/**
 * Replaces the state as a whole after a snapshot of it, and shows the current state. Returns the undo.
 * @param kept a snapshot that this one does not replace
 */
export async function replaceState(verb: string, change: () => Promise<unknown>, kept?: string) {
  const usual = `before-${verb}`;
  const { name } = await control.takeSnapshot({ name: usual === kept ? `${usual}-2` : usual });
  await change();
  travelTo(undefined);
  return () => control.restoreSnapshot({ name });
}

/** Takes back a commit and all later ones. Returns the undo. @param id of the first of them */
export const takeBack = (id: string) =>
  replaceState('rewind', async () => {
    await control.rewind({ before: id });
    dropCommits(id);
  });

/** Makes a sandbox of a state, and opens its dashboard. @param id of a commit, or `start`. Default: the current state */
export async function forkSandbox(id?: string, page = ''): Promise<void> {
  const { name } = await control.forkSandbox({ at: id });
  window.location.href = `${dashboardUrl(name)}#/${page}`;
}
