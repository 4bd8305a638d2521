import { describe, expect, test } from 'vitest';
import { findPathProblem, findType } from '#vals/projects/files.collection.js';
import type { Input } from '#vals/service/service.collection.js';
import type { Fixtures } from '../../../src/index.js';
import { emulate, NOW } from '../../support/emulate.js';
import { getFile, listErrors, readFiles } from './files.js';

const USERS = [{ username: 'ada' }, { username: 'grace' }];
const HOUR = 3_600_000;
const FILE_ID = 'f11e0000-0000-4000-8000-000000000001';

const site = (project: object): Fixtures => ({ users: USERS, projects: [{ owner: 'ada', name: 'site', ...project }] });
const commit = (files: NonNullable<Input<'commits'>['files']>): Fixtures => ({
  ...site({ files: { 'main.ts': 'one', 'src/a.ts': 'a', 'src/b.ts': 'b' } }),
  commits: [{ branch: 'ada/site@main', files }],
});

describe('short fixtures', () => {
  test('make a branch main with one commit of all files', async () => {
    const emulator = await emulate(
      site({ files: { 'main.ts': 'one', 'src/api.ts': ['a', 'b'], docs: { type: 'directory' } } }),
    );
    const { branches, commits } = emulator.state();
    expect(branches.map(({ project, name, from }) => [project, name, from])).toEqual([['ada/site', 'main', null]]);
    expect(commits.map(({ branch, version, kind }) => [branch, version, kind])).toEqual([
      ['ada/site@main', 1, 'multiple'],
    ]);
    expect(readFiles(emulator, 'ada/site@main')).toEqual({
      docs: null,
      'main.ts': 'one',
      src: null,
      'src/api.ts': 'a\nb',
    });
  });

  test('make a project without files, whose branch main is at version 0', async () => {
    const emulator = await emulate(site({}));
    expect(emulator.state()).toMatchObject({ branches: [{ name: 'main' }], commits: [] });
    expect(readFiles(emulator, 'ada/site@main')).toEqual({});
  });

  test('make branches from branches, each with its commits', async () => {
    const branches = [
      { name: 'late', from: 'draft' },
      { name: 'draft', commits: [{ files: { 'main.ts': 'two', 'old.ts': null } }, { files: { 'new.ts': '' } }] },
    ];
    const emulator = await emulate(site({ files: { 'main.ts': 'one', 'old.ts': '' }, branches }));
    expect(readFiles(emulator, 'ada/site@main')).toEqual({ 'main.ts': 'one', 'old.ts': '' });
    expect(readFiles(emulator, 'ada/site@draft')).toEqual({ 'main.ts': 'two', 'new.ts': '' });
    expect(readFiles(emulator, 'ada/site@draft', 1)).toEqual({ 'main.ts': 'two' });
    expect(readFiles(emulator, 'ada/site@draft', 0)).toEqual({ 'main.ts': 'one', 'old.ts': '' });
    expect(readFiles(emulator, 'ada/site@late')).toEqual({ 'main.ts': 'two', 'new.ts': '' });
    const ids = ['main', 'draft', 'late'].map((branch) => getFile(emulator, `ada/site@${branch}`, 'main.ts').id);
    expect(new Set(ids).size).toBe(1);
  });

  test('give a project the earliest time of its commits', async () => {
    const branches = [{ name: 'draft', commits: [{ files: { 'a.ts': '' }, createdAt: '-2h' }, { createdAt: '-1h' }] }];
    const emulator = await emulate(site({ branches }));
    const ago = (hours: number) => new Date(Date.parse(NOW) - hours * HOUR).toISOString();
    const { projects, commits } = emulator.state();
    expect(projects[0]?.createdAt).toBe(ago(2));
    expect(commits.map(({ createdAt }) => createdAt)).toEqual([ago(2), ago(1)]);
    expect(getFile(emulator, 'ada/site@draft', 'a.ts')).toMatchObject({ version: 1, updatedAt: Date.parse(ago(2)) });
  });

  test('have environment variables, as texts or with a description', async () => {
    const env = { API_KEY: 's3cret', UNKNOWN: { value: null, description: 'Ask ada' } };
    const { environment } = (await emulate(site({ env }))).state({ secrets: true });
    expect(environment.map(({ key, value, description }) => [key, value, description])).toEqual([
      ['API_KEY', 's3cret', null],
      ['UNKNOWN', '', 'Ask ada'],
    ]);
  });

  test('have projects of organizations, whose name no user has', async () => {
    const emulator = await emulate({
      users: USERS,
      organizations: [{ username: 'Acme' }],
      memberships: [{ organization: 'acme', user: 'ada', role: 'owner' }],
      projects: [{ owner: 'acme', name: 'tool', files: { 'a.ts': '1' } }],
    });
    expect(readFiles(emulator, 'acme/tool@main')).toEqual({ 'a.ts': '1' });
    expect(() => emulator.add.user({ username: 'ACME' })).toThrow('user.username: "ACME" is taken');
    expect(() => emulator.add.organization({ username: 'Ada' })).toThrow('organization.username: "Ada" is taken');
  });
});

