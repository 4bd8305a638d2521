import { type ControlSettings, sendOperation } from '../control/send.js';
import { didYouMean, formatValue } from '../lib/messages.js';
import { isObject } from '../lib/objects.js';
import { isDotSegment, parseEmulatorUrl } from '../lib/target.js';
import type { OwnTool } from './own-tool.js';
import { formatResult, omitNulls } from './results.js';

const LIST = 'GET /_emulator/sandboxes';
const CLOSE = 'DELETE /_emulator/sandboxes/{name}';

/** Names that an error lists. */
const MAX_NAMES = 10;

type Settings = Pick<ControlSettings, 'token' | 'fetch' | 'timeout'>;

export const SANDBOXES: OwnTool = {
  name: 'sandboxes',
  description: 'List the sandboxes, or close one',
  inputSchema: { type: 'object', properties: { close: { type: 'string' } } },
  annotations: { destructiveHint: true },
  async call({ close, ...others }, { root, settings }) {
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw new Error(`${unknown}: unknown; expected close, or no argument to list them.`);
    if (close !== undefined) {
      const name = String(close);
      await assertSandbox(root, name, settings);
      await sendOperation(root, CLOSE, { name }, settings);
    }
    return formatResult(omitNulls(await sendOperation(root, LIST, {}, settings)));
  },
};

/** Returns the base URL of the sandbox that a call names. Default: the server's own sandbox */
export async function findUrl(url: string, sandbox: unknown, settings: Settings): Promise<string> {
  if (sandbox === undefined) return url;
  const root = parseEmulatorUrl(url)?.base ?? url;
  const name = String(sandbox);
  if (name === '') return root;
  await assertSandbox(root, name, settings);
  return `${root}/_sandbox/${encodeURIComponent(name)}`;
}

/** A request to a name would create it, and a typo act on an empty sandbox. @throws Error that lists the names */
async function assertSandbox(root: string, name: string, settings: Settings): Promise<void> {
  if (isDotSegment(name)) throw new TypeError(`Invalid name ${JSON.stringify(name)}: a URL cannot contain it.`);
  const names = listNames(await sendOperation(root, LIST, {}, settings));
  if (names.includes(name)) return;
  const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : '';
  const known =
    names.length === 0 ? 'There is only the default one' : `There are: ${names.slice(0, MAX_NAMES).join(', ')}${more}`;
  throw new Error(
    `There is no sandbox ${formatValue(name)}.${didYouMean(name, names)} ${known}. The tool fork makes one.`,
  );
}

const listNames = (sandboxes: unknown): string[] =>
  Array.isArray(sandboxes) ? sandboxes.flatMap((each) => (isObject(each) ? [String(each.name)] : [])) : [];
