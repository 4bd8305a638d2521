import { expect, test } from 'vitest';
import * as z from 'zod';
import { emulate } from '../../support/emulate.js';

const Found = z.object({
  axes: z.record(z.string(), z.string()),
  clients: z.record(z.string(), z.object({ lastRun: z.string() })),
  rows: z.array(z.object({ name: z.string(), client: z.array(z.string()) })),
});

test('GET /_emulator/confidence has a row for each route, and says what proves it', async () => {
  const { fetch } = await emulate({ users: [{ username: 'ada' }] });

  const response = await fetch('/_emulator/confidence');
  const { axes, clients, rows } = Found.parse(await response.json());

  expect(Object.keys(axes)).toEqual(['recorded', 'client', 'engine', 'specification', 'record', 'chosen']);
  expect(clients.sdk?.lastRun).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.find(({ name }) => name === 'POST /v1/email')?.client).toEqual(['sdk']);
});

test('q selects rows by a part of their names, in any case', async () => {
  const { fetch } = await emulate({ users: [{ username: 'ada' }] });
  const namesOf = async (q: string) =>
    Found.parse(await (await fetch(`/_emulator/confidence?q=${q}`)).json()).rows.map(({ name }) => name);

  expect(await namesOf('SQLite')).toEqual([
    'POST /v1/sqlite/execute',
    'POST /v1/sqlite/batch',
    'sqlite',
    'sqlite_batch',
    'sqlite_execute',
  ]);
  expect(await namesOf('nothing')).toEqual([]);
  expect((await fetch('/_emulator/confidence?name=sqlite')).status).toBe(400);
});
