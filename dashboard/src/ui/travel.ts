import { dashboardUrl, send } from '../lib/api.js';
import { commits } from '../lib/live.js';
import { travelTo } from '../lib/location.js';

/** Takes back all commits after one, and shows the current state again. @param id of a commit, or `start` */
export async function rewindTo(id: string): Promise<void> {
  const index = id === 'start' ? -1 : commits.value.findIndex((commit) => commit.id === id);
  const next = commits.value[index + 1];
  if (id !== 'start' && index < 0) throw new Error(`The history no longer has ${id}.`);
  if (next) await send('POST', '/rewind', { before: next.id });
  travelTo(undefined);
}

/** Makes a sandbox of a state, and opens its dashboard. @param id of a commit, or `start`. Default: the current state */
export async function forkSandbox(id?: string, page = ''): Promise<void> {
  const { name } = await send<{ name: string }>('POST', '/fork', id === undefined ? {} : { at: id });
  window.location.href = `${dashboardUrl(name)}#/${page}`;
}
