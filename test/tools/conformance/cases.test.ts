import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Rules } from '#engine/api/route.js';
import { isObject } from '#engine/lib/objects.js';
import type { Case, Step } from '#tools/conformance/case.js';
import { CASES } from '#tools/conformance/cases/index.js';
import { readRules } from '#tools/conformance/rules.js';
import { splitId } from '#tools/conformance/split-id.js';
import { routes } from '#vals/service/all.routes.js';
import { tools } from '#vals/service/service.tools.js';
import { GENERAL_RULES, TOOL_RULES } from '../../../scripts/docs/general-rules.js';

/** Rules that no request can show, by route and id, each with the reason. */
const WITHOUT_CASE: Readonly<Record<string, string>> = {
  'GET /v1/me/likes order': 'no response has the time of a like',
  'POST /v1/vals/{val_id}/evaluations/{evaluation_id}/cancel run': 'no route starts a run',
  'POST /v1/email default': 'no response tells it',
  'POST /v1/email sender': 'no response tells it',
  'POST /v1/email media-type': 'no response tells it',
  'POST /v1/email recipients': 'no response tells it',
  'POST /v1/email size': 'no response tells it',
  'POST /v1/blob/{key} size': 'such a body is too large for a check',
  'POST /v2/blob/{key} size': 'such a body is too large for a check',
  'POST /v1/blob/{key} room': 'it is about the memory of the emulator',
  'POST /v2/blob/{key} room': 'it is about the memory of the emulator',
  'POST /v1/sqlite/execute project': 'no request makes the token of a project: test/vals/projects/data.test.ts',
  'POST /v1/sqlite/execute duration': 'it would keep a service busy',
  'POST /v1/sqlite/execute clock': 'a service has no clock to set',
  'POST /v1/sqlite/execute no-commit': 'it is about the history of the emulator',
  'GET /v2/me/vals organization': 'few accounts are in an organization',
  'GET /v2/orgs order': 'few accounts are in an organization',
  'GET /v2/orgs/{org_id}/memberships order': 'few accounts are in an organization',
  'GET /v2/orgs/{org_id}/memberships list': 'few accounts are in an organization',
  'POST /v2/vals organization': 'few accounts are in an organization',
  'POST /v2/vals/{val_id}/files most': 'it takes a thousand requests',
  'POST /v2/vals/{val_id}/files beyond': 'it takes a thousand requests',
  'GET /v1/me type': 'it takes an option of the emulator: test/vals/users/users.routes.test.ts',
  'GET /v1/users/{user_id} type': 'it takes an option of the emulator: test/vals/users/users.routes.test.ts',
  'GET /v1/users/{user_id} organization': 'it takes an option of the emulator: test/vals/users/users.routes.test.ts',
  'GET /v1/alias/{username} type': 'it takes an option of the emulator: test/vals/users/users.routes.test.ts',
  'GET /v1/alias/{username} organization': 'it takes an option of the emulator: test/vals/users/users.routes.test.ts',
  '* write-scope': 'no token of a run has scopes that write: test/vals/users/scopes.test.ts',
  '* token': 'few accounts have a token with spaces',
};

/** Lists the SQL statements that a request sends. */
function listStatements({ send, body, text }: Step): readonly string[] {
  if (!send.startsWith('POST /v1/sqlite/')) return [];
  const sent: unknown = text === undefined ? body : JSON.parse(text);
  if (!isObject(sent)) return [];
  const statements: unknown[] = [sent.statement ?? [], sent.statements ?? []].flat();
  return statements.map((each) => String(isObject(each) ? each.sql : each));
}

/** Whether a request sends only statements that read, or none. */
const isSelect = (step: Step): boolean =>
  step.send.startsWith('POST /v1/sqlite/') && listStatements(step).every((sql) => sql.startsWith('SELECT '));

/** Whether a message calls no tool, or one that only reads. */
function callsNoWrite({ send, body }: Step): boolean {
  if (send !== 'POST /v3/mcp') return false;
  const name = isObject(body) && isObject(body.params) ? body.params.name : undefined;
  const tool = tools.find((each) => each.name === name);
  return tool === undefined || tool.annotations.readOnlyHint === true;
}

const SOURCES = ['specification', 'record', 'chosen'] as const;
const ruled: readonly { readonly route: string; readonly rules: Rules }[] = [
  ...routes.map(({ name, rules: own = {} }) => ({ route: name, rules: own })),
  { route: '*', rules: GENERAL_RULES },
  { route: 'POST /v3/mcp', rules: TOOL_RULES },
];
const rules = ruled.flatMap(({ route, rules: bySource }) =>
  SOURCES.flatMap((source) =>
    (bySource[source] ?? []).map((rule) => {
      const [id, sentence] = splitId(rule);
      return { route, source, id, sentence };
    }),
  ),
);

