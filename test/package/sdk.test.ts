import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import clients from '../../scripts/checks/clients/clients.json' with { type: 'json' };
import type { RequestRecord } from '../../src/index.js';
import { takeViolations } from '../support/conformance.js';
import { createEmulator } from '../support/emulate.js';
import { TSC } from '../vals/generator/built.js';
import { ROOT } from './pack.js';
import { outerVariables } from './recipe.js';
import fixtures from './sdk/fixtures.json' with { type: 'json' };

/** The newest version in the registry. */
const SDK = clients.sdk.package;

/** The methods of the SDK by the operations that they call. Undefined: the response has no JSON. */
const METHODS: Readonly<Record<string, string | undefined>> = {
  'GET /v1/alias/{username}': 'alias.username.retrieve',
  'GET /v2/alias/vals/{username}/{val_name}': 'alias.username.valName.retrieve',
  'GET /v1/me': 'me.profile.retrieve',
  'GET /v2/me/vals': 'me.vals.list',
  'GET /v2/orgs': 'orgs.list',
  'GET /v1/users/{user_id}': 'users.retrieve',
  'GET /v1/search/vals': 'search.vals.list',
  'POST /v2/vals': 'vals.create',
  'GET /v2/vals': 'vals.list',
  'GET /v2/vals/{val_id}': 'vals.retrieve',
  'DELETE /v2/vals/{val_id}': undefined,
  'POST /v2/vals/{val_id}/branches': 'vals.branches.create',
  'GET /v2/vals/{val_id}/branches': 'vals.branches.list',
  'GET /v2/vals/{val_id}/branches/{branch_id}': 'vals.branches.retrieve',
  'DELETE /v2/vals/{val_id}/branches/{branch_id}': undefined,
  'POST /v2/vals/{val_id}/files': 'vals.files.create',
  'GET /v2/vals/{val_id}/files': 'vals.files.retrieve',
  'PUT /v2/vals/{val_id}/files': 'vals.files.update',
  'DELETE /v2/vals/{val_id}/files': undefined,
  'GET /v2/vals/{val_id}/files/content': undefined,
  'GET /v2/files/{file_id}': 'files.retrieve',
  'POST /v2/vals/{val_id}/environment_variables': 'vals.environmentVariables.create',
  'GET /v2/vals/{val_id}/environment_variables': 'vals.environmentVariables.list',
  'PUT /v2/vals/{val_id}/environment_variables/{key}': 'vals.environmentVariables.update',
  'DELETE /v2/vals/{val_id}/environment_variables/{key}': undefined,
  'GET /v1/blob': 'blobs.list',
  'GET /v1/blob/{key}': undefined,
  'POST /v1/blob/{key}': undefined,
  'DELETE /v1/blob/{key}': undefined,
  'POST /v1/sqlite/execute': 'sqlite.execute',
  'POST /v1/sqlite/batch': 'sqlite.batch',
  'POST /v1/email': 'emails.send',
  'GET /v1/telemetry/traces': 'telemetry.traces.list',
  'GET /v1/telemetry/logs': 'telemetry.logs.list',
};

/** What the types of the SDK have and responses lack, since those of version 1 are as of November 2024. */
const LACKING: Readonly<Record<string, string>> = {
  'search.vals.list': 'updatedAt',
};

const folder = mkdtempSync(join(tmpdir(), 'val-emulator-sdk-'));
let requests: readonly RequestRecord[] = [];

