import { expect, onTestFinished, test } from 'vitest';
import { type ListeningServer, listen } from '#engine/http/node.js';
import type { Emulator } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';
import { refusal, run, says } from './cli.js';

const ADA = { users: [{ username: 'ada' }] };

const addVal = (emulator: Pick<Emulator, 'add'>, name: string) => emulator.add.val({ author: 'ada', name, code: '1' });
const valsOf = (emulator: Pick<Emulator, 'state'>) => emulator.state().vals.map(({ name }) => name);

/** What a reset says after something was written. */
const saysReset = (url: string, val: string) =>
  says(
    [
      `Reset ${url} to its seed data. Take it back: val-emulator snapshot restore before-reset --url ${url}`,
      '1 commit taken back; vals: 1 removed; versions: 1 removed',
      `- ada/${val}`,
    ].join('\n'),
  );

/** A server that is no emulator and answers everything alike. */
async function serveElse(status: number, body: string): Promise<ListeningServer> {
  const server = await listen((_, response) => void response.writeHead(status).end(body), '127.0.0.1', 0);
  onTestFinished(() => server.close());
  return server;
}

test('a command acts on the emulator that --url names, or VAL_EMULATOR_URL', async () => {
  const emulator = await emulate(ADA);
  addVal(emulator, 'one');
  expect(await run(['reset', '--url', emulator.url])).toEqual(saysReset(emulator.url, 'one'));
  expect(valsOf(emulator)).toEqual([]);

  addVal(emulator, 'two');
  const env = { VAL_EMULATOR_URL: `${emulator.url.replace('http://', '')}/` };
  expect(await run(['reset'], { env })).toEqual(saysReset(emulator.url, 'two'));
  expect(valsOf(emulator)).toEqual([]);
});

test('a command acts on the emulator of VAL_EMULATOR_PORT, and names --url for a port', async () => {
  const emulator = await emulate(ADA);
  addVal(emulator, 'one');
  const { port } = new URL(emulator.url);

  expect(await run(['reset'], { env: { VAL_EMULATOR_PORT: port } })).toEqual(saysReset(emulator.url, 'one'));
  expect(valsOf(emulator)).toEqual([]);
  expect(await run(['wait', '--port', port])).toEqual(
    refusal('Unknown argument: --port. Use --url.\nSee val-emulator wait --help.'),
  );
});

test('a command acts on the sandbox that --sandbox names, VAL_EMULATOR_SANDBOX, or the URL', async () => {
  const emulator = await emulate(ADA);
  const [one, two] = [emulator.sandbox('one'), emulator.sandbox('two')];
  const { url } = emulator;
  const ways = [
    () => run(['reset', '--url', url, '--sandbox', 'one']),
    () => run(['reset', '--url', url], { env: { VAL_EMULATOR_SANDBOX: 'one' } }),
    () => run(['reset', '--url', `${one.url}/`]),
    () => run(['reset', '--url', two.url, '--sandbox', 'one']),
  ];
  for (const sandbox of [emulator, two]) addVal(sandbox, 'hello');
  for (const way of ways) {
    addVal(one, 'hello');
    expect(await way()).toEqual(saysReset(one.url, 'hello'));
    expect([emulator, one, two].map(valsOf)).toEqual([['hello'], [], ['hello']]);
  }
});

test('an unknown sandbox is refused, and not created', async () => {
  const emulator = await emulate(ADA);
  emulator.sandbox('checkout');
  const { url } = emulator;
  const commands = [
    ['reset'],
    ['state'],
    ['requests'],
    ['clock'],
    ['snapshot', 'save'],
    ['snapshot', 'restore', 'x'],
    ['fail', '*'],
  ];
  for (const ended of await Promise.all(commands.map((args) => run([...args, '--url', url, '--sandbox', 'chekout'])))) {
    expect(ended).toEqual(refusal(`Unknown sandbox "chekout" at ${url}. Did you mean "checkout"?`, 4));
  }
  expect(await run(['reset', '--url', `${url}/_sandbox/other`])).toEqual(
    refusal(
      `Unknown sandbox "other" at ${url}. The first request to a sandbox creates it, and so does val-emulator seed.`,
      4,
    ),
  );
  const { body } = await as(emulator).get('/_emulator/sandboxes');
  expect(body).toMatchObject([{ name: 'checkout', url: `${url}/_sandbox/checkout` }]);
});

