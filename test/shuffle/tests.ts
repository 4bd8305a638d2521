import * as z from 'zod';
import { expect, type Sandbox, test } from '#tools/testing/vitest.js';

// 25 tests that all do the same kinds of things to the same names. `scripts/checks/shuffle.js` runs them in several files
// at once, in any order: none may notice the others.

/** Of the first val that is created in a sandbox; the second has another. */
const FIRST_ID = '9a293e20-5a30-5ca8-88d4-f92c1a3fa788';
/** Of ada, in the default fixtures. */
const RUNS = 32;

const Val = z.object({ id: z.string(), version: z.int() });
const Page = z.object({ data: z.array(z.object({ id: z.string() })), links: z.object({ next: z.url().optional() }) });

const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };

const save = (emulator: Sandbox, code: string) =>
  fetch(`${emulator.url}/v1/vals`, { method: 'PUT', headers, body: JSON.stringify({ name: 'mine', code }) });

const statuses = (emulator: Sandbox) => emulator.requests().map(({ status }) => status);

for (const number of [1, 2, 3, 4, 5]) {
  test(`${number} versions are counted from 0`, async ({ emulator }) => {
    for (let version = 0; version < number; version++) {
      const val = Val.parse(await (await save(emulator, `${version}`)).json());
      expect(val).toEqual({ id: FIRST_ID, version });
    }
    const response = await fetch(`${emulator.url}/v1/vals/${FIRST_ID}/versions`, { headers });
    const versions = Array.from({ length: number }, (_, index) => ({ val_id: FIRST_ID, version: number - 1 - index }));
    expect(await response.json()).toMatchObject({ data: versions });
  });

  test(`a page of ${number * 10} links to all others`, async ({ emulator }) => {
    for (let added = 0; added < number; added++) emulator.add.run({ val: 'ada/hello' });
    const ids = new Set<string>();
    let url: string | undefined = `${emulator.url}/v1/me/runs?limit=${number * 10}`;
    while (url) {
      const page: z.infer<typeof Page> = Page.parse(await (await fetch(url, { headers })).json());
      for (const { id } of page.data) ids.add(id);
      url = page.links.next;
    }
    expect(ids.size).toBe(RUNS + number);
    expect(emulator).toHaveReceived('GET /v1/me/runs', { times: Math.ceil((RUNS + number) / (number * 10)) });
  });

  test(`${number} requests fail and the next one does not`, async ({ emulator }) => {
    emulator.fail('PUT /v1/vals', { status: 503, times: number });
    for (let attempt = 0; attempt <= number; attempt++) await save(emulator, '1');
    expect(statuses(emulator)).toEqual([...Array(number).fill(503), 200]);
    expect(emulator.faults()).toMatchObject([{ hits: number, remaining: 0 }]);
  });

  test(`${number} requests are in the journal, and no others`, async ({ emulator }) => {
    const sent = Array.from({ length: number }, (_, index) => `${number}.${index}`);
    await Promise.all(sent.map((code) => save(emulator, code)));
    expect(statuses(emulator)).toEqual(sent.map(() => 200));
    for (const code of sent)
      expect(emulator).toHaveReceived('PUT /v1/vals', { times: 1, body: { name: 'mine', code } });
    expect(emulator).toHaveNoUnhandledRequests();
  });

  test(`a rewind removes a val, ${number} times`, async ({ emulator }) => {
    emulator.clock.freeze(`2030-01-0${number}T00:00:00Z`);
    emulator.snapshot('before');
    for (let round = 0; round < number; round++) {
      expect(await (await save(emulator, '1')).json()).toMatchObject({
        id: FIRST_ID,
        version: 0,
        createdAt: `2030-01-0${number}T00:00:00.000Z`,
      });
      emulator.restore('before');
      expect((await fetch(`${emulator.url}/v1/vals/${FIRST_ID}`, { headers })).status).toBe(404);
    }
  });
}
