import { basename, dirname, join, resolve } from 'node:path';
import { TEST_RUNNERS, type TestRunner } from '#engine/sandbox/test-runners.js';
import { FILES } from '#vals/lib/names.collection.js';
import { failValue, flag, switchFlag } from '../command.js';
import { toRequestId } from '../criteria.js';
import { quoteName } from '../io.js';
import { type FileKind, fixtureFile, writeFiles } from '../output.js';
import { remoteCommand } from '../remote.js';

const testFile: FileKind = { title: 'tests' };

export const makeTest = remoteCommand({
  args: {
    ids: {
      type: 'string',
      array: true,
      default: [],
      describe: 'Requests: r17 or 17, last, -2 (default: all)',
      coerce: (ids: string[]) => ids.map(toRequestId),
    },
  },
  flags: {
    runner: { ...flag('Program that runs the test'), choices: TEST_RUNNERS, default: 'vitest' as const },
    session: flag('Read this session file, not an emulator'),
    out: { ...flag('Write to this file (default: stdout)'), alias: 'o' },
    force: switchFlag('Replace an existing file'),
  },
  examples: {
    '$0 last': 'the last request, with the data that it found and the response that it got',
    '$0 r3 r4 --runner pytest --out test_save.py': 'two requests, for pytest',
    '$0 --session bug.ndjson --runner node --out bug.test.mjs': 'all requests of a session',
  },
  epilogue: 'The test passes unchanged. Change what it expects, or call your program in it.',
  async run({ ids, runner, session, out, json, force }, { control, io }) {
    if (out !== undefined && out.endsWith('.py') !== (runner === 'pytest')) {
      failValue('out', out, runner === 'pytest' ? 'a file that ends in .py' : 'another ending, or --runner pytest');
    }
    const requests = ids.length === 0 ? undefined : ids;
    const options = { runner, inline: out === undefined };
    const test =
      session === undefined
        ? await control.makeTest({ requests, ...options })
        : await makeTestOfSession(session, requests, options);
    for (const note of test.notes) io.stderr.write(`val-emulator: ${note}\n`);
    if (out === undefined) {
      if (json) return { value: test, text: '' };
      io.stdout.write(test.code);
      return undefined;
    }
    const { code, fixtures } = test;
    const name = nameFixtures(out, fixtures?.file);
    const files = [
      { path: out, kind: testFile, chunks: [fixtures ? code.replaceAll(fixtures.file, name) : code] },
      ...(fixtures
        ? [{ path: join(dirname(out), name), kind: fixtureFile(FILES.names), chunks: [fixtures.text] }]
        : []),
    ];
    await writeFiles(io, files, { force });
    const names = files.map(({ path }) => quoteName(path)).join(' and ');
    const renamed = findRename(out, runner);
    const next = renamed
      ? `By default ${runner} does not find a test of this name; rename it ${quoteName(renamed)}.`
      : `Run it: ${RUN[runner]} ${quoteName(out)}`;
    return {
      value: { out, fixtures: files[1]?.path ?? null, notes: renamed ? [...test.notes, next] : test.notes },
      text: `Wrote ${names}. ${next}`,
    };
  },
});

/** What runners call a test by default. Node.js and pytest run each file that they are given. */
const FOUND: Partial<Record<TestRunner, RegExp>> = {
  vitest: /[^/\\]\.(?:test|spec)\.[cm]?[jt]sx?$/,
  jest: /(?:[/\\.](?:test|spec)|[/\\]__tests__[/\\].*)\.[cm]?[jt]sx?$/,
};

/** Returns the name under which a runner finds a test. Undefined if the test has such a name. */
function findRename(out: string, runner: TestRunner): string | undefined {
  if (FOUND[runner]?.test(resolve(out)) ?? true) return undefined;
  const [, stem = out, code = '.js'] = /^(.*?[^/\\]+?)(\.[cm]?[jt]sx?|\.\w+)?$/.exec(out) ?? [];
  return `${stem}.test${/[jt]sx?$/.test(code) ? code : '.js'}`;
}

/** Names the file of the fixtures after the test: several tests may be in one folder. @param usual where a string of code cannot have the name */
const nameFixtures = (out: string, usual = ''): string => {
  const name = basename(out).replace(/(?:[._]test)?\.\w+$/, '');
  return /^[\w. -]+$/.test(name) ? `${name}.fixture.json` : usual;
};

const RUN = {
  vitest: 'npx vitest run',
  jest: 'npx jest',
  node: 'node --test',
  pytest: 'npx val-emulator exec -- pytest',
} as const;

async function makeTestOfSession(session: string, requests: readonly string[] | undefined, options: object) {
  const { createEmulator } = await import('../../../emulator.js');
  const emulator = await createEmulator({ session, listen: false });
  try {
    return await emulator.makeTest(requests, options);
  } finally {
    await emulator.close();
  }
}