test('a missing emulator ends with one message and exit code 3', async () => {
  const { url, close } = await serveElse(200, '');
  await close();
  const commands = [
    ['reset'],
    ['seed', 'empty'],
    ['state'],
    ['requests'],
    ['clock'],
    ['snapshot', 'save'],
    ['fail', '*'],
  ];
  for (const ended of await Promise.all(commands.map((args) => run([...args, '--url', url])))) {
    expect(ended).toEqual(
      refusal(`No emulator at ${url}: connection refused. Start one (val-emulator start), or correct the URL.`, 3),
    );
  }
});

test('a broken connection ends with a sentence and exit code 3', async () => {
  const server = await listen((request) => void request.socket.destroy(), '127.0.0.1', 0);
  onTestFinished(() => server.close());
  expect(await run(['reset', '--url', server.url])).toEqual(refusal(/: connection reset\. Start one/, 3));
});

test.each<[status: number, body: string, message: RegExp]>([
  [404, '<h1>Not Found</h1>', /is not a val-emulator: GET \/_emulator\/health responded 404\.$/m],
  [500, '{"error":"no"}', /is not a val-emulator: GET \/_emulator\/health responded 500\.$/m],
  [200, '{"ok":true}', /is not a val-emulator, or runs an incompatible version\.$/m],
])('a server other than an emulator ends with a sentence and exit code 3: %i %s', async (status, body, message) => {
  const { url } = await serveElse(status, body);
  expect(await run(['reset', '--url', url])).toEqual(refusal(message, 3));
});

test('an emulator without a control API ends with a sentence and exit code 4', async () => {
  const { url } = await emulate(ADA, { control: false });
  expect(await run(['reset', '--url', url])).toEqual(
    refusal(`No control API at ${url}. Start the emulator without --no-control, or correct the URL.`, 4),
  );
});

test.each(['localhost', '4010', 'ftp://127.0.0.1', 'http://ada:secret@127.0.0.1:4010', ''])(
  'an invalid address ends with a sentence and exit code 2: %j',
  async (url) => {
    expect(await run(['reset', '--url', url])).toEqual(
      refusal(`--url: found ${JSON.stringify(url)}; expected a URL such as "http://127.0.0.1:4010".`),
    );
  },
);

test('--json prints the response of the emulator on one line, or {"ok":true} for one without a body', async () => {
  const emulator = await emulate(ADA);
  const ask = (...args: string[]) => run([...args, '--json', '--url', emulator.url]);
  const ok = says('{"ok":true}');
  const unchanged = says('{"ok":true,"commits":0,"total":0,"counts":{},"changes":[],"others":[]}');
  expect(await ask('snapshot', 'save', 'one')).toEqual(says('{"name":"one","time":"2024-06-11T22:05:12.585Z"}'));
  expect(await ask('snapshot', 'list')).toEqual(says('[{"name":"one","time":"2024-06-11T22:05:12.585Z"}]'));
  expect(await ask('snapshot', 'restore', 'one')).toEqual(unchanged);
  expect(await ask('reset')).toEqual(unchanged);
  expect(await ask('seed', 'empty')).toEqual(unchanged);
  expect(await ask('fail', '--clear')).toEqual(ok);
  expect(await ask('fail', '--list')).toEqual(says('[]'));
  expect(await ask('requests')).toEqual(says('[]'));
  expect(await ask('clock')).toEqual(says('{"now":"2024-06-11T22:05:12.585Z","frozen":true}'));
  const { stdout } = await ask('state');
  expect(stdout).toMatch(/^\{"users":.*\}\n$/);
  expect(JSON.parse(stdout).vals).toEqual([]);
});

test.each<[args: string[], message: RegExp]>([
  [['reset', '--bogus'], /^val-emulator: Unknown argument: --bogus\.\nSee val-emulator reset --help\.\n$/],
  [['clock', 'now'], /^val-emulator: Unknown argument: now\.\nSee val-emulator clock --help\.\n$/],
  [['seed'], /^val-emulator: Missing fixtures\. Name them, or use --generate\.\n$/],
  [['snapshot', 'restore'], /^val-emulator: Missing argument: <name>\.\nSee val-emulator snapshot restore --help\.\n$/],
  [
    ['reset', '--url'],
    /^val-emulator: --url: missing; expected a value: URL of the emulator, or of a sandbox\.\nSee val-emulator reset --help\.\n$/,
  ],
  [['rest'], /^val-emulator: Unknown command "rest"\. Did you mean "reset"\?\nSee val-emulator --help\.\n$/],
])('%j ends with a message on stderr and exit code 2', async (args, message) => {
  expect(await run(args)).toEqual(refusal(message));
});
