import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Rng } from '#engine/lib/rng.js';
import type { Fixtures } from '../../src/index.js';
import { findViolation } from '../support/conformance.js';
import { createEmulator } from '../support/emulate.js';
import { SEED, scaled } from '../support/soak.js';
import { BRANCH_IDS, FILE_IDS, ORGANIZATION_IDS, PROJECT_IDS, wireFixtures } from '../support/wire-fixtures.js';

/** The seed is printed, `SEED=` repeats a run. */
const REQUESTS = scaled(1_000_000);
/** Milliseconds after which a request counts as hanging. */
const WATCHDOG = 10_000;
/** Requests until the data is reset: long enough for many records. */
const ROUND = 500;

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly format?: string;
  readonly additionalProperties?: Schema | boolean;
}

interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const readDocument = (name: string): Document =>
  JSON.parse(readFileSync(new URL(`../../docs/${name}.json`, import.meta.url), 'utf8'));

/** Invalid and malicious values. */
const NASTY: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e308, 2 ** 53, -0, '', ' ', 'null', 'true', '0', '1e3', '%', '%00', '\0', '\r\nX: y'],
  ...['../../etc/passwd', '__proto__', 'constructor', "'; --", '<img>', '{}', '[]', '\u2028', '\ud800', '-10m'],
  ...['2024-06-11T22:05:12Z', '9999-12-31T23:59:59.999Z', '0000-01-01T00:00:00+23:59', '-36526d'],
  ...['😀'.repeat(50), '1'.repeat(400)],
  ...['x'.repeat(70_000), 'import "https://esm.town/v/ada/val0"', '=/['.repeat(500), '`${'.repeat(500)],
  ...[[], {}, [[]], [null], { a: { b: [] } }, JSON.parse(`${'['.repeat(400)}${']'.repeat(400)}`)],
  ...[JSON.parse('{"__proto__":{"polluted":true}}'), Array.from({ length: 300 }, (_, i) => i)],
];

/** Statements, of which some need others before them, and some are refused. */
const SQL = [
  ...['CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text)', 'INSERT INTO notes (text) VALUES (?)'],
  ...['INSERT INTO notes (text) VALUES (:a)', 'SELECT * FROM notes', 'DELETE FROM notes', 'PRAGMA integrity_check'],
  ...["INSERT INTO notes (text) VALUES ('a')", 'SAVEPOINT s', 'CREATE TEMP TABLE t (a)', "ATTACH 'x' AS y"],
];

/** Values of parameters of `/v2`, without which most requests would be about nothing. */
const OF_PROJECTS: Readonly<Record<string, readonly string[]>> = {
  val_id: PROJECT_IDS,
  branch_id: BRANCH_IDS,
  branchId: BRANCH_IDS,
  file_id: FILE_IDS,
  org_id: ORGANIZATION_IDS,
  orgId: ORGANIZATION_IDS,
  path: ['', 'main.ts', 'src', 'src/a.ts', 'src/b.ts', 'lib', 'lib/c.http.ts'],
  parent_path: ['', 'src', 'lib'],
  name: ['a', 'B', 'main', 'd.ts'],
  val_name: ['val0', 'a'],
  username: ['ada', 'bob'],
  key: ['API_KEY', 'a'],
};

/** Tokens of the owner of most projects: for all of them, and for the blobs and the database of one. */
const OWNERS = ['ada token', 'token of a project'];
const FIXTURES: Fixtures = {
  ...wireFixtures,
  tokens: [...(wireFixtures.tokens ?? []), { user: 'ada', token: 'token of a project', project: 'ada/val0' }],
};
/** From so many requests on, each operation of `/v2` has a success. */
const ENOUGH = 20_000;

/** Makes requests from the two OpenAPI documents. */
class RequestMaker {
  readonly #rng: Rng;
  /** Ids, names and tokens that exist, or did. */
  readonly known: string[];
  readonly #ids: readonly string[];
  readonly #operations: readonly { path: string; method: string; operation: Operation; document: Document }[];

