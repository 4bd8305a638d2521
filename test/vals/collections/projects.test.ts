import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../../src/index.js';
import { emulate } from '../../support/emulate.js';

/** The example of the documentation: what a user writes by hand. */
const SITE: Fixtures = {
  users: [{ username: 'ada' }, { username: 'grace' }],
  organizations: [{ username: 'acme' }],
  memberships: [{ organization: 'acme', user: 'ada', role: 'owner' }],
  projects: [
    {
      owner: 'ada',
      name: 'site',
      files: {
        'main.ts': 'export const a = 1;',
        'src/api.http.ts': ['one', 'two'],
        'old.ts': '',
        docs: { type: 'directory' },
      },
      env: { API_KEY: 's3cret', EMPTY: { value: null, description: 'Unknown' } },
      branches: [
        { name: 'draft', commits: [{ files: { 'main.ts': 'export const a = 2;', 'old.ts': null }, createdAt: '-2h' }] },
        { name: 'late', from: 'draft' },
      ],
    },
    { owner: 'ACME', name: 'tool', privacy: 'private', description: 'A tool' },
  ],
};

describe('records', () => {
  test('follow from short fixtures', async () => {
    const emulator = await emulate(SITE);
    console.log(JSON.stringify(emulator.exportState(), null, 1).slice(0, 9000));
    const b = emulator.exportState();
    const again = await emulate(b);
    expect(again.exportState()).toEqual(b);
    console.log(JSON.stringify(emulator.exportState({ brief: true })));
    const third = await emulate(emulator.exportState({ brief: true }));
    expect(third.exportState()).toEqual(b);
  });
});
