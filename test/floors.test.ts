import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const SRC = resolve(import.meta.dirname, '../src');

/** Each floor and those it stands on. What lies directly in src belongs to the emulator's own floor. */
const FLOORS: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  contract: ['domain'],
  fixtures: ['domain'],
  routes: ['contract', 'domain'],
  control: ['contract', 'domain', 'fixtures'],
  http: ['contract', 'control', 'domain', 'fixtures'],
  emulator: ['contract', 'control', 'domain', 'fixtures', 'http', 'routes'],
  cli: ['contract', 'control', 'domain', 'emulator', 'fixtures', 'http'],
  testing: ['contract', 'control', 'domain', 'emulator', 'fixtures', 'http'],
};

/** Loaded by `import()` where they are needed. */
const ON_DEMAND = ['fixtures/generate/', 'control/db/', 'cli/watch.'];

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

/** Every module that a file imports, statically or not. */
const importsOf = (file: string): string[] =>
  [...readFileSync(join(SRC, file), 'utf8').matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map(
    ([, name = '']) => name,
  );

const floorOf = (file: string): string => (file.includes('/') ? (file.split('/')[0] ?? '') : 'emulator');

test.each(files)('%s imports from its own floor and those below', (file) => {
  const floor = floorOf(file);
  const allowed = [floor, ...(FLOORS[floor] ?? [])];
  const local = importsOf(file).filter((name) => name.startsWith('.'));
  const floors = local.map((name) => floorOf(relative(SRC, resolve(SRC, dirname(file), name))));
  expect(floors.filter((name) => !allowed.includes(name))).toEqual([]);
});

test('Express is imported under http alone', () => {
  expect(files.filter((file) => importsOf(file).includes('express')).map(floorOf)).toEqual(['http']);
});

test('heavy modules are imported by the command line, and by modules that are only loaded when they are needed', () => {
  const heavy = files.filter((file) =>
    importsOf(file).some((name) => /^(?:yargs|json-server|chokidar|@faker-js)/.test(name)),
  );
  const eager = heavy.filter((file) => !file.startsWith('cli/') && !ON_DEMAND.some((path) => file.startsWith(path)));
  expect(eager).toEqual([]);
  const statically = /(?:^|\n)(?:import|export)[^;]*?from '([^']+)'/g;
  for (const file of files.filter((name) => !ON_DEMAND.some((path) => name.startsWith(path)))) {
    const names = [...readFileSync(join(SRC, file), 'utf8').matchAll(statically)].filter(
      ([text]) => !/^\n?import type/.test(text),
    );
    const reached = names.map(([, name = '']) =>
      name.startsWith('.') ? relative(SRC, resolve(SRC, dirname(file), name)) : name,
    );
    expect(reached.filter((path) => ON_DEMAND.some((start) => path.startsWith(start)))).toEqual([]);
  }
});

test('below http, time and chance come from the state', () => {
  const pattern = /Date\.now\(|new Date\(\)|Math\.random\(|randomUUID\(/;
  const guilty = files
    .filter((file) => !['http', 'emulator', 'cli', 'testing'].includes(floorOf(file)))
    // The generator writes code of vals, which may ask for the time.
    .filter((file) => !file.startsWith('fixtures/generate/themes/'))
    .filter((file) => pattern.test(readFileSync(join(SRC, file), 'utf8')));
  expect(guilty).toEqual([]);
});

test('no module keeps state of its own', () => {
  const guilty = files.filter((file) => /^(?:export )?let /m.test(readFileSync(join(SRC, file), 'utf8')));
  expect(guilty).toEqual([]);
});
