import { expect, test } from 'vitest';
import { isObject } from '#engine/lib/objects.js';
import { differencesIn, pullFrom, start } from './support.js';

/** Pulls from an emulator whose responses are changed. @param change of the parsed body, or of the media type */
async function pullPlanted(
  route: RegExp,
  change: (body: unknown) => unknown,
  mediaType = 'application/json; charset=utf-8',
) {
  const emulator = await start();
  emulator.add.blob({ user: 'ada', key: 'notes', text: 'a' });
  return pullFrom(emulator, {
    async fetch(input, init) {
      const response = await fetch(input, init);
      if (!route.test(new URL(String(input)).pathname) || response.status !== 200) return response;
      const body = JSON.stringify(change(await response.json()));
      return new Response(body, { headers: { 'content-type': mediaType } });
    },
  });
}

const mapItems = (change: (items: unknown[]) => unknown[]) => (body: unknown) =>
  isObject(body) && Array.isArray(body.data) ? { ...body, data: change(body.data) } : body;

type Items = unknown[];
/** Lists that are no longer the sequence they were. */
const SEQUENCES: Readonly<Record<string, (items: Items) => Items>> = {
  'the last item twice': (items) => [...items, ...items.slice(-1)],
  'the first item twice': (items) => [...items.slice(0, 1), ...items],
  'the first item three times': (items) => [...items.slice(0, 1), ...items.slice(0, 1), ...items],
  'the first item again at the end': (items) => [...items, ...items.slice(0, 1)],
  'all items twice': (items) => [...items, ...items],
};
const LISTS = [/\/me\/comments$/, /\/versions$/, /\/me\/references$/];

test.each(LISTS.flatMap((route) => Object.entries(SEQUENCES).map(([what, change]) => ({ route, what, change }))))(
  'reports a list at $route with $what',
  async ({ route, change }) => {
    expect((await differencesIn(await pullPlanted(route, mapItems(change)))).join('\n')).toContain('items/$.data');
  },
);

test.each([
  ...['text/json', 'application/json', 'application/json; charset=latin1', 'application/json; charset=utf8'],
  ...['text/json; charset=utf-8', 'application/vnd.api+json; charset=utf-8', 'application/problem+json'],
  ...[
    'application/json; profile=v1',
    'application/json; charset=utf-8; profile=v1',
    'application/json; charset=utf-16',
  ],
])('reports the media type %s', async (type) => {
  expect(differencesIn(await pullPlanted(/\/v1\/me$/, (body) => body, type))).toEqual([
    expect.stringMatching(/^\/v1\/me\/header\/content-type: The service has .*; the emulator has /),
  ]);
});

test.each(['application/json;charset=utf-8', 'Application/JSON; charset="UTF-8"'])(
  'takes %s for the same',
  async (type) => {
    expect(differencesIn(await pullPlanted(/\/v1\/me$/, (body) => body, type))).toEqual([]);
  },
);

test.each([
  [
    'a size of one byte more',
    (item: object) => ({ ...item, size: 'size' in item ? Number(item.size) + 1 : 1 }),
    'size',
  ],
  ['no time of the last change', (item: object) => ({ ...item, lastModified: null }), 'lastModified'],
])('reports a list of blobs with %s', async (_, change, key) => {
  const plant = (body: unknown) => (Array.isArray(body) ? body.map((item) => change(item)) : body);
  expect(differencesIn(await pullPlanted(/\/v1\/blob$/, plant))).toEqual([
    expect.stringContaining(`/v1/blob/value/$[].${key}: The service has `),
  ]);
});
