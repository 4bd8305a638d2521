import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isObject } from '#engine/lib/objects.js';
import type { Step } from '#tools/conformance/case.js';
import { CASES } from '#tools/conformance/cases/index.js';
import { routes } from '#vals/routes/index.js';
import { tools } from '#vals/tools/index.js';
import { GENERAL_RULES, TOOL_RULES } from '../../../scripts/docs/general-rules.js';

/** Routes whose effect reaches people: the level `email` sends requests that are accepted. */
const REACHES_PEOPLE: readonly string[] = ['POST /v1/email'];

/** Rules that no request can show, each with the reason. */
const WITHOUT_CASE: Readonly<Record<string, string>> = {
  'GET /v1/me/likes The newest like comes first, as in feeds. Likes with the same time are sorted by the id of the val, so pages are stable.':
    'no response has the time of a like',
  'POST /v1/vals/{val_id}/evaluations/{evaluation_id}/cancel An evaluation is a run, which ends now. One that has ended is not found.':
    'no route starts a run',
  ...Object.fromEntries(
    routes
      .filter(({ name }) => REACHES_PEOPLE.includes(name))
      .flatMap(({ name, rules: { record = [], chosen = [] } = {} }) =>
        [...record, ...chosen]
          .filter((rule) => !CASES.some((each) => each.route === name && each.rule === rule))
          .map((rule) => [`${name} ${rule}`, 'no response tells it']),
      ),
  ),
  ...Object.fromEntries(
    ['/v1/blob', '/v2/blob'].flatMap((path) => [
      [
        `POST ${path}/{key} A blob has at most 10 MB. Route and token are checked before it is read.`,
        'such a body is too large for a check',
      ],
      [
        `POST ${path}/{key} Blobs of all sandboxes, with those that snapshots and the history need, have at most 256 MB. Beyond that, the oldest commits are dropped; if the records and snapshots alone have no room, a 507 says what holds them.`,
        'it is about the memory of the emulator',
      ],
    ]),
  ),
  'POST /v1/sqlite/execute By the token of a project, it is the database of the project.':
    'no request makes the token of a project: test/vals/routes/project-data.test.ts',
  'POST /v1/sqlite/execute A request ends after 1 s with SQLITE_INTERRUPT, and its response has at most 10 MB.':
    'it would keep a service busy',
  'POST /v1/sqlite/execute CURRENT_TIMESTAMP follows the clock of the sandbox.': 'a service has no clock to set',
  'POST /v1/sqlite/execute Statements that only read see the committed state, and make no commit; nor does a request that changed nothing.':
    'it is about the history of the emulator',
  ...Object.fromEntries(
    GENERAL_RULES.chosen
      .filter((rule) => rule.startsWith('write includes read'))
      .map((rule) => [`* ${rule}`, 'no token of a run has scopes that write: test/vals/routes/scopes.test.ts']),
  ),
  ...Object.fromEntries(
    [
      'GET /v2/me/vals Projects of organizations are not listed.',
      'GET /v2/orgs The order is that in which the caller joined them.',
      'GET /v2/orgs/{org_id}/memberships The order is that in which they joined.',
      'GET /v2/orgs/{org_id}/memberships The response is a list, without pages. A member has a role, `owner` or `member`.',
      'POST /v2/vals With orgId, the organization owns it.',
    ].map((rule) => [rule, 'few accounts are in an organization']),
  ),
  ...Object.fromEntries(
    [
      'POST /v2/vals/{val_id}/files A project has at most 1,000 files.',
      'POST /v2/vals/{val_id}/files One file too many is a 400; so is directory 1,001. Each branch is counted for itself.',
    ].map((rule) => [rule, 'it takes a thousand requests']),
  ),
  ...Object.fromEntries(
    routes.flatMap(({ name, rules: { record = [], chosen = [] } = {} }) =>
      [...record, ...chosen]
        .filter((rule) => /userType|^With that option/.test(rule))
        .map((rule) => [`${name} ${rule}`, 'it takes an option of the emulator: test/vals/routes/users.test.ts']),
    ),
  ),
  '* The token is everything after `Bearer `, spaces included.': 'few accounts have a token with spaces',
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

const rules = [
  ...routes.map(({ name, rules: own = {} }) => ({ route: name, rules: own })),
  { route: '*', rules: GENERAL_RULES },
  { route: 'POST /v3/mcp', rules: TOOL_RULES },
].flatMap(({ route, rules: { specification = [], record = [], chosen = [] } }) => [
  ...specification.map((rule) => ({ route, source: 'specification', rule })),
  ...record.map((rule) => ({ route, source: 'record', rule })),
  ...chosen.map((rule) => ({ route, source: 'chosen', rule })),
]);

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

  test('check rules of docs/fidelity.md, with their sources', () => {
    const known = new Set(rules.map(({ route, source, rule }) => `${route} ${source} ${rule}`));
    const unknown = CASES.filter(({ route, source, rule }) => !known.has(`${route} ${source} ${rule}`));
    expect(unknown.map(({ id, rule }) => `${id}: ${rule}`)).toEqual([]);
  });

  test('check each rule that a request can show', () => {
    const checked = new Set(CASES.map(({ route, rule }) => `${route} ${rule}`));
    const missing = rules
      .filter(({ route, rule }) => !checked.has(`${route} ${rule}`))
      .map(({ route, rule }) => `${route} ${rule}`);
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
