import { existsSync } from 'node:fs';
import { ControlError } from '#engine/control/send.js';
import { datasets } from '#vals/lib/datasets.collection.js';
import { FILES } from '#vals/lib/names.collection.js';
import { fail } from '../command.js';
import { parseInteger } from '../criteria.js';
import { formatDifferences } from '../format-change.js';
import { type Remote, remoteCommand } from '../remote.js';

const FIXTURE = 'fixture:';
/** The other kinds of references. */
const KINDS = ['sandbox:', 'snapshot:', 'commit:'];
const START = 'commit:start';

export const diff = remoteCommand({
  args: {
    before: { type: 'string', describe: 'sandbox:NAME, snapshot:NAME, r17, start or a fixture (default: start)' },
    after: { type: 'string', describe: 'The other state, likewise (default: the current one)' },
  },
  flags: {
    ignore: {
      type: 'string',
      array: true,
      describe: 'Ignore paths: *.updatedAt, users.ada.bio; * is any text (repeatable)',
    },
    limit: {
      type: 'string',
      describe: 'Print the first N changes (default: 1000)',
      coerce: parseInteger('limit', 'a number of changes, at least 0', 0),
    },
  },
  examples: {
    $0: 'what has changed since the start',
    '$0 r3 r17': 'between two commits',
    '$0 sandbox:a sandbox:b --ignore "*.updatedAt"': 'two sandboxes',
    '$0 ./demo.json': 'a file with the current state',
  },
  epilogue: 'Exit code: 0 if the states are equal, 1 if they differ.',
  async run({ before = START, after, ignore, limit }, { control }) {
    const [old, now] = [await toReference(before, control), after && (await toReference(after, control))];
    const value = await control.diffStates({ before: old, after: now || undefined, ignore, limit });
    const text = formatDifferences(value).join('\n') || 'No differences.';
    return { value, text, code: value.total > 0 ? 1 : 0 };
  },
});

/** Reads a file here: the emulator may run on another machine. Other references are looked up there. */
async function toReference(text: string, control: Remote['control']): Promise<string | object> {
  const path = text.startsWith(FIXTURE) ? text.slice(FIXTURE.length) : text;
  const isExplicit = path !== text;
  if (datasets.names.includes(path) || !(isExplicit || existsSync(path))) return text;
  if (!isExplicit) await assertOnlyFile(path, control);
  const { readCollections } = await import('#engine/fixtures/read.js');
  return readCollections(path, { ...FILES, datasets });
}

/** @throws CliError for the name of a file that another state has as well */
async function assertOnlyFile(path: string, control: Remote['control']): Promise<void> {
  const others: string[] = [];
  for (const reference of KINDS.map((kind) => kind + path)) {
    if (await isState(reference, control)) others.push(reference);
  }
  if (others.length > 0)
    fail(`${JSON.stringify(path)} fits several states; use ${[...others, FIXTURE + path].join(' or ')}.`);
}

async function isState(reference: string, control: Remote['control']): Promise<boolean> {
  try {
    await control.diffStates({ before: reference, after: reference });
    return true;
  } catch (error) {
    if (error instanceof ControlError && error.status === 404) return false;
    throw error;
  }
}
