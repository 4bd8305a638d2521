import { expect, test } from 'vitest';
import { emulate } from '../../support/emulate.js';
import { sampleFixtures } from '../../support/sample-fixtures.js';

test('concurrent requests of two clients do not affect each other', async () => {
  const shared = await emulate(sampleFixtures);
  const create = async (name: string, i: number) => {
    const response = await fetch(`${shared.url}/_sandbox/${name}/v1/vals`, {
      method: 'POST',
      headers: { authorization: 'Bearer ada token', 'content-type': 'application/json' },
      body: JSON.stringify({ name: `fresh${i}`, code: name }),
    });
    return response.status;
  };

  const names = ['one', 'two', 'three', 'four'];
  const statuses = await Promise.all(names.flatMap((name) => Array.from({ length: 25 }, (_, i) => create(name, i))));

  expect(new Set(statuses)).toStrictEqual(new Set([200]));
  for (const name of names) {
    const fresh = shared
      .sandbox(name)
      .state()
      .vals.filter((val) => val.name.startsWith('fresh'));
    expect(fresh.map(({ code }) => code)).toStrictEqual(Array(25).fill(name));
  }
});
