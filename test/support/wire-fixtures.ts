import type { Fixtures } from '../../src/index.js';
import { sampleFixtures } from './sample-fixtures.js';

const id = (last: number): string => `10000000-0000-4000-8000-0000000000${last}`;

/** Ids of the projects, the branches, the files and the organizations in {@link wireFixtures}. */
export const PROJECT_IDS = [id(10), id(11), id(12)];
export const BRANCH_IDS = [id(20), id(21)];
export const FILE_IDS = [id(30), id(31)];
export const ORGANIZATION_IDS = [id(40), id(41)];

const [own = '', others = '', shared = ''] = PROJECT_IDS;
const [draft = '', second = ''] = BRANCH_IDS;
const [main = '', folder = ''] = FILE_IDS;
const [team = '', strangers = ''] = ORGANIZATION_IDS;

/** A token without scopes. */
export const LIMITED = 'limited token';

/** The sample fixtures, with projects of Ada, of another user and of an organization. */
export const wireFixtures: Fixtures = {
  ...sampleFixtures,
  tokens: [{ user: 'ada', token: LIMITED, scopes: [] }],
  organizations: [
    { username: 'team', id: team },
    { username: 'strangers', id: strangers },
  ],
  memberships: [{ organization: 'team', user: 'ada', role: 'owner' }],
  projects: [
    {
      ...{ owner: 'ada', name: 'val0', id: own, createdAt: '-100m' },
      files: {
        'main.ts': { text: '1', type: 'http', id: main },
        src: { type: 'directory', id: folder },
        'src/a.ts': '2',
        val0: '3',
      },
      env: { API_KEY: 's3cret' },
    },
    { owner: 'bob', name: 'val0', id: others, createdAt: '-90m', files: { 'main.ts': '1' } },
    { owner: 'team', name: 'VAL1', id: shared, privacy: 'private', createdAt: '-80m', files: { val0: '4' } },
  ],
  branches: [
    { project: 'ada/val0', name: 'draft', id: draft },
    { project: 'ada/val0', name: 'second', id: second, from: 'draft' },
  ],
};
