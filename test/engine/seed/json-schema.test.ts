import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { COLLECTION_NAMES, type CollectionName, collections } from '#vals/service/service.collection.js';
import { verdict } from './verdict.js';

const FIXTURES = join(import.meta.dirname, '../../../fixtures');
interface RecordSchema {
  readonly properties: Readonly<Record<string, { readonly description: string; readonly default?: unknown }>>;
  readonly required?: readonly string[];
}

const readSchema = (collection: CollectionName): RecordSchema =>
  JSON.parse(readFileSync(new URL(`../../../schema/${collection}.schema.json`, import.meta.url), 'utf8')).items;

/** The shortest valid records. */
const SHORTEST: Readonly<Record<CollectionName, Readonly<Record<string, unknown>>>> = {
  users: { username: 'ada' },
  tokens: { user: 'ada' },
  organizations: { username: 'acme' },
  memberships: { organization: 'acme', user: 'ada' },
  projects: { owner: 'ada', name: 'site' },
  branches: { project: 'ada/site', name: 'draft' },
  commits: { branch: 'ada/site@main' },
  environment: { project: 'ada/site', key: 'API_KEY' },
  responses: { project: 'ada/site', file: 'main.ts' },
  vals: { author: 'ada', name: 'hello' },
  versions: { val: 'ada/hello', code: '1' },
  runs: { val: 'ada/hello' },
  likes: { user: 'ada', val: 'ada/hello' },
  emails: { user: 'ada' },
  blobs: { user: 'ada', key: 'a' },
  sqlite: { user: 'ada' },
  comments: { author: 'ada', val: 'ada/hello', comment: 'x' },
};

test('the package exports the schema', () => {
  const path = fileURLToPath(import.meta.resolve('val-emulator/fixtures.schema.json'));
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'val-emulator: fixtures',
  });
});

describe.each(COLLECTION_NAMES)('%s', (collection) => {
  const { properties, required = [] } = readSchema(collection);

  test('describes every key, with the default of each optional one', () => {
    expect(Object.keys(properties)).toEqual(Object.keys(collections[collection].schema.properties));
    for (const [key, { description, default: preset }] of Object.entries(properties)) {
      const isDescribed =
        required.includes(key) ||
        isOwner(collection, key) ||
        preset !== undefined ||
        /Default: |Optional|Instead of/i.test(description);
      expect(isDescribed, `${key}: ${description}`).toBe(true);
    }
  });

  test('has a message for editors in place of each pattern', () => {
    const texts = Object.values(properties).map((schema) => JSON.stringify(schema));
    const patterns = texts.filter((text) => text.includes('"pattern":'));
    expect(patterns).not.toEqual([]);
    for (const text of patterns) expect(text).toContain('"patternErrorMessage":"Expected ');
  });

  test('has the defaults of the validator', () => {
    const defaults = Object.entries(properties).filter(([, schema]) => schema.default !== undefined);
    const record = { ...SHORTEST[collection] };
    expect(collections[collection].validate(record)).toBe(true);
    expect(record).toEqual({
      ...SHORTEST[collection],
      ...Object.fromEntries(defaults.map(([key, schema]) => [key, schema.default])),
    });
  });

  test('accepts the same values of each key as the validator', () => {
    const differs = [...Object.keys(properties), 'unknown'].flatMap((key) =>
      [undefined, ...VALUES].flatMap((value) => {
        const { [key]: _, ...others } = SHORTEST[collection];
        const record = value === undefined ? others : { ...others, [key]: value };
        // The rules between keys are not part of the validator: the record factory checks them.
        if (BETWEEN_KEYS.some((isBroken) => isBroken(record, collection))) return [];
        const errors = verdict([record], collection);
        return (errors === undefined) === collections[collection].validate({ ...record }) ? [] : { record, errors };
      }),
    );
    expect(differs).toEqual([]);
  });
});

const ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const VALUES: readonly unknown[] = [
  ...[null, true, 0, 1, -1, 1.5, 2 ** 31, 2 ** 31 - 1, 1e300],
  ...['', ' ', 'x', 'ada', 'ada/hello', 'x y', '1st', 'a'.repeat(48), 'a'.repeat(49), 'é', 'a\nb', 'token '],
  ...['free', 'Pro', 'public', 'secret', 'http', 'script', 'ui', 'cron'],
  ...[ID, ID.toUpperCase(), ID.slice(1), `urn:uuid:${ID}`],
  ...['-10m', '+1d12h', '-1.5h', '10m', '100ms', '1d12h', '5', '-5', '-3y', '- 5m', '1h 5m'],
  ...'2024-06-11T22:05:12Z 2024-06-11t22:05:12.585z 2024-06-11T22:05:12+02:00 2024-06-11'.split(' '),
  '2024-06-11T22:05:12',
  ...['2023-02-29T00:00:00Z', '2024-02-29T00:00:00Z', '2024-06-11T25:00:00Z'],
  ...['https://example.com/ada.png', 'https://exämple.com/ü.png', 'me.png', '//example.com'],
  ...[[], [''], ['', ''], ['a', 'b'], [1], ['a', 1], [null], {}, { message: 'x', val: { deep: [1] } }],
];

/** Whether a record has either this key or the project. */
const isOwner = (collection: CollectionName, key: string): boolean =>
  key === 'user' && (collection === 'blobs' || collection === 'sqlite');

type Rule = (record: Readonly<Record<string, unknown>>, collection: CollectionName) => boolean;
const BETWEEN_KEYS: readonly Rule[] = [
  ({ username, id }) => username === null && id === undefined,
  ({ versionCreatedAt, code }) => versionCreatedAt !== undefined && code === undefined,
  ({ runEndAt, duration }) => runEndAt !== undefined && duration !== undefined,
  ({ user, project }, collection) => isOwner(collection, 'user') && (user === undefined) === (project === undefined),
];

test.each<[CollectionName, object]>([
  ['users', { username: null }],
  ['vals', { author: 'ada', name: 'hello', versionCreatedAt: '-1d' }],
  ['runs', { val: 'ada/hello', runEndAt: null, duration: '1s' }],
  ['blobs', { user: 'ada', project: 'ada/site', key: 'a' }],
  ['blobs', { key: 'a' }],
  ['sqlite', { user: 'ada', project: 'ada/site' }],
  ['sqlite', {}],
])('checks the rules between the keys of %s', (collection, record) => {
  expect(verdict([record], collection)).toBeDefined();
});

test.each(
  readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' }).filter((file) => /^(?!themes).*\.json$/.test(file)),
)('accepts fixtures/%s', (file) => {
  const records: unknown = JSON.parse(readFileSync(join(FIXTURES, file), 'utf8'));
  const collection = COLLECTION_NAMES.find((name) => name === file.replace(/^.*[\\/]|\.json$/g, ''));
  if (!collection) throw new Error(`no collection: ${file}`);
  expect(verdict(records, collection)).toBeUndefined();
  expect(verdict({ $schema: './fixtures.schema.json', [collection]: records })).toBeUndefined();
});
