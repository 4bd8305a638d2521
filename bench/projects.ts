/**
 * Measures projects: the processor time of requests about files beside a bare node:http that sends the same bytes, in turn; and
 * in this process large projects and long histories. On Linux only.
 *
 *   npm run bench -- projects    figures with their bounds (exit code 1 if one is missed)
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fork } from '#engine/state/state.js';
import { toValsState } from '#vals/lib/state.collection.js';
import { createBranch } from '#vals/projects/branches.rules.js';
import { updateFile } from '#vals/projects/files.rules.js';
import { deleteProject } from '#vals/projects/projects.rules.js';
import { createEmulator, type Emulator, type Fixtures } from '../src/index.js';
import { type Contender, headers, type Running, start } from './http/contenders.js';
import { pinServer } from './http/cores.js';
import type { Shot } from './http/drivers.js';
import { makeContender, startOurs, stopAll } from './http/ours.js';
import { heapUsed, median, processorTime, timeOfCall, timeOfRequests } from './measure.js';
import { milliseconds, report } from './report.js';

const ROUNDS = 5;
const CONNECTIONS = 10;
const READS = 3_000;
/** Files of each project in the requests, and in the largest project. */
const FILES = 100;
const MOST_FILES = 1_000;
/** Projects to which files are added, until each has the most. */
const PROJECTS = 3;
/** Rounds of a list, which takes so little that it must be compiled. */
const LISTS = 201;
const COMMITS = 10_000;
/** Of the project that is deleted: the most that one may have, and the files of each. */
const BRANCHES = 100;
const MOVED_FILES = 500;
const MEGABYTE = 1_048_576;

const makeText = (n: number): string => `export const value = ${n};\n`.padEnd(200, '// of a module\n');
const makePath = (n: number): string => `src/module-${n}.ts`;
const makeId = (n: number): string => `4e110004-0000-4000-8000-${String(n).padStart(12, '0')}`;
const makeFiles = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [makePath(n), makeText(n)]));
const makeFixtures = (projects: number, files: number): Fixtures => ({
  users: [{ username: 'ada' }],
  projects: Array.from({ length: projects }, (_, n) => {
    return { owner: 'ada', name: `site-${n}`, id: makeId(n), files: makeFiles(files) };
  }),
});

const root = (project: number): string => `/v2/vals/${makeId(project)}/files`;
const LIST = `${root(0)}?path=src&limit=${FILES}`;
const getContent = (n: number): Shot => ({ method: 'GET', path: `${root(0)}/content?path=${makePath(n % FILES)}` });
const create = (n: number): Shot => ({
  method: 'POST',
  path: `${root(n % PROJECTS)}?path=${makePath(FILES + Math.floor(n / PROJECTS))}`,
  body: JSON.stringify({ type: 'script', content: makeText(n) }),
});

const CASES: readonly (readonly [name: string, shots: readonly Shot[]])[] = [
  ['create a file', Array.from({ length: PROJECTS * (MOST_FILES - FILES) }, (_, n) => create(n))],
  ['the content of a file by path', Array.from({ length: READS }, (_, n) => getContent(n))],
  [`a list of ${FILES} files`, Array.from({ length: READS }, () => ({ method: 'GET', path: LIST }))],
];

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/** Sends a request, and returns the response. @throws Error for a response with an error */
function send(url: string, { method, path, body }: Shot): Promise<string> {
  const sent = { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) };
  return new Promise((resolve, reject) => {
    request(url + path, { method, agent, headers: sent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        if ((response.statusCode ?? 0) < 300) resolve(text);
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
      });
    })
      .on('error', reject)
      .end(body);
  });
}

const measure = ({ url, pid }: Running, shots: readonly Shot[]): Promise<number> =>
  timeOfRequests(pid, { count: shots.length, connections: CONNECTIONS }, (n) => send(url, shots[n] ?? getContent(0)));

async function measureRequests(folder: string): Promise<void> {
  const fixture = join(folder, 'fixture.json');
  writeFileSync(fixture, JSON.stringify(makeFixtures(PROJECTS, FILES)));
  const ours = await startOurs(fixture, ['--log', 'off']);
  const samples = join(folder, 'samples.json');
  const list = JSON.parse(await send(ours.url, { method: 'GET', path: LIST }));
  writeFileSync(samples, JSON.stringify({ list, file: list.data[0], contents: makeFiles(FILES) }));
  const server: Contender = {
    ...makeContender([]),
    name: 'node:http',
    command: () => [new URL('http/node-files.js', import.meta.url).pathname, samples],
  };
  const bare = await start(server, samples);
  if (!bare) throw new Error('the bare server did not start');
  try {
    for (const { pid } of [bare, ours]) pinServer(pid);
    for (const [name, shots] of CASES) {
      const times: Record<'bare' | 'ours', number[]> = { bare: [], ours: [] };
      for (let round = 0; round <= ROUNDS; round++) {
        const all = { bare: await measure(bare, shots), ours: await measure(ours, shots) };
        await send(ours.url, { method: 'POST', path: '/_emulator/reset' });
        // The first round compiles.
        if (round === 0) continue;
        times.bare.push(all.bare);
        times.ours.push(all.ours);
      }
      const [ofBare, ofOurs] = [median(times.bare), median(times.ours)];
      const raw = `${ofOurs.toFixed(1)} µs, bare ${ofBare.toFixed(1)} µs`;
      report(`${name}, of node:http`, ofBare / ofOurs, 'none', 0, raw);
    }
  } finally {
    await bare.stop();
    await stopAll();
    agent.destroy();
  }
}