  constructor(rng: Rng, known: string[]) {
    this.#rng = rng;
    this.known = known;
    this.#ids = known.filter((text) => /^[\da-f-]{36}$/i.test(text));
    this.#operations = ['openapi', 'openapi-control'].flatMap((name) => {
      const document = readDocument(name);
      return Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods)
          .filter(([method]) => /^(?:get|put|post|delete)$/.test(method))
          .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation, document })),
      );
    });
  }

  /** The operations of `/v2`. */
  get ofProjects(): string[] {
    return this.#operations.flatMap(({ path, method }) => (path.startsWith('/v2/') ? [`${method} ${path}`] : []));
  }

  next(tokens: readonly string[]): { path: string; init: RequestInit; operation: string } {
    const rng = this.#rng;
    const { path, method, operation, document } = rng.pick(this.#operations);
    const parameters = operation.parameters ?? [];
    const query = new URLSearchParams();
    const isOfProjects = path.startsWith('/v2/');
    const known = isOfProjects ? OF_PROJECTS : {};
    for (const { name, schema, required } of parameters.filter((parameter) => parameter.in === 'query')) {
      if (rng.bool(required ? 0.95 : 0.4)) {
        for (const value of [this.#field(name, schema, document, known)].flat()) query.append(name, this.#text(value));
      }
      if (rng.bool(0.03)) query.append(name, this.#text(rng.pick(NASTY)));
    }
    if (rng.bool(0.05)) query.append(this.#text(rng.pick(NASTY)), 'x');
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const schema = parameters.find((parameter) => parameter.name === name)?.schema ?? {};
      return encodeURIComponent(this.#text(this.#field(name, schema, document, known)).replaceAll('\ud800', '') || 'x');
    });
    const prefix = rng.bool(0.1) ? `/_sandbox/${rng.pick(['one', 'two', 'a b', '..', 'x'.repeat(65)])}` : '';
    const headers: Record<string, string> = {};
    const own = isOfProjects && rng.bool(0.7) ? OWNERS : tokens;
    if (rng.bool(0.85)) headers.authorization = `Bearer ${rng.bool(0.9) ? rng.pick(own) : 'unknown'}`;
    const content = operation.requestBody?.content ?? {};
    const schema = content['application/json']?.schema;
    const init: RequestInit = {
      method: rng.bool(0.02) ? rng.pick(['HEAD', 'OPTIONS', 'PATCH', 'QUERY']) : method,
      headers,
    };
    if (init.method !== 'GET' && init.method !== 'HEAD' && (schema || rng.bool(0.1))) {
      headers['content-type'] = rng.bool(0.97) ? 'application/json' : rng.pick(['text/plain', '', 'application/xml']);
      const text = JSON.stringify(rng.bool(0.05) ? rng.pick(NASTY) : this.#value(schema ?? {}, document, known)) ?? '';
      init.body = rng.bool(0.03) ? text.slice(0, rng.int(0, text.length)) : text;
    }
    if (content['application/octet-stream'] && rng.bool(0.9)) {
      init.body = Uint8Array.from({ length: rng.int(0, 40) }, () => rng.int(0, 255));
    }
    const search = query.size > 0 ? `?${query}` : '';
    return { path: prefix + filled.replace(/\/(?=$)/, '') + search, init, operation: `${method} ${path}` };
  }

  /** A value of a parameter or a key: mostly a known one. */
  #field(name: string, schema: Schema, document: Document, known: typeof OF_PROJECTS, depth = 0): unknown {
    const values = known[name];
    return values && this.#rng.bool(0.8) ? this.#rng.pick(values) : this.#value(schema, document, known, depth);
  }

  /** A value that fits a schema, or nearly. @param known values by key */
  #value(given: Schema, document: Document, known: typeof OF_PROJECTS, depth = 0): unknown {
    const rng = this.#rng;
    const schema = given.$ref ? (document.components.schemas[given.$ref.replace(/.*\//, '')] ?? {}) : given;
    if (rng.bool(0.06)) return rng.pick(NASTY);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return rng.pick(schema.enum);
    if (schema.anyOf) return this.#value(rng.pick(schema.anyOf), document, known, depth);
    const type = Array.isArray(schema.type) ? rng.pick(schema.type) : schema.type;
    if (type === 'object' || (type === undefined && schema.properties)) {
      // A delay would be waited for, and a generated dataset takes most of the time.
      const { required = [] } = schema;
      const isWanted = (key: string) =>
        key !== 'delay' && rng.bool(key === 'generate' ? 0.01 : required.includes(key) ? 0.95 : 0.7);
      const entries = Object.entries(schema.properties ?? {}).filter(([key]) => isWanted(key));
      const value = Object.fromEntries(
        entries.map(([key, field]) => [key, this.#field(key, field, document, known, depth + 1)]),
      );
      return rng.bool(0.05) ? { ...value, [this.#text(rng.pick(NASTY))]: 1 } : value;
    }
    if (type === 'array') {
      return Array.from({ length: rng.int(0, depth > 3 ? 0 : 3) }, () =>
        this.#value(schema.items ?? {}, document, known, depth + 1),
      );
    }
    if (type === 'integer' || type === 'number') return rng.pick([0, 1, 2, 3, 20, 100, 404, 500, rng.int(-5, 1_000)]);
    if (type === 'boolean') return rng.bool();
    if (type === 'null') return null;
    if (schema.format === 'date-time')
      return rng.pick(['2024-06-11T22:00:00Z', '2024-06-10T00:00:00+02:00', '2024-06-11T22:00:00.000000001Z']);
    if (schema.format === 'uuid' && rng.bool(0.9)) return rng.pick(this.#ids);
    if (type === 'string') return rng.bool(0.8) ? rng.pick(this.known) : rng.pick(['a', 'Name', 'export default 1;']);
    return rng.pick(NASTY);
  }

  #text = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}

test(`${REQUESTS} requests made from the OpenAPI documents`, async () => {
  console.log(`fuzz: ${REQUESTS} requests, SEED=${SEED}`);
  const violations: string[] = [];
  const statuses = new Map<number, number>();
  const reached = new Set<string>();
  let last = { target: '', status: 0 };
  const emulator = await createEmulator({
    fixtures: FIXTURES,
    now: '2024-06-11T22:05:12.585Z',
    listen: false,
    maxSandboxes: 20,
    onExchange: (request, response) => {
      last = { target: request.target, status: response.status };
      const violation = findViolation(request, response);
      if (violation !== undefined) violations.push(violation);
    },
  });
  const main = emulator;
  const known = [
    'ada',
    'ada/val0',
    ...emulator.users.flatMap(({ id, username }) => [id, username ?? id]),
    'f1',
    'r1',
    'w1',
  ];
  known.push(...emulator.exportState().vals.flatMap(({ id, name }) => [id, name]));
  known.push(
    ...emulator
      .exportState()
      .runs.slice(0, 20)
      .map(({ id }) => id),
    ...[...PROJECT_IDS, ...BRANCH_IDS, ...FILE_IDS, ...ORGANIZATION_IDS, 'main.ts', 'src', 'src/a.ts', 'API_KEY'],
    ...SQL,
    'GET /v1/me',
    'POST /v1/vals',
    '*',
    '10m',
  );
  const maker = new RequestMaker(new Rng(`fuzz-${SEED}`), known);

  for (let sent = 0; sent < REQUESTS; sent++) {
    if (sent % ROUND === 0) {
      emulator.closeSandboxes();
      for (const sandbox of [emulator, emulator.sandbox('one'), emulator.sandbox('two')]) sandbox.reseed(FIXTURES);
      for (const { name } of emulator.snapshots()) emulator.dropSnapshot(name);
    }
    const tokens = main.users.map(({ token }) => token);
    const { path, init, operation } = maker.next(tokens.length > 0 ? tokens : ['ada token']);
    const faults = main.store.state.faults.length > 0;
    const before = main.store.state;
    const start = performance.now();
    const label = `${init.method} ${path.slice(0, 500)} ${String(init.body ?? '').slice(0, 500)} (request ${sent}, SEED=${SEED})`;
    let response: Response;
    try {
      response = await emulator.fetch(path, init);
    } catch (error) {
      // Values that no fetch sends, and connections that a fault resets.
      if (error instanceof TypeError) continue;
      throw new Error(label, { cause: error });
    }
    const took = performance.now() - start;
    const { status } = response;
    // Its faults delay all requests, for minutes.
    if (status === 201 && path.includes('/_emulator/chaos')) {
      for (const sandbox of [main, ...main.sandboxes().map(({ name }) => main.sandbox(name))]) sandbox.disarm();
      continue;
    }
    if (status < 300) reached.add(operation);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (violations.length > 0) expect(violations, label).toEqual([]);
    if (took > WATCHDOG) throw new Error(`took ${Math.round(took)} ms: ${label}`);
    if (!faults && status >= 500 && status !== 501 && status !== 503)
      throw new Error(`${status}: ${label}: ${await response.text()}`);
    // A rate limit that a request has set counts the others.
    const isLimited = before.settings.rateLimit !== undefined;
    if (!faults && !isLimited && status >= 400 && main.store.state !== before)
      throw new Error(`a ${status} changed the state: ${label}`);
  }

  if (REQUESTS >= ENOUGH) expect(maker.ofProjects.filter((operation) => !reached.has(operation))).toEqual([]);
  expect(Object.prototype).not.toHaveProperty('polluted');
  console.log(
    [...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', '),
    last,
  );
});