describe('a commit', () => {
  test('keeps the id of a file that it edits', async () => {
    const emulator = await emulate(commit({ 'main.ts': 'two' }));
    const file = getFile(emulator, 'ada/site@main', 'main.ts');
    expect(file.version).toBe(2);
    expect(emulator.state().commits.map(({ files }) => Object.keys(files))).toEqual([
      ['main.ts', 'src', 'src/a.ts', 'src/b.ts'],
      ['main.ts'],
    ]);
  });

  test('moves a file by its id, with its text', async () => {
    const emulator = await emulate({
      ...site({ files: { 'old.ts': { text: 'one', id: FILE_ID } } }),
      commits: [{ branch: 'ada/site@main', files: { 'lib/new.ts': { id: FILE_ID } } }],
    });
    expect(readFiles(emulator, 'ada/site@main')).toEqual({ lib: null, 'lib/new.ts': 'one' });
    expect(getFile(emulator, 'ada/site@main', 'lib/new.ts')).toMatchObject({ id: FILE_ID, version: 2, type: 'script' });
  });

  test('moves a directory with all that is below it', async () => {
    const emulator = await emulate({
      ...site({
        files: { src: { type: 'directory', id: FILE_ID }, 'src/a.ts': 'a', 'src/deep/b.ts': 'b', 'src2.ts': '' },
      }),
      commits: [{ branch: 'ada/site@main', files: { lib: { id: FILE_ID } } }],
    });
    const moved = { lib: null, 'lib/a.ts': 'a', 'lib/deep': null, 'lib/deep/b.ts': 'b', 'src2.ts': '' };
    expect(readFiles(emulator, 'ada/site@main')).toEqual(moved);
  });

  test('lets two files change places', async () => {
    const other = 'f11e0000-0000-4000-8000-000000000002';
    const emulator = await emulate({
      ...site({ files: { 'a.ts': { text: 'a', id: FILE_ID }, 'b.ts': { text: 'b', id: other } } }),
      commits: [{ branch: 'ada/site@main', files: { 'a.ts': { id: other }, 'b.ts': { id: FILE_ID } } }],
    });
    expect(readFiles(emulator, 'ada/site@main')).toEqual({ 'a.ts': 'b', 'b.ts': 'a' });
  });

  test('deletes a directory with all that is below it', async () => {
    expect(readFiles(await emulate(commit({ src: null })), 'ada/site@main')).toEqual({ 'main.ts': 'one' });
  });
});

test.each([
  ['main.ts', 'script'],
  ['index.http.tsx', 'http'],
  ['jobs/daily.cron.ts', 'interval'],
  ['inbox_email.js', 'email'],
  ['http-email.ts', 'script'],
  ['https.ts', 'script'],
  ['http.md', 'file'],
  ['README', 'file'],
])('the file %s is of the type %s', (path, type) => expect(findType(path)).toBe(type));

test.each([
  ['', 'found "", which has an empty part; expected a path such as "src/main.ts".'],
  ['/a.ts', 'found "/a.ts", which has an empty part; expected a path such as "src/main.ts".'],
  ['a/', 'found "a/", which has an empty part; expected a path such as "src/main.ts".'],
  ['a//b', 'found "a//b", which has an empty part; expected a path such as "src/main.ts".'],
  ['a/../b', 'found the part ".."; expected the name of a directory.'],
  ['./a', 'found the part "."; expected the name of a directory.'],
  ['a\nb', 'found the part "a\\nb"; expected 1 to 48 letters, digits and $[]().-_.'],
  [`${'x'.repeat(49)}/a`, `found the part "${'x'.repeat(49)}"; expected 1 to 48 letters, digits and $[]().-_.`],
  [`${'x/'.repeat(512)}x`, 'a path of 1025 characters; expected at most 1024.'],
  [`${'x/'.repeat(511)}xx`, undefined],
  ['$a[b](c)-d_e.f', undefined],
])('the path %j is checked', (path, problem) => expect(findPathProblem(path)).toBe(problem));

