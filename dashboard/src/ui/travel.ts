import { control, dashboardUrl } from '../lib/api.js';
import { commits, dropCommits, MAX_COMMITS } from '../lib/live.js';
import { travelTo } from '../lib/location.js';
import type { RequestSummary } from '../lib/types.js';

/** A state of the history, as `at` selects it: a commit, `start`, or undefined for the current state. */
export interface Moment {
  readonly at: string | undefined;
}

/** Finds the state before a commit; undefined if the history no longer has the commit. */
export function stateBefore(id: string): Moment | undefined {
  const index = commits.value.findIndex((commit) => commit.id === id);
  return index < 0 ? undefined : { at: commits.value[index - 1]?.id ?? 'start' };
}

/** Finds the state when the response to a request was sent; undefined if the history no longer has it. */
export function stateAfter({ commit }: Pick<RequestSummary, 'commit'>): Moment | undefined {
  const { length } = commits.value;
  // A full history has dropped its first commits, and `start` is a later state then.
  if (commit === null) return length >= MAX_COMMITS ? undefined : { at: length === 0 ? undefined : 'start' };
  return commits.value.some(({ id }) => id === commit) ? { at: commit } : undefined;
}

/** Lists the commits after a state, oldest first: those that a rewind to it takes back. */
export const commitsAfter = (at: string) =>
  at === 'start' ? commits.value : commits.value.slice(commits.value.findIndex(({ id }) => id === at) + 1);

/** Takes back all commits after one, and shows the current state again. @param id of a commit, or `start` */
export async function rewindTo(id: string): Promise<void> {
  const index = id === 'start' ? -1 : commits.value.findIndex((commit) => commit.id === id);
  const next = commits.value[index + 1];
  if (id !== 'start' && index < 0) throw new Error(`The history no longer has ${id}.`);
  if (next) {
    await control.rewind({ before: next.id });
    dropCommits(next.id);
  }
  travelTo(undefined);
}

/** Makes a sandbox of a state, and opens its dashboard. @param id of a commit, or `start`. Default: the current state */
export async function forkSandbox(id?: string, page = ''): Promise<void> {
  const { name } = await control.forkSandbox({ at: id });
  window.location.href = `${dashboardUrl(name)}#/${page}`;
}
