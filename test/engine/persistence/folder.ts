import { mkdtempSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { findFile } from '#engine/persistence/file-names.js';
import type { State } from '#engine/state/state.js';
import type { Contents } from '#engine/store/store.js';
import { toValsState } from '#vals/lib/state.collection.js';
import type { Branch } from '#vals/projects/project-records.collection.js';
import type { Emulator, EmulatorOptions } from '../../../src/index.js';
import { createEmulator, NOW } from '../../support/emulate.js';

export const FIXTURES = {
  users: [{ username: 'ada', token: 'ada-token' }],
  vals: [{ author: 'ada', name: 'hello', code: 'export const hello = 1;', privacy: 'public' as const }],
};

/** Makes a folder that is removed after the test. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-data-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns the path of the log, or of a new one. */
export const logOf = (data: string): string => findFile(data, 'log') ?? join(data, 'log.1.ndjson');

/** Opens an emulator on a data folder. It is closed after the test. */
export async function openData(data: string, options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await createEmulator({ fixtures: FIXTURES, listen: false, data, now: NOW, ...options });
  onTestFinished(() => emulator.close());
  return emulator;
}

/** Sends a request in the name of ada. */
export async function send(
  { fetch }: Pick<Emulator, 'fetch'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(path, {
    method,
    headers: { authorization: 'Bearer ada-token', ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

export const create = (emulator: Pick<Emulator, 'fetch'>, name: string) =>
  send(emulator, 'POST', '/v1/vals', { name, code: `// ${name}` });

export const namesOf = (emulator: Pick<Emulator, 'state'>): string[] =>
  emulator
    .state()
    .vals.map(({ name }) => name)
    .sort();

/** With the keys in order, without those that are undefined, and with bytes in base64. */
const show = (value: unknown): string =>
  JSON.stringify(
    value,
    (_, inner) => {
      if (inner instanceof Uint8Array) return Buffer.from(inner).toString('base64');
      return typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner;
    },
    1,
  );

const listBranch = ({ files, ...branch }: Branch) => ({ ...branch, files: [...files.tree] });

const listState = (given: State, state = toValsState(given)) => ({
  ...state,
  users: [...state.users],
  vals: [...state.vals],
  versions: [...state.versions],
  runs: [...state.runs],
  likes: [...state.likes],
  comments: [...state.comments],
  // Without them, the states of formats before 3 are as they were.
  tokens: state.tokens.size > 0 ? [...state.tokens] : undefined,
  emails: state.emails.size > 0 ? [...state.emails] : undefined,
  blobs: state.blobs.size > 0 ? [...state.blobs] : undefined,
  sqlite: state.sqlite.size > 0 ? [...state.sqlite] : undefined,
  pages: state.pages.size > 0 ? [...state.pages] : undefined,
  organizations: state.organizations.size > 0 ? [...state.organizations] : undefined,
  memberships: state.memberships.size > 0 ? [...state.memberships] : undefined,
  projects: state.projects.size > 0 ? [...state.projects] : undefined,
  branches: state.branches.size > 0 ? Array.from(state.branches, listBranch) : undefined,
  commits: state.commits.size > 0 ? [...state.commits] : undefined,
  texts: state.texts.size > 0 ? [...state.texts] : undefined,
  environment: state.environment.size > 0 ? [...state.environment] : undefined,
  responses: state.responses.size > 0 ? [...state.responses] : undefined,
  clients: state.clients.size > 0 ? [...state.clients] : undefined,
  grants: state.grants.size > 0 ? [...state.grants] : undefined,
  rateLimits: [...state.rateLimits],
  definitions: undefined,
  isDraft: undefined,
});

const shown = new WeakMap<State, string>();

/** All that a state is, as text. */
export function showState(state: State): string {
  const text = shown.get(state) ?? show(listState(state));
  shown.set(state, text);
  return text;
}

/** All that the contents of a store are, except for the number of its branch. */
export const showContents = ({ state, history, commits, numbers, snapshots }: Contents<State>): string =>
  show({
    ...{ state: showState(state), commits, ...numbers },
    history: history.list().map((each) => ({ ...each, before: showState(each.before), after: showState(each.after) })),
    snapshots: snapshots.map((each) => ({ ...each, state: showState(each.state) })),
  });

/** The state, and what there is besides it by name. */
export const showBriefly = ({ state, history, commits, numbers, snapshots }: Contents<State>): string =>
  show([
    showState(state),
    commits,
    numbers,
    history.list().map(({ id }) => id),
    snapshots.map(({ name, at }) => [name, at]),
  ]);

export const contentsOf = (emulator: Emulator): string => showContents(emulator.store.contents);

/** The class of open files, to replace what they do. All files of this process have its methods. */
async function fileClass() {
  const path = join(tmpdir(), `val-emulator-probe-${process.pid}`);
  const handle = await open(path, 'w');
  await handle.close();
  await rm(path, { force: true });
  return Object.getPrototypeOf(handle) as typeof handle;
}

/** Lets no sync end until all are released, or one is by a step. */
export async function holdSyncs() {
  const files = await fileClass();
  const { datasync } = files;
  const waiting: (() => void)[] = [];
  let isReleased = false;
  const step = () => waiting.shift()?.();
  const release = () => {
    isReleased = true;
    while (waiting.length > 0) step();
  };
  const spy = vi.spyOn(files, 'datasync').mockImplementation(async function (this: typeof files) {
    if (!isReleased) await new Promise<void>((resolve) => waiting.push(resolve));
    return datasync.call(this);
  });
  onTestFinished(() => {
    release();
    spy.mockRestore();
  });
  return { spy, release, step };
}

/** Lets the next write begin, and wait until it is released. */
export async function holdWrite() {
  const files = await fileClass();
  const { write } = files;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const spy = vi.spyOn(files, 'write').mockImplementationOnce(async function (this: typeof files, ...args: unknown[]) {
    await released;
    return Reflect.apply(write, this, args);
  });
  onTestFinished(() => {
    release();
    spy.mockRestore();
  });
  return { spy, release };
}

/** Lets every write or sync fail from now on, and returns what ends this. */
export async function failDisk(method: 'datasync' | 'write' | 'sync', code = 'ENOSPC'): Promise<() => void> {
  const files = await fileClass();
  const error = Object.assign(new Error(`${code}: no space left on device, ${method}`), { code });
  const spy = vi.spyOn(files, method).mockRejectedValue(error);
  onTestFinished(() => spy.mockRestore());
  return () => spy.mockRestore();
}
