import type { Fixtures } from '../../src/index.js';

export const ADA = 'ada00000-0000-4000-8000-000000000001';
export const HELLO = 'e1100000-c54b-11ef-b3a1-e6cdfca9ef9f';
export const SECRET = '5ec00000-c54b-11ef-b3a1-e6cdfca9ef9f';
export const RUN_AT = '2024-06-01T12:00:00.000Z';
const IMPORT = "import { hello } from 'https://esm.town/v/ada/hello';";

/** A val with two versions, a run and a comment; a private val; and one that depends on the first. */
export const PLANTED_FIXTURES: Fixtures = {
  users: [{ username: 'ada', id: ADA, email: 'ada@example.com', tier: 'pro' }, { username: 'grace' }],
  vals: [
    { author: 'ada', name: 'hello', id: HELLO, code: IMPORT, version: 1, versionCreatedAt: RUN_AT },
    { author: 'ada', name: 'secret', id: SECRET, code: '1', privacy: 'private' },
    { author: 'grace', name: 'greet', code: IMPORT, createdAt: RUN_AT },
  ],
  versions: [{ val: 'ada/hello', version: 0, code: '1', createdAt: '2024-05-01T00:00:00Z' }],
  runs: [{ val: 'ada/hello', runStartAt: RUN_AT }],
  comments: [{ author: 'grace', val: 'ada/hello', comment: 'Nice', createdAt: RUN_AT }],
};
