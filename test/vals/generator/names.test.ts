import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generate, writeFixture } from '#vals/generator/index.js';
import type { GenerateOptions } from '../../../src/index.js';
import { folderOf } from '../../engine/fixtures/loading.js';
import { createEmulator } from '../../support/emulate.js';
import { run } from '../../tools/cli/cli.js';

const SIZE = { users: 8, vals: 40, runs: 100, seed: 7 };
const PEOPLE: NonNullable<GenerateOptions['people']> = [
  'ada_robot',
  { username: 'Grace', email: 'grace@acme.test', bio: 'Boss', token: 'secret-1', tier: null },
];
const textOf = (options: GenerateOptions) => [...writeFixture(generate(options))].join('');

test('people are the first users, with generated values for missing keys', () => {
  const { users, vals } = generate({ ...SIZE, people: ['ada_robot', 'ken', 'bob', 'eve'] });
  expect(users.map(({ username }) => username).slice(0, 5)).toEqual(['ada_robot', 'ken', 'bob', 'std', 'eve']);
  expect(users[0]).toMatchObject({ email: 'ada_robot@example.com', bio: expect.any(String), tier: 'pro' });
  expect(vals.filter(({ author }) => author === 'ada_robot').length).toBeGreaterThan(0);
});

test('the picture of a person shows the first letter of the given name', () => {
  const people = Array.from({ length: 20 }, (_, i) => `zoe_${i}`);
  const { users } = generate({ users: 20, vals: 0, people });
  const letters = users.flatMap(({ profileImageUrl }) => /([A-Z])%3C\/text/.exec(profileImageUrl ?? '')?.[1] ?? []);
  expect(new Set(letters)).toEqual(new Set(['Z']));
});

test('people keep the given values', () => {
  const { users } = generate({ ...SIZE, people: PEOPLE });
  expect(users[1]).toMatchObject({
    username: 'Grace',
    email: 'grace@acme.test',
    bio: 'Boss',
    token: 'secret-1',
    tier: null,
  });
});

test('a company is in email addresses, bios and readmes', () => {
  const { users, vals } = generate({ ...SIZE, users: 20, company: 'Acme Robotics' });
  const others = users.filter(({ username }) => username !== 'std');
  expect(others.map(({ username, email }) => email === `${username}@acme-robotics.example`)).not.toContain(false);
  expect(users.filter(({ bio }) => bio?.includes('Acme Robotics')).length).toBeGreaterThan(1);
  expect(vals.filter(({ readme }) => String(readme).includes('Acme Robotics')).length).toBeGreaterThan(1);
});

test('options of names change only names, and the same names give the same bytes', () => {
  const options = { ...SIZE, company: 'Acme', people: ['ada'] };
  expect(textOf(options)).toBe(textOf({ ...options }));
  expect(textOf({ ...SIZE, people: [] })).toBe(textOf(SIZE));
  const count = (text: string) => text.split('\n').length;
  expect(count(textOf(options))).toBe(count(textOf(SIZE)));
});

test('a dataset whose users are all named has no standard library', () => {
  const people = ['a', 'b', 'c', 'd'];
  const { users } = generate({ users: 4, vals: 40, runs: 0, people });
  expect(users.map(({ username }) => username)).toEqual(people);
  expect(
    generate({ ...SIZE, people: ['Std'] }).users.filter(({ username }) => /^std$/i.test(String(username))),
  ).toHaveLength(1);
});

test.each<[GenerateOptions, string]>([
  [
    { people: ['a b'] },
    'option people[0]: found "a b"; expected a username of 1 to 48 letters, digits and _ that begins with a letter, or { "username": "ada", … }.',
  ],
  [
    { people: ['ada', { username: 'ADA' }] },
    'option people[1].username: "ADA" is taken by people[0]; expected another one.',
  ],
  [{ users: 1, people: ['ada', 'bob'] }, 'option users: found 1; expected at least 2, the number of people.'],
  [
    { company: '' },
    'option company: found ""; expected a name of 1 to 60 characters with a letter or digit, without " ` \\ $ % |.',
  ],
  [
    Object.assign({}, { people: [{ username: 'ada', emial: 'x' }] }),
    'option people[0].emial: unknown key. Did you mean "email"?',
  ],
])('%j is refused: %s', (options, message) => {
  expect(() => generate(options)).toThrow(message);
});

test('generate --company --people writes them, and start --generate takes them', async () => {
  const cwd = folderOf({ 'people.json': PEOPLE });
  const out = join(cwd, 'acme.json');
  const flags = ['--users', '4', '--vals', '8', '--runs', '0', '--company', 'Acme', '--people', 'people.json'];
  expect((await run(['generate', ...flags, '--out', out], { cwd })).code).toBe(0);
  const { users } = JSON.parse(readFileSync(out, 'utf8'));
  expect(users).toMatchObject([
    { username: 'ada_robot', email: 'ada_robot@acme.example' },
    { username: 'Grace', token: 'secret-1' },
    {},
    {},
  ]);
  const emulator = await createEmulator({ generate: { users: 3, vals: 3, company: 'Acme', people: ['ada'] } });
  expect(emulator.state().users[0]).toMatchObject({ username: 'ada', email: 'ada@acme.example' });
  await emulator.close();
});

test('reports an error in the file of people with its path', async () => {
  const cwd = folderOf({ 'people.json': ['ada', { username: 'b c' }], 'broken.json': '[' });
  const { stderr } = await run(['generate', '--people', 'people.json'], { cwd });
  expect(stderr).toContain('people.json [1].username: found "b c"; expected a name of 1 to 48 letters');
  expect((await run(['generate', '--people', 'broken.json'], { cwd })).stderr).toContain(
    'broken.json line 1, column 2: not valid JSON',
  );
  expect((await run(['generate', '--people', 'none.json'], { cwd })).stderr).toContain('none.json: could not be read');
});
