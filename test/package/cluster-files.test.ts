import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { redisForTest } from '../cluster/node/nodes.js';
import { hasRedis } from '../cluster/redis.js';
import { folderOf } from '../engine/fixtures/loading.js';
import { run, serve } from '../tools/cli/cli.js';
import { ROOT } from './pack.js';
import { ofSchemas, SCHEMAS } from './schemas.js';

const FOLDER = join(ROOT, 'deploy/kubernetes');

type Models = Readonly<Record<string, new (data: object) => { validate(): void }>>;

const Resource = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});

/** Reads the resources of all files. */
const readResources = () =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')))
    .map((document) => {
      expect(document.errors).toEqual([]);
      return Resource.parse(document.toJS());
    });

test('the Kubernetes manifests have valid values', () => {
  const resources = readResources();

  expect(resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'Deployment val-emulator',
    'Service val-emulator',
    'PodDisruptionBudget val-emulator',
    'StatefulSet redis',
    'Service redis',
    'NetworkPolicy redis',
  ]);
  for (const resource of resources) validate(resource);
});

test('an invalid value in a manifest is found', () => {
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { ports: [{ port: 'http' }] } };
  expect(() => validate(service)).toThrow('data/spec/ports/0/port must be integer');
});

function validate(resource: z.infer<typeof Resource>): void {
  const { apiVersion, kind } = resource;
  const models: Models = ofSchemas(`kubernetes-models/${apiVersion}`);
  const Model = models[kind];
  if (!Model) throw new Error(`there is no model of ${apiVersion} ${kind}`);
  new Model(resource).validate();
}

test('the Kubernetes manifests have only known fields', () => {
  expect(compileAsTypes(readResources())).toBe('');
});

test('an unknown field in a manifest is found', () => {
  const output = compileAsTypes([{ apiVersion: 'v1', kind: 'Service', spec: { portss: [] } }]);
  expect(output).toContain(`'"portss"' does not exist in type`);
});

interface TypedResource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec?: object;
}

/** Compiles resources as literals of their types, which may have no other properties. Returns the errors. */
function compileAsTypes(resources: readonly TypedResource[]): string {
  const sources = resources.map(
    (resource) =>
      `import type { I${resource.kind} } from 'kubernetes-models/${resource.apiVersion}';\n` +
      `export default ${JSON.stringify(resource)} satisfies I${resource.kind};\n`,
  );
  const files = Object.fromEntries(sources.map((source, i) => [`${i}.ts`, source]));
  const folder = folderOf(files);
  symlinkSync(join(ROOT, SCHEMAS, 'node_modules'), join(folder, 'node_modules'));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext'];
  const args = [compiler, ...flags, ...Object.keys(files)];
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout;
}

const Args = z.array(z.string());
const HttpProbe = z.object({ httpGet: z.object({ path: z.string(), port: z.literal('http') }) });
const Emulator = z.object({
  args: Args,
  env: z.tuple([z.object({ name: z.string() })]),
  startupProbe: HttpProbe,
  readinessProbe: HttpProbe,
  livenessProbe: z.object({ tcpSocket: z.object({ port: z.literal('http') }) }),
});

/** Finds the only container of a workload. */
function readContainer<T>(kind: string, schema: z.ZodType<T>): T {
  const Workload = z.object({
    spec: z.object({ template: z.object({ spec: z.object({ containers: z.tuple([schema]) }) }) }),
  });
  const resource = readResources().find((each) => each.kind === kind);
  return Workload.parse(resource).spec.template.spec.containers[0];
}

const ComposeService = z.strictObject({
  build: z.strictObject({ context: z.literal('..'), dockerfile: z.literal('deploy/Dockerfile') }).optional(),
  image: z.string().optional(),
  command: Args.optional(),
  environment: z.record(z.string(), z.string()).optional(),
  deploy: z.strictObject({ replicas: z.literal(3) }).optional(),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.literal('service_healthy') })).optional(),
  healthcheck: z.strictObject({ test: Args, interval: z.string() }).optional(),
  configs: z.array(z.strictObject({ source: z.literal('load-balancer'), target: z.string() })).optional(),
  volumes: Args.optional(),
  ports: z.tuple([z.literal('127.0.0.1:4010:4010')]).optional(),
  restart: z.literal('unless-stopped'),
});

