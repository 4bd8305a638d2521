import { loadFixtures } from '#engine/fixtures/load.js';
import { readFixtures } from '#engine/fixtures/source.js';
import { FixtureError } from '#engine/lib/errors.js';
import { finish } from '#engine/lib/steps.js';
import { toValsState } from '#vals/lib/state.collection.js';
import { getText } from '#vals/projects/file-records.collection.js';
import { findBranch } from '#vals/projects/names.collection.js';
import { readTree } from '#vals/projects/project-records.collection.js';
import { definitions } from '#vals/service/service.collection.js';
import type { Emulator, Fixtures } from '../../../src/index.js';
import { NOW } from '../../support/emulate.js';

/** Reads the files of a branch by path: the text, or the type of a directory. @param version default: the latest */
export function readFiles({ store }: Pick<Emulator, 'store'>, reference: string, version?: number) {
  const state = toValsState(store.state);
  const branch = findBranch(state, reference);
  if (!branch) throw new Error(`no branch ${reference}`);
  const tree = readTree(state, branch, version);
  return Object.fromEntries(
    Array.from(tree, (file) => [file.path, file.type === 'directory' ? null : getText(state, file)]),
  );
}

/** Returns the file at a path of a branch. */
export function getFile({ store }: Pick<Emulator, 'store'>, reference: string, path: string) {
  const file = findBranch(toValsState(store.state), reference)?.files.tree.get(path);
  if (!file) throw new Error(`no file ${path} in ${reference}`);
  return file;
}

/** Counts the records of sets that are no collection of their own, and of commits. */
export function countStored({ store }: Pick<Emulator, 'store'>) {
  const { projects, branches, commits, texts, environment } = toValsState(store.state);
  return [projects, branches, commits, texts, environment].map(({ size }) => size);
}

/** Lists the problems of fixtures, which JSON Schema cannot know all: `users[0].username: …`. */
export function listErrors(fixtures: Fixtures | string): string[] {
  const settings = { auth: 'strict', defaultPrivacy: 'private', idSeed: 'test' } as const;
  try {
    finish(loadFixtures(readFixtures(fixtures, definitions), { settings, definitions }, Date.parse(NOW)));
    return [];
  } catch (error) {
    if (error instanceof FixtureError) return error.problems.map(({ path, message }) => `${path}: ${message}`);
    throw error;
  }
}
