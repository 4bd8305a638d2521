import { describe, expect, test } from 'vitest';
import { as, emulate } from '../../support/emulate.js';

const fixtures = { users: [{ username: 'ada' }] };

describe.each([
  ['public', 200],
  ['unlisted', 200],
  ['private', 404],
] as const)('with defaultPrivacy %s', (defaultPrivacy, anonymous) => {
  test.each(['post', 'put'] as const)('%s creates a val with it', async (method) => {
    const emulator = await emulate(fixtures, { defaultPrivacy });

    const response = await as(emulator, 'ada')[method]('/v1/vals').send({ name: 'fresh', code: '1' });

    expect(response.body).toMatchObject({ privacy: defaultPrivacy, public: defaultPrivacy === 'public' });
    const read = await as(emulator).get(`/v1/vals/${response.body.id}`);
    expect(read.status).toBe(anonymous);
  });

  test('the privacy in the body takes precedence', async () => {
    const emulator = await emulate(fixtures, { defaultPrivacy });

    for (const privacy of ['public', 'unlisted', 'private']) {
      const response = await as(emulator, 'ada').post('/v1/vals').send({ code: '1', privacy });
      expect(response.body.privacy).toBe(privacy);
    }
  });

  test('an existing val keeps its privacy', async () => {
    const emulator = await emulate(fixtures, { defaultPrivacy });
    await as(emulator, 'ada').post('/v1/vals').send({ name: 'kept', code: '1', privacy: 'unlisted' });

    const response = await as(emulator, 'ada').put('/v1/vals').send({ name: 'kept', code: '2' });

    expect(response.body).toMatchObject({ version: 1, privacy: 'unlisted' });
  });
});
