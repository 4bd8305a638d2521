import { expect, test } from 'vitest';
import type { Fixtures } from '../../../src/index.js';
import { emulate } from '../../support/emulate.js';

const fixtures: Fixtures = {
  users: [{ username: 'ada' }, { username: 'bob' }],
  vals: [{ author: 'ada', name: 'hello', code: `${'a'.repeat(40)}!` }],
};
const ODD = encodeURIComponent('^(a+)+$');

test('a pattern that would backtrack for ever is plain text in the data browser', async () => {
  const emulator = await emulate(fixtures);

  const response = await fetch(`${emulator.url}/_emulator/db/vals?code_like=${ODD}`);
  const after = await fetch(`${emulator.url}/_emulator/db/vals?code_like=aa!`);

  expect([response.status, await response.json()]).toEqual([200, []]);
  expect(await after.json()).toHaveLength(1);
});

test('the data browser refuses to read or join more records than it can while others wait', async () => {
  const runs = Array.from({ length: 4_998 }, () => ({ val: 'ada/hello' }));
  const emulator = await emulate({ ...fixtures, runs });
  const read = async (path: string) => {
    const response = await fetch(`${emulator.url}/_emulator/db/${path}`);
    const body = Object(await response.json());
    return response.status === 200 ? Object.keys(body).length : body.message;
  };
  const advice = 'Use /_emulator/records/runs, which reads a page at a time.';

  expect(await read('runs')).toBe(4_998);
  expect(await read('runs?_expand=val')).toBe(4_998);
  const again = '&_expand=val'.repeat(2);
  expect(await read(`runs?_expand=val${again}`)).toBe(
    `json-server reads at most 5000 records; these are 5001. ${advice}`,
  );
  emulator.add.run({ val: 'ada/hello' });
  emulator.add.run({ val: 'ada/hello' });
  expect(await read('runs')).toBe(5_000);
  const { id } = emulator.add.run({ val: 'ada/hello' });
  expect(await read('runs?_limit=1')).toBe(`json-server reads at most 5000 records; these are 5001. ${advice}`);
  expect(await read(`runs/${id}?_expand=val`)).toBeGreaterThan(10);
  expect(await read('vals?_expand=user')).toBe(1);
});

test('a join of the data browser that compares too many records names the page that it can read', async () => {
  const vals = Array.from({ length: 2_000 }, (_, i) => ({ author: 'ada', name: `v${i}`, code: '1' }));
  const runs = vals.map(({ name }) => ({ val: `ada/${name}` }));
  const emulator = await emulate({ ...fixtures, vals, runs });
  const path = `${emulator.url}/_emulator/db/runs?_expand=val`;

  const response = await fetch(path);
  const page = await fetch(`${path}&_limit=500`);

  expect([response.status, await response.json()]).toMatchObject([
    400,
    {
      message:
        '_embed and _expand compare at most 1000000 pairs of records; these are 4000000: set _limit=500. Use /_emulator/records/runs, which reads a page at a time.',
    },
  ]);
  expect(await page.json()).toHaveLength(500);
});

test.each([
  'code_like=[',
  'code_like=(?',
  'q[]=x',
  '_sort=a&_sort=b',
  '_sort=a&_order=asc&_order=desc',
  'callback=alert',
  '_sort[]=a',
  '_page=x',
  '_limit=-1',
  '__proto__=1',
  'constructor_like=.',
])('the data browser responds to the query %s without a stack', async (query) => {
  const emulator = await emulate(fixtures);

  const response = await fetch(`${emulator.url}/_emulator/db/vals?${query}`);

  expect(response.status).toBeLessThan(500);
  expect(await response.text()).not.toMatch(/node_modules|\.js:\d/);
});
