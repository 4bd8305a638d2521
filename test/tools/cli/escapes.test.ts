import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeReport, OUTCOMES, REPORT_FORMATS } from '#tools/conformance/report.js';
import { createEmulator, emulate } from '../../support/emulate.js';
import { run } from './cli.js';

/** Escape sequences of a terminal: to set its title, to clear it, to color and to link, by 7 and by 8 bits. */
const BAD = '\u001b]0;pwned\u0007\u001b[2J\u001b[31mred\u009b31m\u009d8;;x\u009c\u007f\r\b';
/** Control characters other than tabs and line breaks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be printed
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
const ADA = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };

/** An emulator whose data, requests and names have escape sequences wherever a client can write them. */
async function emulateBad() {
  const emulator = await emulate({
    users: [{ username: 'ada', bio: BAD }],
    vals: [{ author: 'ada', name: 'hello', code: `// ${BAD}`, readme: BAD }],
  });
  const post = async (path: string, body: unknown) => {
    const response = await emulator.fetch(path, { method: 'POST', headers: ADA, body: JSON.stringify(body) });
    expect(response.status).toBeLessThan(300);
  };
  await post('/_emulator/sandboxes', { name: 'a', owner: BAD });
  await post('/_emulator/records/runs', { val: 'ada/hello', error: BAD, logs: [BAD] });
  await post('/_emulator/records/comments', { author: 'ada', val: 'ada/hello', comment: BAD });
  await post('/_emulator/snapshots', { name: BAD });
  await post('/_emulator/faults', { route: '*', after: 100, status: 503, body: { message: BAD } });
  await post('/v1/vals', { code: BAD });
  await emulator.fetch(`/v1/nothing?${encodeURIComponent(BAD)}`, { headers: { ...ADA, 'x-bad': '\u009b31m' } });
  return emulator;
}

const COMMANDS = [
  ['sandboxes'],
  ['snapshot', 'list'],
  ['snapshot', 'restore', BAD],
  ['history'],
  ['history', 'r1'],
  ['state'],
  ['state', '--brief', '--relative'],
  ['users'],
  ['requests'],
  ['requests', '--body', '{}'],
  ['requests', 'r1'],
  ['requests', '--unhandled'],
  ['expect', 'POST /v1/vals', '--body', '{"code":"\u009b"}'],
  ['fail', '--list'],
  ['record'],
  ['fork', BAD],
  ['sandboxes', '--close', BAD],
  ['seed', BAD],
];

test.each(COMMANDS.flatMap((words) => [[words], [[...words, '--json']]]))(
  'no control character of data reaches the terminal: %j',
  async (words) => {
    const emulator = await emulateBad();
    const ended = await run([...words, '--url', emulator.url]);
    const colored = await run([...words, '--url', emulator.url], { terminal: 100 });

    expect(ended.stdout + ended.stderr).not.toBe('');
    expect(ended.stdout + ended.stderr).not.toMatch(CONTROL);
    // On a terminal, the program has colors of its own.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are its colors
    const own = (colored.stdout + colored.stderr).replaceAll(/\u001b\[(?:1|2|22|3[1236]|39)m/g, '');
    expect(own).not.toMatch(CONTROL);
    expect(colored.stdout).not.toContain('\u001b[31mred');
    if (words.includes('--json') && ended.code === 0) expect(() => JSON.parse(ended.stdout)).not.toThrow();
  },
);

test('names in data are printed as the text of JSON, and JSON keeps their value', async () => {
  const emulator = await emulateBad();

  const text = await run(['sandboxes', '--url', emulator.url]);
  const json = await run(['sandboxes', '--json', '--url', emulator.url]);

  expect(text.stdout).toContain('\\u001b]0;pwned\\u0007\\u001b[2J\\u001b[31mred\\u009b31m');
  expect(json.stdout).toContain('\\u009b31m\\u009d8;;x\\u009c\\u007f');
  expect(JSON.parse(json.stdout)).toMatchObject([{ name: 'a', owner: BAD }]);
});

test('the log of the emulator and its errors have no control characters', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'escapes-'));
  const path = join(folder, `${BAD.replaceAll(/\W/g, '')}\u009b.json`);
  await writeFile(path, JSON.stringify({ users: [{ username: BAD }], [BAD]: [] }));

  const { stdout, stderr, code } = await run(['check', path]);

  expect(code).not.toBe(0);
  expect(stdout + stderr).toContain('\\u009b');
  expect(stdout + stderr).not.toMatch(CONTROL);
});

test('reports of a service have its control characters as text, and stay valid', async () => {
  const entry = {
    id: BAD,
    rule: BAD,
    basis: BAD,
    group: BAD,
    reason: BAD,
    exchanges: [{ request: BAD, response: BAD }],
  };
  const entries = OUTCOMES.map((outcome) => ({ ...entry, outcome }));
  const report = makeReport({ title: BAD, service: BAD, startedAt: new Date(), checked: BAD, entries, remarks: [BAD] });
  const [json = '', xml = ''] = ['json', 'xml'].map((ending) => REPORT_FORMATS[ending]?.(report));

  expect(json + xml).not.toMatch(CONTROL);
  expect(JSON.parse(json)).toEqual(report);
  expect(xml).toContain('message="\\u001b]0;pwned\\u0007');
});

test('pull prints no control character of a service', async () => {
  const emulator = await emulateBad();
  const out = join(await mkdtemp(join(tmpdir(), 'escapes-')), 'pulled');

  const { stdout, stderr } = await run(['pull', '--url', emulator.url, '--token', 'ada-token', '--out', out]);

  expect(stdout).toContain('Wrote 1 user, ');
  expect(stdout + stderr).not.toMatch(CONTROL);
});

test('a printed session can be opened, with the control characters of its data', async () => {
  const emulator = await emulateBad();
  const path = join(await mkdtemp(join(tmpdir(), 'escapes-')), 'session.ndjson');

  const { stdout } = await run(['record', '--url', emulator.url]);
  await writeFile(path, stdout);
  await using opened = await createEmulator({ session: path, listen: false });

  expect(stdout).not.toMatch(CONTROL);
  expect(opened.state().vals[0]).toMatchObject({ code: `// ${BAD}`, readme: BAD });
});
