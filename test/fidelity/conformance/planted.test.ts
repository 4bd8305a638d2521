import { expect, test } from 'vitest';
import { as } from '../../support/emulate.js';
import { buildPlanted, DIFFERENCES, plant } from '../../support/planted.js';
import { HELLO, PLANTED_FIXTURES } from '../../support/planted-fixtures.js';

// test/fidelity/proxy/compare.test.ts shows each difference, in the planted build alone.

test('there are twenty differences, each with its own id', () => {
  expect(new Set(DIFFERENCES.map(({ id }) => id)).size).toBe(20);
  expect(DIFFERENCES).toHaveLength(20);
});

test('plants one difference without the others', async () => {
  const { createEmulator } = await buildPlanted(['settings-200']);
  await using emulator = await createEmulator({ fixtures: PLANTED_FIXTURES });

  const { status } = await as(emulator, 'ada').put(`/v1/vals/${HELLO}`).send({});
  const { body } = await as(emulator, 'ada').get('/v1/me');

  expect({ status, tier: body.tier }).toEqual({ status: 200, tier: 'pro' });
});

test('names an unknown difference', async () => {
  await expect(buildPlanted(['settings-201'])).rejects.toThrow('There is no planted difference settings-201.');
});

test.each([0, 2])('names a difference whose text occurs %d times', (times) => {
  const [difference] = DIFFERENCES;
  if (!difference) throw new Error('no difference');

  expect(() => plant(difference.find.repeat(times), difference)).toThrow(
    `The text of the planted difference tier-missing occurs ${times} times in src/api/schemas/users.ts: `,
  );
});
