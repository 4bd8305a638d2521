import { expect, test } from 'vitest';
import type { AnyDefinition } from '#engine/definition/define.js';
import { getRecordId, getRecords } from '#engine/definition/definitions.js';
import { StateNames } from '#engine/fixtures/names.js';
import { routes } from '#vals/service/all.routes.js';
import type { Emulator, Fixtures } from '../../../src/index.js';
import { emulate } from '../../support/emulate.js';

/** A record of each collection, all readable by ada. */
const FIXTURES: Fixtures = {
  users: [{ username: 'ada' }],
  organizations: [{ username: 'acme' }],
  memberships: [{ organization: 'acme', user: 'ada' }],
  vals: [{ author: 'ada', name: 'hello', code: '1' }],
  comments: [{ author: 'ada', val: 'ada/hello', comment: 'Nice' }],
  likes: [{ user: 'ada', val: 'ada/hello' }],
  runs: [{ val: 'ada/hello' }],
  tokens: [{ user: 'ada' }],
  emails: [{ user: 'ada', subject: 'Hi', text: 'Hello' }],
  projects: [{ owner: 'ada', name: 'site', files: { 'main.ts': '1' } }],
};

interface Kind {
  readonly collection: string;
  readonly id: string;
  readonly name: string;
}

/** Lists a record of each kind that has an id in the form of the paths, by the definitions of the service. */
function listKinds({ store }: Emulator): Kind[] {
  const { state } = store.committed;
  const kinds = state.definitions.all.flatMap((definition: AnyDefinition) => {
    const records = getRecords(state, definition.name);
    const [record] = records;
    const id = record && getRecordId(records, record);
    if (!record || id === undefined || !/^[\da-f-]{36}$/.test(id)) return [];
    return [{ collection: definition.name, id, name: definition.display(new StateNames(state), record) }];
  });
  const [branch] = store.committed.state.definitions.byName.get('branches')?.files ? getRecords(state, 'branches') : [];
  const [file] = branch ? (state.definitions.byName.get('branches')?.files?.list(state, branch) ?? []) : [];
  return file ? [...kinds, { collection: 'files', id: file.id, name: `${file.path} of ada/site@main` }] : kinds;
}

const PARAMETER = /\{(\w+)\}/g;

/** Lists the paths of the routes whose last parameter names a record by its id, by the route table. */
const found = routes.flatMap(({ finds, path }) => (finds === undefined ? [] : [{ finds, path }]));

/** Finds the collection that a parameter at the end of a path names. */
const findCollection = (start: string) => found.find(({ path }) => path === start)?.finds;

/** Whether a parameter is the id of a record. */
const hasIds = (schema: unknown, parameter: string): boolean =>
  Object(schema).properties?.[parameter.replace(/[{}]/g, '')]?.format === 'uuid';

/** Makes the requests of a route with the id of a kind as one of its parameters, and right ids elsewhere. */
function* listRequests(kinds: readonly Kind[]) {
  for (const { method, path, name, params, query } of routes) {
    for (const { index, 0: parameter } of path.matchAll(PARAMETER)) {
      const wanted = findCollection(path.slice(0, index + parameter.length));
      if (wanted === undefined) continue;
      for (const kind of kinds) {
        const target = path.replaceAll(PARAMETER, (each: string, _: string, at: number) => {
          if (at === index) return kind.id;
          const collection = findCollection(path.slice(0, at + each.length));
          return kinds.find((other) => other.collection === collection)?.id ?? (hasIds(params, each) ? kind.id : '1');
        });
        yield { method, name, target, kind, wanted };
      }
    }
    for (const { finds, path: other } of found) {
      const [, parameter = ''] = /\{(\w+)\}$/.exec(other) ?? [];
      if (!hasIds(query, parameter) || findCollection(path) === finds) continue;
      for (const kind of kinds) {
        const target = `${path.replaceAll(PARAMETER, () => kinds.find(({ collection }) => collection === 'projects')?.id ?? '')}?${parameter}=${kind.id}`;
        yield { method, name: `${name}?${parameter}`, target, kind, wanted: finds };
      }
    }
  }
}

/** A body that each route takes. */
const BODY = JSON.stringify({
  ...{ name: 'other', code: '1', privacy: 'public', key: 'KEY', value: '1', content: '1', type: 'script' },
});

const SAME: Readonly<Record<string, string>> = { vals: 'DELETE /v1/vals', projects: 'DELETE /v2/vals' };

test('the id of another kind is named for what it is, with the route that reads it', async () => {
  const emulator = await emulate(FIXTURES);
  const kinds = listKinds(emulator);
  const wrong: string[] = [];
  let count = 0;
  for (const { method, name, target, kind, wanted } of listRequests(kinds)) {
    if (kind.collection === wanted) continue;
    const query = /files(?:$|\?)|content/.test(target) ? `${target.includes('?') ? '&' : '?'}path=other.ts` : '';
    const response = await fetch(emulator.url + target + query, {
      method,
      headers: {
        authorization: 'Bearer ada-token',
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      },
      ...(method === 'POST' || method === 'PUT' ? { body: BODY } : {}),
    });
    const [entry] = emulator.requests({ limit: 1 });
    // A list by an id of no record is empty.
    if (response.status === 200 && name.includes('?')) continue;
    const route = found.find(({ finds }) => finds === kind.collection);
    const isNamed = entry?.reason?.startsWith(`"${kind.id}" is the `) && entry.reason.endsWith(kind.name);
    // What deletes a val deletes a project, and no branch or file.
    const same = /^DELETE \/v\d\/vals\/\{val_id\}$/.test(name) ? SAME[kind.collection] : undefined;
    const suggestion = entry?.suggestion ?? null;
    const isRead = route ? suggestion?.endsWith(`${kind.id} reads it`) === true : suggestion === null;
    const isRouted = same ? suggestion === `Send ${same}/${kind.id}` : isRead;
    // An organization is an account where profiles have a type.
    if (response.status !== 404 || !isNamed || !isRouted)
      wrong.push(
        `${name} with ${kind.collection}: ${response.status} ${entry?.message} - ${entry?.reason} - ${entry?.suggestion}`,
      );
    const address = /^GET (\S+) reads it$/.exec(entry?.suggestion ?? '')?.[1];
    if (address !== undefined) {
      const read = await fetch(emulator.url + address, { headers: { authorization: 'Bearer ada-token' } });
      if (read.status !== 200) wrong.push(`${address}: ${read.status}`);
    }
    count++;
  }
  expect(wrong).toEqual([]);
  expect(found.map(({ finds }) => finds).sort()).toEqual(['branches', 'files', 'projects', 'runs', 'users', 'vals']);
  expect(kinds.length).toBeGreaterThan(9);
  expect(count).toBeGreaterThan(250);
});
