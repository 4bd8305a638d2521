import { afterAll, beforeAll, expect, test } from 'vitest';
import { CASES } from '#tools/conformance/cases/index.js';
import { createEmulator, type Emulator } from '../../../src/index.js';
import { isWhole, SEED } from '../../support/soak.js';
import { casesOf, checkPlanted, names } from './planting.js';
import { PLANTS, UNNOTICED } from './plants.js';

/** Rules that no plant breaks, each with the reason. */
const NOT_PLANTED: Readonly<Record<string, string>> = {
  'DELETE /v1/vals/{val_id}/versions/{version} Numbers are not used again, so a number always means the same code.':
    'its case reads a response of createVersion',
  'DELETE /v2/vals/{val_id}/branches/{branch_id} Forks of the branch keep their files and versions.':
    'its case reads the files of another branch',
};

let emulator: Emulator;
/** The cases that have failed for a plant. */
const reported = new Set<string>();

beforeAll(async () => {
  emulator = await createEmulator({ listen: false });
});
afterAll(() => emulator?.close());

const ROUTES = [...new Set(PLANTS.map(({ route }) => route))];
/** All routes, or a third of them, which the seed chooses. */
const CHOSEN = isWhole ? ROUTES : ROUTES.filter((_, i) => i % 3 === Number(SEED) % 3);

test.each(CHOSEN)('%s: a failure names the operation of each difference', async (route) => {
  const silent: string[] = [];
  const unnoticed: string[] = [];
  for (const plant of PLANTS.filter((each) => each.route === route)) {
    const { fired, failed } = await checkPlanted(emulator, plant, casesOf(plant));
    if (fired === 0) silent.push(plant.id);
    if (!failed.some((id) => names(id, route))) unnoticed.push(plant.id);
    for (const id of failed) reported.add(id);
  }
  expect({ silent, unnoticed }).toEqual({
    silent: [],
    unnoticed: Object.keys(UNNOTICED).filter((id) => PLANTS.some((plant) => plant.id === id && plant.route === route)),
  });
});

test.runIf(isWhole)('each rule has a case that fails for a difference', () => {
  const rules = (cases: typeof CASES) => new Set(cases.map(({ route, rule }) => `${route} ${rule}`));
  const shown = rules(CASES.filter(({ id }) => reported.has(id)));
  expect([...rules(CASES)].filter((rule) => !shown.has(rule))).toEqual(Object.keys(NOT_PLANTED));
});