/** Returns the median processor time of a task in milliseconds. */
async function timeOf(task: () => unknown, rounds = ROUNDS): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const before = process.cpuUsage();
    await task();
    const { user, system } = process.cpuUsage(before);
    // The first round compiles.
    if (round > 0) times.push((user + system) / 1_000);
  }
  return median(times);
}

function reportTime(what: string, time: number, bound: number): void {
  report(what, time, 'most', bound, milliseconds(time));
}

/** Reads all pages of a list. */
async function readAll(emulator: Emulator): Promise<void> {
  for (let offset = 0; offset < MOST_FILES; offset += FILES) {
    const response = await emulator.fetch(`${LIST}&offset=${offset}`, { headers });
    const text = await response.text();
    if (response.status !== 200 || !text.includes(makePath(offset).slice(0, 10))) throw new Error(text);
  }
}

async function measureLargeProjects(): Promise<void> {
  const fixtures = makeFixtures(1, MOST_FILES);
  const emulator = await createEmulator({ fixtures, listen: false });
  reportTime(`seed ${MOST_FILES} files, ms`, await timeOf(() => emulator.reseed(fixtures)), 150);
  reportTime(`list ${MOST_FILES} files, ms`, await timeOf(() => readAll(emulator), LISTS), 5);
  measureHistory(emulator);
  await emulator.close();
  await measureDeletion();
}

/** Deletes a project whose branches have moved each of their files. */
async function measureDeletion(): Promise<void> {
  const files = makeFiles(MOVED_FILES);
  const moved = Object.fromEntries(
    Object.entries(files).flatMap(([path, text]) => [[path, null] as const, [`moved/${path}`, text] as const]),
  );
  const others = Array.from({ length: BRANCHES - 1 }, (_, n) => ({ name: `b-${n}`, commits: [{ files: moved }] }));
  const branches = [{ name: 'main', commits: [{ files }] }, ...others];
  const fixtures = { users: [{ username: 'ada' }], projects: [{ owner: 'ada', name: 'site', branches }] };
  const emulator = await createEmulator({ fixtures, listen: false });
  const { projects } = toValsState(emulator.store.state);
  const [project] = projects;
  if (!project) throw new Error('no project');
  const remove = () => {
    const draft = toValsState(fork(emulator.store.state));
    deleteProject(draft, project);
    if (draft.commits.size + draft.texts.size > 0) throw new Error('something is left');
  };
  reportTime(`delete ${BRANCHES} branches with ${BRANCHES * MOVED_FILES} moves, ms`, await timeOf(remove), 250);
  await emulator.close();
}

/** Edits the files of a large project again and again. */
function measureHistory(emulator: Emulator): void {
  const draft = toValsState(fork(emulator.store.state));
  const project = draft.projects.get(makeId(0));
  const getMain = () => [...draft.branches.by.project.range([makeId(0)])][0];
  const now = Date.UTC(2030, 0, 1);
  const before = heapUsed();
  const took = processorTime(() => {
    for (let n = 0; n < COMMITS; n++) {
      const main = getMain();
      if (main) updateFile(draft, main, makePath(n % MOST_FILES), { content: makeText(MOST_FILES + n) }, now + n);
    }
  });
  const heap = (heapUsed() - before) / MEGABYTE;
  report(`heap of ${COMMITS} commits, MB`, heap, 'most', 30, `${((took * 1_000) / COMMITS).toFixed(1)} µs each`);
  const main = getMain();
  if (!project || main?.version !== COMMITS + 1) throw new Error('the commits were not made');
  const { isDraft: _, ...state } = draft;
  const time = timeOfCall(() => createBranch(fork(state), project, { name: 'draft' }, now));
  report('fork a branch then, µs', time, 'most', 50, `${time.toFixed(1)} µs`);
}

const folder = mkdtempSync(join(tmpdir(), 'val-emulator-bench-'));
try {
  await measureLargeProjects();
  await measureRequests(folder);
} finally {
  rmSync(folder, { recursive: true });
}