beforeAll(async () => {
  cpSync(join(ROOT, 'examples/sdk/src'), join(folder, 'src'), { recursive: true });
  cpSync(join(import.meta.dirname, 'sdk/workflow.js'), join(folder, 'workflow.js'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', SDK], { cwd: folder });
  await using emulator = await createEmulator({ fixtures, userType: true });
  const env = { ...outerVariables(), VAL_TOWN_BASE_URL: emulator.url, VAL_TOWN_API_KEY: 'ada-token' };
  await promisify(execFile)(process.execPath, ['workflow.js'], { cwd: folder, env });
  requests = emulator.requests();
});

afterAll(() => rmSync(folder, { recursive: true }));

test('the example calls every operation of the SDK', () => {
  const called = new Set(requests.map(({ route }) => route));

  expect([...called].sort()).toEqual(Object.keys(METHODS).sort());
  expect(listOperations().sort()).toEqual(Object.keys(METHODS).map(withoutNames).sort());
});

const withoutNames = (route: string): string => route.replace(/\{\w+\}/g, '{}');

/** Reads the operations from the sources of the SDK. */
function listOperations(): string[] {
  const sources = spawnSync('grep', ['-rhE', '_client\\.\\w+\\(', '--include=*.mjs', 'resources'], {
    cwd: join(folder, 'node_modules/@valtown/sdk'),
    encoding: 'utf8',
  }).stdout;
  return [...sources.matchAll(/_client\.(get|post|put|delete|getAPIList)\([`'](.+?)[`']/g)].map(
    ([, method = '', path = '']) =>
      `${method === 'getAPIList' ? 'GET' : method.toUpperCase()} ${path.replace(/\$\{\w+\}/g, '{}')}`,
  );
}

test('responses are those of the OpenAPI document', () => {
  expect(requests.length).toBeGreaterThan(50);
  expect(takeViolations()).toEqual([]);
});

describe('the types of the SDK', () => {
  const typed = () => requests.filter(({ route, status }) => status < 300 && METHODS[route ?? ''] !== undefined);

  test('allow each response, but for what they have gained in version 1', () => {
    const methods = typed().map(({ route }) => METHODS[route ?? ''] ?? '');
    const lacking = methods.flatMap((method) => (LACKING[method] ? [`${method} lacks ${LACKING[method]}`] : []));

    expect(findProblems(typed().map(({ response }) => response.body))).toEqual(lacking);
    expect(new Set(methods)).toEqual(new Set(Object.values(METHODS).filter((method) => method !== undefined)));
  });

  test('find a field that a response lacks, and a null that they do not have', () => {
    const drop = (body: unknown): unknown => (Array.isArray(body) ? [null] : { ...Object(body), ...DROPPED });

    expect(findProblems(typed().map(({ response }) => drop(response.body)))).toHaveLength(typed().length);
  });

  /** Compiles the bodies as values of the types that the methods return. Lists the methods whose type is another one. */
  function findProblems(bodies: readonly unknown[]): string[] {
    const lines = typed().map(({ route }, i) => {
      const type = (METHODS[route ?? ''] ?? '').split('.').map((name) => `['${name}']`);
      return `export const v${i}: Body<ValTown${type.join('')}> = given<${toType(bodies[i])}>();`;
    });
    writeFileSync(join(folder, 'responses.mts'), [...HEAD, ...lines].join('\n'));
    const flags = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext'];
    const args = [TSC, ...flags, '--pretty', 'false', 'responses.mts'];
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    const errors = [...stdout.matchAll(/^responses\.mts\((\d+),\d+\): error [^\n]*(?:\n +[^\n]*)*/gm)];
    expect(errors.length === 0 ? stdout : '').toBe('');
    return errors.map(([message, line]) => {
      const method = METHODS[typed()[Number(line) - HEAD.length - 1]?.route ?? ''];
      const field = /Property '(\w+)' is missing/.exec(message)?.[1];
      return `${method} ${field === undefined ? message : `lacks ${field}`}`;
    });
  }
});

/** Fields of which each object of a response has at least one. */
const DROPPED = Object.fromEntries(['id', 'data', 'key', 'rows', 'message', 'links'].map((name) => [name, null]));

const HEAD = [
  "import type ValTown from '@valtown/sdk';",
  '/** A page is an object with methods, of which the response has two fields. Its links may be optional. */',
  'type Sent<T> = T extends { getPaginatedItems(): unknown; data: infer D; links: infer L } ? { data: D; links: L & { self: string } } : T;',
  'type Body<F> = F extends (...args: never[]) => infer R ? Sent<Awaited<R>> : never;',
  'declare function given<T>(): T;',
];

/** Writes the type that has one value, this one. */
function toType(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toType).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${toType(inner)}`)
    .join('; ')} }`;
}
