import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { runTests } from './run.js';

const ROOT = join(import.meta.dirname, '../../..');
const GLOBALS = createRequire(import.meta.url).resolve('@jest/globals');

/** The part of Jest that the helper needs. Jest is not installed here: `npm run check -- matrix` runs the helper in it. */
const JEST = `
  const steps = [], hooks = [];
  const define = (mode) => {
    const test = (name, run) => { steps.push({ mode, name, run }); };
    test.each = (table, ...values) => (name, run) => {
      const rows = 'raw' in table ? [{ [table[0].trim()]: values[0] }] : table;
      for (const row of rows) steps.push({ mode, name, run: () => run(...[row].flat()) });
    };
    return test;
  };
  const withFailing = (mode) => Object.assign(define(mode), { failing: define(mode + ' failing') });
  const withModes = (mode) => Object.assign(withFailing(mode), { only: withFailing(mode + ' only'), skip: withFailing(mode + ' skip') });
  const test = Object.assign(withModes('test'), { concurrent: withModes('concurrent'), todo: (name) => steps.push({ mode: 'todo', name }) });
  const hook = (name) => (run) => { hooks.push({ name, run }); };
  const globals = { test, expect: { extend() {}, getState: () => ({ testPath: '/project/some.test.js' }) }, describe() {}, afterAll: hook('afterAll'), afterEach: hook('afterEach') };
  const id = ${JSON.stringify(GLOBALS)};
  require.cache[id] = { id, filename: id, loaded: true, exports: globals };
  const load = (path) => require(require('node:path').join(${JSON.stringify(ROOT)}, path));
  const main = load(${JSON.stringify(manifest.exports['.'].require.default)});
  const jest = load(${JSON.stringify(manifest.exports['./jest'].require.default)});
`;

function run(program: string): string[] {
  const { status, output } = runTests('program.cjs', JEST + program, 'program.cjs');
  expect(status, output).toBe(0);
  return output.trim().split('\n');
}

test('both entry points of CommonJS have the same classes', () => {
  const output = run(`
    for (const name of Object.keys(main)) if (main[name] !== jest[name]) console.log(name, 'differs');
    const caught = (error) => console.log(error instanceof jest.FixtureError);
    main.createEmulator({ fixtures: 'defalt' }).catch(caught);
  `);

  expect(output).toEqual(['true']);
});

test('a hook of Jest is defined by the first test, not by the import', () => {
  const output = run(`
    console.log(hooks.length);
    jest.test('defines a test', () => {});
    console.log(hooks.map(({ name }) => name).join());
  `);

  expect(output).toEqual(['0', 'afterAll,afterEach']);
});

test('each variant of Jest has the sandbox of its test, then the values of a row', () => {
  const output = run(`
    const note = ({ emulator }, ...row) => console.log(emulator.name, JSON.stringify(row));
    jest.test('plain', note);
    jest.it.each([['a', 1], ['b', 2]])('rows %s', note);
    jest.test.only.each(['a'])('values', note);
    jest.test.skip.each\`letter\${'c'}\`('template', note);
    jest.test.failing('failing', note);
    jest.test.only.failing.each([1])('only failing', note);
    jest.test.concurrent('concurrent', note);
    jest.test.concurrent.skip.failing.each([1])('concurrent failing', note);
    jest.test.todo('todo');
    (async () => {
      for (const { mode, name, run } of steps) {
        console.log(mode);
        await run?.();
      }
      for (const { run } of hooks) await run();
    })();
  `);

  expect(output).toEqual([
    ...['test', 'plain-1 []'],
    ...['test', 'rows-s-2 ["a",1]'],
    ...['test', 'rows-s-3 ["b",2]'],
    ...['test only', 'values-4 ["a"]'],
    ...['test skip', 'template-5 [{"letter":"c"}]'],
    ...['test failing', 'failing-6 []'],
    ...['test only failing', 'only-failing-7 [1]'],
    ...['concurrent', 'concurrent-8 []'],
    ...['concurrent skip failing', 'concurrent-failing-9 [1]'],
    'todo',
  ]);
});

test('a failed test writes its session, and a test that fails as expected writes none', () => {
  const output = run(`
    const fail = async ({ emulator }) => { await emulator.fetch('/v1/me'); throw new Error('the reason'); };
    jest.test('breaks', fail);
    jest.test.failing('broken', fail);
    (async () => {
      for (const { run } of steps) await run().catch(({ message }) => console.log(message));
      for (const { run } of hooks) await run();
      console.log(require('node:fs').readdirSync('test-results/val-emulator', { recursive: true }).join().replaceAll('-project', ''));
    })();
  `);

  expect(output).toEqual([
    'the reason',
    'the reason',
    expect.stringMatching(/some\.test\.js,.*some\.test\.js.breaks-1\.ndjson$/),
  ]);
});

test('a test whose body does not end prints its last requests, and writes its session', () => {
  const output = run(`
    const none = { failedSessions: false };
    process.stderr.write = (text) => { process.stdout.write(text); return true; };
    const { emulatorTest } = jest;
    const test2 = emulatorTest(none);
    test2('waits', async ({ emulator }) => { await emulator.fetch('/v1/me'); await new Promise(() => {}); });
    test2('ends', async ({ emulator }) => { await emulator.fetch('/v1/me'); });
    (async () => {
      const [waits, ends] = steps;
      void waits.run();
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      for (const { name, run } of hooks) if (name === 'afterEach') await run();
      await ends.run();
      for (const { name, run } of hooks) if (name === 'afterEach') await run();
      for (const { name, run } of hooks) if (name === 'afterAll') await run();
    })();
  `);

  expect(output).toEqual([
    'val-emulator: a test timed out. Its program sent 1 request, at last:',
    '  r1 GET /v1/me 401 (Unauthorized - the request has no token - GET /_emulator/users lists the tokens)',
  ]);
});
