import { writeFixtureFolder } from '#vals/generator/index.js';
import { busy } from './busy.js';
import { edgeCases } from './edge-cases.js';
import { failures } from './failures.js';
import { popular } from './popular.js';
import type { Scenario } from './scenario.js';

const SCENARIOS: Readonly<Record<string, () => Scenario>> = { busy, 'edge-cases': edgeCases, failures, popular };

/** The files of `fixtures/` that are made rather than written. */
export const scenarioFiles = (): { readonly path: string; readonly text: string }[] =>
  Object.entries(SCENARIOS).flatMap(([name, make]) =>
    writeFixtureFolder(make()).map(({ path, chunks }) => ({
      path: `fixtures/${name}/${path}`,
      text: [...chunks].join(''),
    })),
  );