const Compose = z.strictObject({
  name: z.string(),
  services: z.strictObject({ emulator: ComposeService, redis: ComposeService, 'load-balancer': ComposeService }),
  volumes: z.strictObject({ data: z.null() }),
  configs: z.strictObject({ 'load-balancer': z.strictObject({ content: z.string() }) }),
});

const readCompose = () => Compose.parse(parse(readFileSync(join(ROOT, 'deploy/compose.cluster.yaml'), 'utf8')));

/** The arguments and variables of an emulator, and the arguments of its Redis. */
const CLUSTERS = {
  'deploy/kubernetes': () => {
    const { args, env } = readContainer('Deployment', Emulator);
    const variables = Object.fromEntries(env.map(({ name }) => [name, 'a long secret']));
    return { args, env: variables, redis: readContainer('StatefulSet', z.object({ args: Args })).args };
  },
  'deploy/compose.cluster.yaml': () => {
    const { emulator, redis } = readCompose().services;
    return { args: emulator.command ?? [], env: emulator.environment ?? {}, redis: redis.command ?? [] };
  },
};

/** Removes flags with their values: each may be given once. */
const omitFlags = (args: readonly string[], ...flags: readonly string[]) =>
  args.filter((arg, i) => !flags.includes(arg) && !flags.includes(args[i - 1] ?? ''));

test.for(Object.entries(CLUSTERS))('%s has arguments and variables that exist', async ([, read]) => {
  const { args, env } = read();

  const wrong = args.map((arg) => (arg.startsWith('redis:') ? 'nowhere' : arg));
  const { code, stderr } = await run([...omitFlags(wrong, '--log'), '--log', 'text'], { env });

  // Nothing else is wrong: other errors and unknown variables would have lines of their own.
  expect(args).toContain('redis://redis:6379/0');
  expect(stderr).toContain('--store: found "nowhere"');
  expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 2, lines: 1 });
});

test.skipIf(!hasRedis).for(Object.entries(CLUSTERS))('%s starts emulators that pass the probes', async ([, read]) => {
  const cluster = read();
  const redis = await redisForTest(cluster.redis);
  const here = new Map([
    ['redis://redis:6379/0', redis.url],
    ['0.0.0.0', '127.0.0.1'],
    ['4010', '0'],
  ]);
  const args = cluster.args.slice(1).map((arg) => here.get(arg) ?? arg);
  const { url } = await serve([...omitFlags(args, '--port', '--drain'), '--drain', '0'], { env: cluster.env });

  const { startupProbe, readinessProbe } = readContainer('Deployment', Emulator);
  const paths = [startupProbe, readinessProbe].map(({ httpGet }) => httpGet.path);
  expect(paths).toEqual(['/_emulator/health', '/_emulator/ready']);
  for (const path of [...paths, '/_emulator/metrics']) expect((await fetch(url + path)).status).toBe(200);
  expect(await redis.send('CONFIG', 'GET', 'appendonly')).toContain('yes');
  expect(await redis.send('CONFIG', 'GET', 'maxmemory-policy')).toContain('noeviction');
});

test('the load balancer checks that an emulator is ready, and repeats no request that has reached one', () => {
  const { services, configs } = readCompose();
  const { content } = configs['load-balancer'];

  expect(services['load-balancer'].ports).toEqual(['127.0.0.1:4010:4010']);
  expect(content).toContain('option httpchk GET /_emulator/ready\n');
  // By default only failed connections are tried again: a 503 may be a fault of a test.
  expect(content).not.toContain('retry-on');
});

const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0;

test.skipIf(!hasHaproxy)('HAProxy accepts the configuration', () => {
  const folder = folderOf({ 'haproxy.cfg': readCompose().configs['load-balancer'].content });
  expect(spawnSync('haproxy', ['-c', '-f', 'haproxy.cfg'], { cwd: folder }).status).toBe(0);
});
