import { COLLECTION_NAMES, type CollectionName } from '../../src/fixtures/schema.js';
import { busy } from './busy.js';
import { edgeCases } from './edge-cases.js';
import { failures } from './failures.js';
import { popular } from './popular.js';
import type { Scenario } from './scenario.js';

const SCENARIOS: Readonly<Record<string, () => Scenario>> = { busy, 'edge-cases': edgeCases, failures, popular };

/** The files of `fixtures/` that are made rather than written: their paths there, and their texts. */
export const scenarioFiles = (): { readonly path: string; readonly text: string }[] =>
  Object.entries(SCENARIOS).flatMap(([name, make]) => {
    const scenario = make();
    return COLLECTION_NAMES.filter((collection) => scenario[collection].length > 0).map((collection) => ({
      path: `fixtures/${name}/${collection}.json`,
      text: textOf(scenario[collection]),
    }));
  });

/** A record on each line. */
const textOf = (records: Scenario[CollectionName]): string =>
  `[\n${records.map((record) => `  ${JSON.stringify(record)}`).join(',\n')}\n]\n`;
