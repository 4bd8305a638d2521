import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Emulator, Fixtures } from '../../../src/index.js';
import { as, createEmulator, emulate } from '../../support/emulate.js';
import { readPages } from '../../support/pages.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
const HELLO = '4e110000-0000-4000-8000-000000000001';

const fixtures: Fixtures = {
  users: [
    {
      ...{ username: 'Ada', id: ADA, email: 'ada@analytical.example', tier: 'pro', token: 'ada-token' },
      ...{ bio: 'Writes programs for engines.', profileImageUrl: 'https://img.example.com/ada.png' },
    },
    { username: 'bob' },
  ],
  vals: [
    { author: 'Ada', name: 'Hello', id: HELLO, code: 'two', type: 'http', createdAt: '2024-01-02T00:00:00Z' },
    { author: 'Ada', name: 'hidden', code: '1', privacy: 'unlisted', createdAt: '2024-01-03T00:00:00.000Z' },
    { author: 'Ada', name: 'secret', code: '1', privacy: 'private', createdAt: '2024-01-04T00:00:00.000Z' },
    { author: 'Ada', name: 'latest', code: '1', createdAt: '2024-01-05T00:00:00.000Z' },
    { author: 'bob', name: 'hello', code: 'his', createdAt: '2024-01-06T00:00:00.000Z' },
  ],
  versions: [{ val: 'Ada/Hello', code: 'one' }],
};

describe('GET /v1/me', () => {
  test('returns the profile of the fixtures with tier and email', async () => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator, 'ada').get('/v1/me');

    expect(response.body).toStrictEqual({
      id: ADA,
      bio: 'Writes programs for engines.',
      username: 'Ada',
      profileImageUrl: 'https://img.example.com/ada.png',
      url: 'https://val.town/u/Ada',
      links: { self: `${emulator.url}/v1/users/${ADA}` },
      tier: 'pro',
      email: 'ada@analytical.example',
    });
  });

  test('returns null for empty fields', async () => {
    const token = 'a token with spaces';
    const emulator = await emulate({
      users: [{ username: null, id: ADA, email: 'someone@example.com', tier: null, token }],
    });

    const response = await as(emulator).get('/v1/me').set('Authorization', `Bearer ${token}`);

    expect(response.body).toStrictEqual({
      ...{ id: ADA, bio: null, username: null, profileImageUrl: null, url: `https://val.town/u/${ADA}` },
      ...{ links: { self: `${emulator.url}/v1/users/${ADA}` }, tier: null, email: 'someone@example.com' },
    });
  });
});

describe('GET /v1/alias/{username}/{val_name}', () => {
  test.each(['%40Ada/hELLO', 'ada/Hello/'])('%s returns the val with that id', async (name) => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator).get(`/v1/alias/${name}`);

    expect(response.body).toMatchObject({ id: HELLO, name: 'Hello', version: 1, code: 'two' });
  });
});

describe('GET /v1/users/{user_id}/vals', () => {
  test('fills each page with vals that the caller may read, the newest first', async () => {
    const emulator = await emulate(fixtures);
    const namesOn = async (caller: string) => {
      const pages = await readPages(emulator, caller, `/v1/users/${ADA}/vals?limit=1`);
      return pages.map(({ data }) => data.map((item) => Object(item).name));
    };

    expect(await namesOn('bob')).toStrictEqual([['latest'], ['Hello']]);
    expect(await namesOn('ada')).toStrictEqual([['latest'], ['secret'], ['hidden'], ['Hello']]);
  });
});

describe('with the option userType', () => {
  const TEAM = '7ea00000-0000-4000-8000-000000000001';
  const teams: Fixtures = { ...fixtures, organizations: [{ username: 'Team', id: TEAM }] };

  test('profiles have a type', async () => {
    const emulator = await emulate(teams, { userType: true });

    for (const path of ['/v1/me', `/v1/users/${ADA}`, '/v1/alias/ada']) {
      const { body } = await as(emulator, 'ada').get(path);
      expect([body.id, body.type], path).toStrictEqual([ADA, 'user']);
    }
  });

  test('an organization has a profile, by id and by name', async () => {
    const emulator = await emulate(teams, { userType: true });

    for (const path of [`/v1/users/${TEAM.toUpperCase()}`, '/v1/alias/@team']) {
      const response = await as(emulator).get(path);
      expect(response.body, path).toStrictEqual({
        id: TEAM,
        type: 'org',
        bio: null,
        username: 'Team',
        profileImageUrl: null,
        url: 'https://val.town/u/Team',
        links: { self: `${emulator.url}/v1/users/${TEAM}` },
      });
    }
    expect((await as(emulator).get(`/v1/alias/${TEAM}`)).status).toBe(404);
    expect((await as(emulator).get(`/v1/users/${TEAM}/vals`)).status).toBe(404);
  });

  test('without it, profiles have the keys of 2024, and an organization has none', async () => {
    const emulator = await emulate(teams);

    for (const path of ['/v1/me', `/v1/users/${ADA}`, '/v1/alias/ada']) {
      expect((await as(emulator, 'ada').get(path)).body, path).not.toHaveProperty('type');
    }
    expect((await as(emulator).get(`/v1/users/${TEAM}`)).status).toBe(404);
    expect((await as(emulator).get('/v1/alias/team')).status).toBe(404);
  });

  test('it is refused with specOnly, which has the specification alone', async () => {
    await expect(createEmulator({ userType: true, specOnly: true })).rejects.toThrow(
      'option userType: expected either userType or specOnly, not both.',
    );
    for (const options of [
      { userType: false, specOnly: true },
      { userType: true, specOnly: false },
    ]) {
      const emulator = await emulate(teams, options);
      expect('type' in (await as(emulator, 'ada').get('/v1/me')).body).toBe(options.userType);
    }
  });

  test('sandboxes have it, and an opened data folder has the option of its start', async () => {
    const data = await mkdtemp(join(tmpdir(), 'val-emulator-'));
    onTestFinished(() => rm(data, { recursive: true, force: true }));
    const typeOf = async (emulator: Emulator, path = '') =>
      Object((await as(emulator, 'ada').get(`${path}/v1/me`)).body).type;
    const first = await createEmulator({ fixtures, data });
    expect(await typeOf(first)).toBeUndefined();
    await first.close();
    const second = await createEmulator({ data, userType: true });
    onTestFinished(() => second.close());

    expect(await typeOf(second)).toBe('user');
    expect(await typeOf(second, '/_sandbox/other')).toBe('user');
  });
});
