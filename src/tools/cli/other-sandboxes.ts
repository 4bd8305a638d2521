import type { Remote } from './remote.js';

/** Sandboxes that a message names. */
const MAX_NAMES = 5;

/** Names the other sandboxes that have requests, for a command that found none. Empty without such. */
export async function nameOthers({ control, url }: Pick<Remote, 'control' | 'url'>): Promise<string> {
  const all = await control.listSandboxes();
  const others = all.filter(({ name, requests }) => requests > 0 && !url.endsWith(`/_sandbox/${name}`));
  const names = others.slice(0, MAX_NAMES).map(({ name, requests }) => `${name} (${requests})`);
  const more = others.length > MAX_NAMES ? ', …' : '';
  return names.length === 0 ? '' : ` Sandboxes with requests, for --sandbox: ${names.join(', ')}${more}.`;
}
