import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { routes } from '#vals/service/all.routes.js';
import { COLLECTION_NAMES } from '#vals/service/service.collection.js';
import { tools } from '#vals/service/service.tools.js';
import clients from '../../scripts/checks/clients/clients.json' with { type: 'json' };
import { confidence, LIMITS } from '../../scripts/docs/confidence.js';

const { rows } = confidence;
const namesOf = (kind: string) => rows.filter((row) => row.kind === kind).map(({ name }) => name);

test('each route, collection and tool has one row', () => {
  expect(namesOf('route').toSorted()).toEqual(routes.map(({ name }) => name).toSorted());
  expect(namesOf('collection').toSorted()).toEqual([...COLLECTION_NAMES].toSorted());
  expect(namesOf('tool').toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
});

test('each row says what it rests on', () => {
  const has = rows.filter(
    ({ kind, specification, record, chosen }) =>
      kind === 'missing' || specification.length + record.length + chosen.length > 0,
  );
  expect(has).toEqual(rows);
  expect(Object.keys(LIMITS).filter((name) => !rows.some((row) => row.name === name))).toEqual([]);
});

test('the clients are those of the check, which has a program for each', () => {
  const called = new Set(rows.flatMap(({ client }) => client));
  expect(Object.keys(confidence.clients)).toEqual(Object.keys(clients));
  expect([...called].filter((name) => !(name in clients))).toEqual([]);
  const folders = ['scripts/checks/clients', 'test/package/sdk'].map(
    (path) => new URL(`../../${path}/`, import.meta.url),
  );
  for (const { program, lastRun } of Object.values(clients)) {
    expect(folders.some((folder) => existsSync(new URL(program[0] ?? '', folder)))).toBe(true);
    expect(lastRun).toMatch(/^20\d\d-\d\d-\d\d$/);
  }
});

test('each call of a client is in a row', () => {
  const known = new Set([...routes.map(({ name }) => name), ...tools.map(({ name }) => `tool ${name}`)]);
  const calls = Object.values(clients).flatMap(({ called }) => called);
  expect(calls.filter((call) => ![...known].includes(call))).toEqual([]);
  expect(rows.find(({ name }) => name === 'POST /v2/vals')?.client).toEqual(['sdk']);
  expect(rows.find(({ name }) => name === 'create_file')?.client).toEqual(['inspector', 'ai-sdk', 'mcp-remote']);
  expect(rows.find(({ name }) => name === 'POST /v1/vals')?.client).toEqual([]);
});

test('what is not proven comes first', () => {
  expect(rows[0]).toMatchObject({ kind: 'missing', name: 'POST /v1/run', limit: 'The emulator does not run code.' });
  for (const kind of ['route', 'collection', 'tool']) {
    const found = rows.filter((row) => row.kind === kind);
    const first = found.findIndex(({ client }) => client.length > 0);
    expect(first).toBeGreaterThan(0);
    expect(found.slice(first).filter(({ client }) => client.length === 0)).toEqual([]);
  }
});