const manyFiles = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}.ts`, '']));

describe('errors have the path of what is wrong', () => {
  test.each<readonly [string, Fixtures, string]>([
    [
      'an unknown owner',
      { users: USERS, projects: [{ owner: 'adda', name: 'x' }] },
      'projects[0].owner: there is no user or organization "adda". Did you mean "ada"?',
    ],
    [
      'a wrong name',
      { users: USERS, projects: [{ owner: 'ada', name: '1x' }] },
      'projects[0].name: found "1x"; expected a name of 1 to 48 letters, digits, - and _ that begins with a letter.',
    ],
    [
      'a name twice',
      {
        users: USERS,
        projects: [
          { owner: 'ada', name: 'x' },
          { owner: 'ADA', name: 'X' },
        ],
      },
      'projects[1].name: the project "ada/x" is taken by projects[0].name; expected another one.',
    ],
    [
      'an organization with the name of a user',
      { users: USERS, organizations: [{ username: 'ADA' }] },
      'organizations[0].username: "ADA" is taken; expected another one.',
    ],
    [
      'a member twice',
      {
        users: USERS,
        organizations: [{ username: 'acme' }],
        memberships: [
          { organization: 'acme', user: 'ada' },
          { organization: 'acme', user: 'ADA' },
        ],
      },
      'memberships[1].user: is a member of acme already; expected another user.',
    ],
    [
      'a wrong path',
      site({ files: { '../x': '' } }),
      'projects[0].files.../x: found the part ".."; expected the name of a directory.',
    ],
    [
      'a long file',
      site({ files: { 'a.ts': 'x'.repeat(80_001) } }),
      'projects[0].files.a.ts: 80001 characters; expected at most 80000.',
    ],
    [
      'bytes',
      site({ files: { 'a.ts': { base64: '/w==' } } }),
      'projects[0].files.a.ts: found bytes that are no text; expected text in UTF-8.',
    ],
    [
      'a directory with text',
      site({ files: { a: { type: 'directory', text: '' } } }),
      'projects[0].files.a: a directory has no text; expected none, or another type.',
    ],
    [
      'a file below a file',
      site({ files: { a: '', 'a/b': '' } }),
      'projects[0].files.a/b: "a" is a file; expected a directory.',
    ],
    [
      'no such file to delete',
      commit({ 'gone.ts': null }),
      'commits[0].files.gone.ts: there is no file or directory to delete.',
    ],
    [
      'a file in place of a directory',
      commit({ src: 'text' }),
      'commits[0].files.src: is a directory already; delete it in a commit before.',
    ],
    [
      'too many files',
      site({ files: manyFiles(1_001) }),
      'projects[0].files: make 1001 files of the project; expected at most 1000.',
    ],
    [
      'an unknown parent',
      site({ branches: [{ name: 'a', from: 'mian' }] }),
      'projects[0].branches[0].from: there is no branch "mian" in ada/site. Did you mean "main"?',
    ],
    [
      'parents in a circle',
      site({
        branches: [
          { name: 'a', from: 'b' },
          { name: 'b', from: 'a' },
        ],
      }),
      'projects[0].branches[1].from: "a" starts from this branch; expected another one.',
    ],
    [
      'a branch twice',
      site({ branches: [{ name: 'a' }, { name: 'a' }] }),
      'projects[0].branches[1].name: the branch "a" is taken by projects[0].branches[0]; expected another name.',
    ],
    [
      'too many branches',
      site({ branches: Array.from({ length: 100 }, (_, i) => ({ name: `b${i}` })) }),
      'projects[0].branches[99].name: makes 101 branches; expected at most 100.',
    ],
    [
      'a version that the parent has not',
      { ...site({}), branches: [{ project: 'ada/site', name: 'a', version: 1 }] },
      'branches[0].version: found 1; expected at most 0, the latest version of ada/site@main.',
    ],
    [
      'main from another branch',
      { ...site({}), branches: [{ project: 'ada/site', name: 'main', from: 'a' }] },
      'branches[0].from: the branch main starts from no other; leave it out.',
    ],
    [
      'an unknown branch',
      { ...site({}), commits: [{ branch: 'ada/site@mian' }] },
      'commits[0].branch: there is no branch "ada/site@mian". Did you mean "ada/site@main"?',
    ],
    [
      'a commit of an unknown project',
      { ...site({}), commits: [{ branch: 'ada/sit@main' }] },
      'commits[0].branch: there is no project "ada/sit". Did you mean "ada/site"?',
    ],
    [
      'a version out of order',
      { ...site({}), commits: [{ branch: 'ada/site@main', version: 2 }] },
      'commits[0].version: found 2; expected 1, the next one of ada/site@main.',
    ],
    [
      'a wrong key',
      site({ env: { '1A': '' } }),
      'projects[0].env.1A: found the key "1A"; expected a key of at most 8192 letters, digits and _ that begins with no digit.',
    ],
    [
      'a key twice',
      { ...site({ env: { A: '' } }), environment: [{ project: 'ada/site', key: 'A' }] },
      'environment[0].key: "A" is taken; expected another one.',
    ],
    [
      'a file id of another project',
      {
        users: USERS,
        projects: ['a', 'b'].map((name) => ({ owner: 'ada', name, files: { 'a.ts': { id: FILE_ID } } })),
      },
      `projects[1].files.a.ts.id: "${FILE_ID}" is taken; expected another one.`,
    ],
    [
      'two files with one id',
      site({ files: { 'a.ts': { id: FILE_ID }, 'b.ts': { id: FILE_ID } } }),
      `projects[0].files.b.ts.id: "${FILE_ID}" is taken; expected another one.`,
    ],
  ])('%s', (_, fixtures, problem) => {
    expect(listErrors(fixtures)).toEqual([problem]);
  });
});
