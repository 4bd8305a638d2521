import { readdirSync } from 'node:fs';
import { datasets } from '#vals/lib/datasets.collection.js';
import type { ControlClient } from '../client/control-client.js';
import { type CliIo, type Command, withDefaults } from './command.js';
import { connect, parseUrl, remoteFlags } from './remote.js';

/** Milliseconds for an emulator to name what it has: a person waits at each Tab. */
const ASK_TIMEOUT_MS = 200;
/** Ids of the last requests and commits that are offered. */
const MAX_IDS = 50;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Asks the emulator. */
const ASK: Readonly<Record<string, (control: ControlClient) => Promise<readonly string[]>>> = {
  kinds: async (control) => (await control.listCollections()).flatMap(({ adder }) => adder ?? []),
  snapshots: async (control) => (await control.listSnapshots()).map(({ name }) => name),
  sandboxes: async (control) => (await control.listSandboxes()).map(({ name }) => name),
  requests: async (control) => (await control.listRequests({ limit: MAX_IDS })).map(({ id }) => id),
  commits: async (control) => (await control.listHistory({ limit: MAX_IDS })).map(({ id }) => id),
  emails: async (control) => (await control.listEmails({})).map(({ id }) => id),
};

/** The completions of flag and argument values, by name, or by command and name. */
export const VALUES: Readonly<Record<string, readonly string[]>> = {
  ...{ fixtures: ['datasets', 'files'], fixture: ['datasets', 'files'], sandbox: ['sandboxes'], kind: ['kinds'] },
  ...Object.fromEntries(
    [
      'baseline',
      'config',
      'data',
      'fields',
      'fixtures-module',
      'out',
      'people',
      'records',
      'report',
      'service',
      'session',
      'tools',
    ].map((name) => [name, ['files']]),
  ),
  ...{ 'snapshot restore name': ['snapshots'], 'snapshot drop name': ['snapshots'] },
  ...{
    'requests ids': ['requests'],
    'make-test ids': ['requests'],
    'explain id': ['requests'],
    'history id': ['commits'],
    'emails id': ['emails'],
  },
  ...{ to: ['commits'], at: ['commits'], route: ['routes'], before: ['commits', 'files'], after: ['commits', 'files'] },
};

/** A command line so far. */
interface Typed {
  /** Of the command: `snapshot restore`. */
  readonly name: string;
  readonly spec: Pick<Command, 'args' | 'variables' | 'flags'>;
  /** The words after the command, with the incomplete one at the end. */
  readonly words: readonly string[];
}

/** Lists what may be the value at the end of a command line. Undefined where a flag may stand. */
export async function listValues({ name, spec, words }: Typed, io: CliIo): Promise<readonly string[] | undefined> {
  const flags = { ...spec.variables, ...spec.flags };
  const findFlag = (word = '') =>
    Object.keys(flags).find(
      (flag) => word === `--${flag}` || (flags[flag]?.alias !== undefined && word === `-${flags[flag]?.alias}`),
    );
  const takesValue = (word: string | undefined) => {
    const flag = findFlag(word);
    return flag !== undefined && flags[flag]?.type !== 'boolean' ? flag : undefined;
  };
  const current = words.at(-1) ?? '';
  const flag = takesValue(words.at(-2));
  if (flag !== undefined && flags[flag]?.choices) return undefined;
  if (flag === undefined && current.startsWith('-')) return undefined;
  const given = words.slice(0, -1).filter((word, i) => !word.startsWith('-') && takesValue(words[i - 1]) === undefined);
  const args = Object.keys(spec.args ?? {});
  const slot = flag ?? args[Math.min(given.length, args.length - 1)];
  if (slot === undefined) return undefined;
  const kinds = VALUES[`${name} ${slot}`] ?? VALUES[slot] ?? [];
  const found = await Promise.all(
    kinds.map(async (kind) => {
      if (kind === 'files') return listFiles(current);
      if (kind === 'datasets') return datasets.names;
      try {
        const control = connectBy(words, io);
        if (kind === 'routes') return await listRoutes(control, given);
        return (await ASK[kind]?.(control)) ?? [];
      } catch {
        // None responds, or it has none of these.
        return [];
      }
    }),
  );
  return found.flat();
}

/** Creates the client of the emulator and sandbox that the flags of a command line name, or else the variables. */
function connectBy(words: readonly string[], { env }: CliIo): ControlClient {
  const defaults = withDefaults(remoteFlags, env);
  const read = (flag: keyof typeof remoteFlags): string | undefined => {
    const given = words.flatMap((word, i) => {
      if (words[i - 1] === `--${flag}`) return [word];
      return word.startsWith(`--${flag}=`) ? [word.slice(flag.length + 3)] : [];
    });
    return given.at(-1) ?? defaults[flag]?.default?.toString();
  };
  const { base, sandbox } = parseUrl(read('url') ?? '');
  return connect(base, {
    sandbox: read('sandbox') ?? sandbox,
    token: read('control-token'),
    timeout: ASK_TIMEOUT_MS,
  });
}

/** Lists the methods, or the paths after one: a route is two words. */
async function listRoutes(control: ControlClient, given: readonly string[]): Promise<readonly string[]> {
  const method = given.at(-1)?.toLowerCase();
  if (method === undefined || !METHODS.includes(method.toUpperCase())) return METHODS;
  const { paths } = Object(await control.getOpenApi({}));
  return Object.entries(Object(paths)).flatMap(([path, routes]) => (method in Object(routes) ? [path] : []));
}

/** Lists the files and folders that begin as a path does. */
function listFiles(start: string): string[] {
  const [folder = ''] = /^.*[\\/]/s.exec(start) ?? [];
  try {
    return readdirSync(folder || '.', { withFileTypes: true })
      .filter(({ name }) => !name.startsWith('.') || start.slice(folder.length).startsWith('.'))
      .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
      .sort();
  } catch {
    return [];
  }
}
