import { expect, test } from 'vitest';
import { isObject } from '../../../src/lib/objects.js';
import { differencesIn, pullFrom, start } from './support.js';

/** Pulls from an emulator whose responses are changed. */
async function pullPlanted(route: RegExp, change: (body: unknown) => unknown) {
  const emulator = await start();
  return pullFrom(emulator, {
    async fetch(input, init) {
      const response = await fetch(input, init);
      if (!route.test(new URL(String(input)).pathname) || response.status !== 200) return response;
      const body = JSON.stringify(change(await response.json()));
      return new Response(body, { headers: { 'content-type': 'application/json; charset=utf-8' } });
    },
  });
}

const mapItems = (change: (items: unknown[]) => unknown[]) => (body: unknown) =>
  isObject(body) && Array.isArray(body.data) ? { ...body, data: change(body.data) } : body;

test.each([
  ['the last comment twice', /\/me\/comments$/, (items: unknown[]) => [...items, ...items.slice(-1)]],
  ['the first comment twice', /\/me\/comments$/, (items: unknown[]) => [...items.slice(0, 1), ...items]],
  ['the first comment again at the end', /\/me\/comments$/, (items: unknown[]) => [...items, ...items.slice(0, 1)]],
  ['the last version twice', /\/versions$/, (items: unknown[]) => [...items, ...items.slice(-1)]],
  [
    'the first version three times',
    /\/versions$/,
    (items: unknown[]) => [...items.slice(0, 1), ...items.slice(0, 1), ...items],
  ],
  ['the last reference twice', /\/me\/references$/, (items: unknown[]) => [...items, ...items.slice(-1)]],
  ['all references twice', /\/me\/references$/, (items: unknown[]) => [...items, ...items]],
])('reports a list with %s', { timeout: 120_000 }, async (_, route, change) => {
  expect((await differencesIn(await pullPlanted(route, mapItems(change)))).join('\n')).toContain('items/$.data');
});
