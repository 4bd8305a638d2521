import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createEmulator, type Emulator, type Sandbox } from '../../src/index.js';
import { sampleFixtures } from '../support/sample-fixtures.js';
import { RandomClient } from './client.js';
import { without } from './operations.js';

/* The difference of two random states, beside a comparison of all their records. */

const { SEED: seed = '20240611', SOAK } = process.env;
const soak = SOAK !== undefined && SOAK !== '';

const Collections = z.array(z.object({ name: z.string() }));
const Page = z.object({ total: z.number(), records: z.array(z.looseObject({ id: z.string() })) });
type Row = z.infer<typeof Page>['records'][number];

/** Reads all records as JSON, by collection and id. */
async function readAll(sandbox: Sandbox): Promise<Map<string, Row>> {
  const all = new Map<string, Row>();
  const collections = Collections.parse(await (await sandbox.fetch('/_emulator/collections')).json());
  for (const { name } of collections) {
    const path = `/_emulator/records/${name}?limit=1000`;
    const { records, total } = Page.parse(await (await sandbox.fetch(path)).json());
    expect(records).toHaveLength(total);
    for (const record of records) all.set(`${name} ${record.id}`, record);
  }
  return all;
}

/** A row has the ids of records that it refers to, and a difference has hashes. A record that is renamed changes no other one. */
const isShown = (key: string) => !/^(sha256|author|branch|owner|project|user|val|\w+Id)$/.test(key);

async function comparePlainly(before: Sandbox, after: Sandbox): Promise<string[]> {
  const [old, now] = [await readAll(before), await readAll(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
    const [from, to] = [old.get(key), now.get(key)];
    if (!from) return [`${key} added`];
    if (!to) return [`${key} removed`];
    const fields = Object.keys({ ...from, ...to }).filter(
      (field) => isShown(field) && JSON.stringify(from[field]) !== JSON.stringify(to[field]),
    );
    return fields.length === 0 ? [] : [`${key} changed: ${fields.sort()}`];
  });
}

const describeDiff = (emulator: Emulator, before: string, after: string): string[] =>
  emulator.diff(before, after, { limit: 100_000 }).changes.flatMap(({ collection, id, type, file, table, after }) => {
    if (file !== undefined || table !== undefined) return [];
    // The page has no value of a variable.
    const fields = Object.keys(after ?? {}).filter(
      (key) => isShown(key) && !(collection === 'environment' && key === 'value'),
    );
    const text = `${collection} ${id} ${type}`;
    return type !== 'changed' ? [text] : fields.length === 0 ? [] : [`${text}: ${fields.sort()}`];
  });

let found = 0;

async function play([first, second, requests]: readonly [number, number, number]): Promise<void> {
  await using emulator = await createEmulator({
    fixtures: sampleFixtures,
    listen: false,
    now: '2024-06-11T22:05:12.585Z',
  });
  const base = emulator.sandbox('base');
  const options = { operations: without('reset', 'seed') };
  await new RandomClient(base.fetch, first, options).run(requests);
  const [a, b] = [base.fork('a'), base.fork('b')];
  await new RandomClient(a.fetch, second, options).run(requests);
  await new RandomClient(b.fetch, second + 1, options).run(requests);
  for (const [before, after] of [
    [emulator, base],
    [base, a],
    [a, b],
    [b, b],
  ] as const) {
    const diff = describeDiff(emulator, `sandbox:${before.name}`, `sandbox:${after.name}`);
    expect(diff.toSorted()).toEqual((await comparePlainly(before, after)).sort());
    expect(describeDiff(emulator, `sandbox:${before.name}`, `sandbox:${after.name}`)).toEqual(diff);
    found += diff.length;
  }
}

test('a difference of random states is the one of a plain comparison', async () => {
  const number = fc.integer({ min: 1, max: 1_000_000 });
  const property = fc.asyncProperty(fc.tuple(number, number, fc.integer({ min: 0, max: 60 })), play);
  await fc.assert(property, { seed: Number(seed), numRuns: soak ? Number(SOAK) : 10 });
  // So that requests without changes do not pass.
  expect(found).toBeGreaterThan(100);
});
