import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { FixtureError, type Problem } from '#engine/lib/errors.js';
import { finish } from '#engine/lib/steps.js';
import { loadFixtures } from '#engine/seed/load.js';
import { type FixtureSource, readFixtures } from '#engine/seed/source.js';
import { type State, toValsState } from '#vals/lib/state.collection.js';
import type { Fixtures } from '#vals/service/service.collection.js';
import { definitions } from '#vals/service/service.collection.js';
import { agrees, verdict } from './verdict.js';

/** The load time of {@link load}. */
export const LOADED_AT = '2024-06-11T22:05:12.000Z';

/** Loads fixtures. Those given as an object are also compared with the JSON Schema of the package. */
export function load(fixtures: FixtureSource, idSeed = 'val-emulator'): State {
  const settings = { auth: 'strict', defaultPrivacy: 'private', idSeed } as const;
  try {
    const { state } = finish(
      loadFixtures(readFixtures(fixtures, definitions), { settings, definitions }, Date.parse(LOADED_AT)),
    );
    expectAgreement(fixtures, []);
    return toValsState(state);
  } catch (error) {
    if (error instanceof FixtureError) expectAgreement(fixtures, error.problems);
    throw error;
  }
}

function expectAgreement(fixtures: FixtureSource, problems: readonly Problem[]): void {
  if (typeof fixtures === 'string') return;
  expect(
    agrees(fixtures, problems),
    `schema: ${verdict(fixtures) ?? 'accepts'}; loader: ${JSON.stringify(problems)}`,
  ).toBe(true);
}

/** Passes a value of any type as fixtures. */
export const untyped = (value: unknown): Fixtures => Object.assign<Fixtures, unknown>({}, value);

/** Lists the problems of fixtures, one line each, as the message of the error does. */
export const listProblems = (fixtures: FixtureSource): string[] =>
  findProblems(fixtures).map(({ path, message }) => `${path}: ${message}`);

/** Lists the problems of a folder of these files, without the path of the folder. */
export function listFolderProblems(files: Readonly<Record<string, unknown>>): string[] {
  const folder = folderOf(files);
  return listProblems(folder).map((line) => line.replaceAll(folder + sep, ''));
}

function findProblems(fixtures: FixtureSource): readonly Problem[] {
  try {
    load(fixtures);
  } catch (error) {
    if (error instanceof FixtureError) return error.problems;
    throw error;
  }
  return [];
}

/** Creates a folder for the test with these files: text or bytes as given, anything else as JSON. Returns its path. */
export function folderOf(files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
  }
  return folder;
}