/** Finds cases without a rule of their route and source. */
function findUnknownRules(cases: readonly Pick<Case, 'route' | 'source' | 'rule'>[]): string[] {
  const known = new Set(rules.map(({ route, source, id }) => `${route} ${source} ${id}`));
  const named = cases.map(({ route, source, rule }) => `${route} ${source} ${rule}`);
  return named.filter((name) => !known.has(name));
}

describe('the cases of conformance', () => {
  test('have unique ids', () => {
    const ids = CASES.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(300);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  });

  test('have the number in docs/conformance.md', () => {
    const page = readFileSync(new URL('../../../docs/conformance.md', import.meta.url), 'utf8');
    expect(page).toContain(`(${CASES.length} cases, `);
  });

  test.each(routes.map((route) => [route.name, route] as const))(
    '%s has the cases of all operations',
    (name, route) => {
      const prefix = CASES.find((each) => each.route === name)?.id.split('/')[0];
      const expected = [
        ...['unknown-token', 'error-401', 'headers', 'headers-401', 'head', 'preflight'],
        ...['no-scope-status', 'error-403', 'headers-403', ...(route.auth === 'required' ? ['no-scope'] : [])],
        ...(route.method === 'GET' ? ['read-scope'] : ['write-scope']),
        ...(name.includes('{key}') ? ['error-400', 'headers-400'] : []),
        ...(route.auth === 'required' ? ['no-token'] : []),
        ...(/_id\}/.test(name) ? ['no-uuid', 'error-400', 'error-404'] : []),
        ...(route.errors.includes(409) ? ['error-409', 'headers-409'] : []),
      ];
      const ids = CASES.map(({ id }) => id);
      expect(expected.filter((id) => !ids.includes(`${prefix}/${id}`))).toEqual([]);
      expect(ids.includes(`${prefix}/no-token`)).toBe(route.auth === 'required');
    },
  );

  test('check rules of their routes, with their sources', () => {
    expect(findUnknownRules(CASES)).toEqual([]);
    const known = { route: 'POST /v2/vals/{val_id}/files', source: 'record', rule: 'parents' } as const;
    expect(findUnknownRules([known, { ...known, rule: 'parent' }, { ...known, source: 'chosen' }])).toEqual([
      'POST /v2/vals/{val_id}/files record parent',
      'POST /v2/vals/{val_id}/files chosen parents',
    ]);
  });

  test('find each rule by an id that is unique in its route', () => {
    expect(rules.length).toBeGreaterThan(300);
    const names = rules.map(({ route, id }) => `${route} ${id}`);
    expect(names.filter((name, i) => name.endsWith(' ') || names.indexOf(name) !== i)).toEqual([]);
  });

  test('have the sentences of their rules from the document of the package', () => {
    const sentences = rules.map(({ route, id, sentence }) => [`${route} ${id}`, sentence]);
    expect(Object.fromEntries(readRules())).toEqual(Object.fromEntries(sentences));
  });

  test('check each rule that a request can show', () => {
    const checked = new Set(CASES.map(({ route, rule }) => `${route} ${rule}`));
    const missing = rules.map(({ route, id }) => `${route} ${id}`).filter((name) => !checked.has(name));
    expect(missing.sort()).toEqual(Object.keys(WITHOUT_CASE).sort());
  });

  test('of the level read send only GET, HEAD, OPTIONS, SELECT, calls of tools that read, and refused requests', () => {
    const reads = CASES.filter(({ level = 'read' }) => level === 'read');
    const steps = reads.flatMap(({ id, arrange = [], act }) =>
      [...arrange, typeof act === 'string' ? { send: act } : act].map((step) => ({ id, ...step })),
    );
    const writes = steps.filter(({ send }) => !/^(?:GET|HEAD|OPTIONS) /.test(send));
    const refused = ['anonymous', 'unknown'];
    const others = writes.filter((step) => !('as' in step && refused.includes(step.as ?? '')));
    expect(others.filter((step) => !isSelect(step) && !callsNoWrite(step)).map(({ id }) => id)).toEqual([]);
    expect(others.length).toBeGreaterThan(20);
  });

  test('write to tables of their own names only', () => {
    const steps = CASES.flatMap(({ arrange = [], act }) => [...arrange, typeof act === 'string' ? { send: act } : act]);
    const changing = steps.flatMap(listStatements).filter((sql) => !sql.startsWith('SELECT '));
    const own = /^(?:CREATE (?:TEMP )?TABLE|INSERT (?:OR IGNORE )?INTO|UPDATE|DELETE FROM) \{new\.a\}(?: |$)/;
    // The emulator refuses them, and elsewhere they have no effect beyond a connection.
    const harmless = ['BEGIN', 'PRAGMA query_only = 0', "ATTACH ':memory:' AS conformance"];
    expect(changing.filter((sql) => !own.test(sql) && !harmless.includes(sql))).toEqual([]);
    expect(changing.length).toBeGreaterThan(20);
  });
});
