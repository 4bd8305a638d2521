import { expect, test } from 'vitest';
import { as, emulate } from '../../support/emulate.js';
import { refusal, run, says } from './cli.js';

const TWO = { users: [{ username: 'ada' }, { username: 'bob' }] };

test('fail makes exactly the second and third call fail', async () => {
  const emulator = await emulate(TWO);
  const flags = ['--status', '503', '--times', '2', '--after', '1', '--header', 'Retry-After: 3', '--header', 'X-A:b'];
  expect(await run(['fail', 'GET /v1/me', ...flags, '--url', emulator.url])).toEqual(
    says(`Armed f1 at ${emulator.url}: GET /v1/me responds 503, adds Retry-After and X-A, 2 times, after 1 request.`),
  );
  const statuses: number[] = [];
  for (let i = 0; i < 4; i++) {
    const { status, headers } = await as(emulator, 'ada').get('/v1/me');
    statuses.push(status);
    expect([headers['retry-after'], headers['x-a']]).toEqual(status === 503 ? ['3', 'b'] : [undefined, undefined]);
  }
  expect(statuses).toEqual([200, 503, 503, 200]);
});

test.each<[flags: string[], fault: object, words: string]>([
  [['GET /v1/me'], { route: 'GET /v1/me', status: 500 }, 'GET /v1/me responds 500'],
  [['*', '--delay', '100'], { route: null, status: null, delay: 100 }, 'any request waits 100 ms'],
  [
    ['*', '--delay', '100-300', '--rate', '0.2', '--seed', '7'],
    { delay: [100, 300], rate: 0.2, seed: '7' },
    'any request waits 100 to 300 ms, for 20 % of the requests (seed 7)',
  ],
  [
    ['*', '--method', 'post', '--user', 'bob', '--times', '1'],
    { route: null, method: 'POST', user: 'bob', times: 1 },
    'any POST by bob responds 500, once',
  ],
  [
    ['POST /v1/vals', '--match', '{"body":{"name":"report"}}'],
    { match: { body: { name: 'report' } }, status: 500 },
    'POST /v1/vals with {"body":{"name":"report"}} responds 500',
  ],
  [['GET /v1/me', '--reset'], { status: null, reset: true }, 'GET /v1/me resets the connection'],
  [['GET /v1/me', '--truncate', '20'], { status: null, truncate: 20 }, 'GET /v1/me closes after 20 bytes'],
  [
    ['GET /v1/me', '--body', '{"a": [1]}', '--status', '418'],
    { status: 418, body: { a: [1] } },
    'GET /v1/me responds 418, sends its own body',
  ],
  [['GET /v1/me', '--body', '"text"'], { status: 500, body: 'text' }, 'GET /v1/me responds 500, sends its own body'],
])('fail %j arms %j', async (flags, fault, words) => {
  const emulator = await emulate(TWO);
  expect(await run(['fail', ...flags, '--url', emulator.url])).toEqual(says(`Armed f1 at ${emulator.url}: ${words}.`));
  expect(emulator.faults()).toMatchObject([fault]);
});

test('fail --chaos arms the faults of a name', async () => {
  const emulator = await emulate(TWO, { now: '2024-06-11T22:05:12Z' });
  const ask = (...args: string[]) => run(['fail', ...args, '--url', emulator.url]);
  const until = 'until 2024-06-11T22:06:12.000Z';
  expect(await ask('--chaos', 'flaky', '--for', '1m', '--seed', 'a')).toEqual(
    says(
      [
        `Armed f1 at ${emulator.url}: any request resets the connection, for 5 % of the requests (seed a:0), ${until}.`,
        `Armed f2 at ${emulator.url}: any request responds 503, adds Retry-After, for 10 % of the requests (seed a:1), ${until}.`,
        `Armed f3 at ${emulator.url}: any request waits 200 to 2000 ms, for 20 % of the requests (seed a:2), ${until}.`,
      ].join('\n'),
    ),
  );
  expect((await ask('--chaos', 'flakey')).stderr).toContain('flakey');
  expect(emulator.faults()).toHaveLength(3);
});

test('fail --list prints the armed faults, fail --clear disarms one or all', async () => {
  const emulator = await emulate(TWO);
  const ask = (...args: string[]) => run(['fail', ...args, '--url', emulator.url]);
  emulator.fail('GET /v1/me', { status: 503, times: 2 });
  emulator.fail('*', { delay: 1 });
  emulator.fail('POST /v1/vals');
  await as(emulator, 'ada').get('/v1/me');
  expect(await ask('--list')).toEqual(
    says(
      [
        'id  hits  remaining  fault',
        'f1  1     1          GET /v1/me responds 503, 2 times',
        'f2  0     -          any request waits 1 ms',
        'f3  0     -          POST /v1/vals responds 500',
      ].join('\n'),
    ),
  );
  expect(await ask('--clear', 'f9')).toEqual(refusal('There is no fault "f9". Armed: f1, f2, f3.', 4));
  expect(await ask('--clear', 'f2')).toEqual(says(`Disarmed f2 at ${emulator.url}.`));
  expect(emulator.faults().map(({ id }) => id)).toEqual(['f1', 'f3']);
  expect(await ask('--clear', '.')).toMatchObject({ code: 2 });
  expect(emulator.faults()).toHaveLength(2);
  expect(await ask('--clear')).toEqual(says(`Disarmed all faults at ${emulator.url}.`));
  expect(await ask('--list')).toEqual(says('No armed faults.'));
});

test.each<[args: string[], message: string, code?: number]>([
  [['GET /v1/mee'], 'fault route: there is no route "GET /v1/mee". Did you mean "GET /v1/me"?', 4],
  [['GET /v1/me', '--user', 'adda'], 'fault user: there is no user "adda". Did you mean "ada"?', 4],
  [['*', '--delay', '300-100'], '--delay: found [300,100]; expected the minimum before the maximum.'],
])('a refused fault has the message of the emulator: %j', async (args, message, code) => {
  const emulator = await emulate(TWO);
  expect(await run(['fail', ...args, '--url', emulator.url])).toEqual(refusal(message, code));
  expect(emulator.faults()).toEqual([]);
});

test.each<[args: string[], message: string]>([
  [
    ['*', '--status', '700', '--rate', '2', '--times', 'x'],
    '--status: found 700; expected at most 599.\n--times: found "x"; expected a whole number.\n--rate: found 2; expected at most 1.',
  ],
  [
    ['*', '--delay', 'long'],
    '--delay: found "long"; expected a duration such as 100ms or 2s, or a range such as 100ms-2s.',
  ],
  [['*', '--header', 'x'], '--header: found "x"; expected a name and a value, as in "Retry-After: 3".'],
  [['*', '--header', 'A: b', '--header', 'a: c'], '--header: duplicate name a. Give each header once.'],
  [['*', '--status', '205'], '--status: found 205; expected another status, since 205 allows no response body.'],
  [['*', '--header', 'A: \u0001'], '--header: Invalid character in header content ["A"]'],
  [['*', '--match', '{"bdy":1}'], '--match.bdy: unknown key. Did you mean "body"?'],
  [['*', '--match', '[1]'], '--match: found "[1]"; expected a JSON object such as {"name":"report"}.'],
  [['*', '--body', '{"a"'], '--body: not valid JSON: found the end of the file; expected ":" after the key.'],
])('fail %j ends with a message on stderr and exit code 2', async (args, message) => {
  const emulator = await emulate(TWO);
  expect(await run(['fail', ...args, '--url', emulator.url])).toEqual(refusal(message));
  expect(emulator.faults()).toEqual([]);
});

test.each<[args: string[], message: string]>([
  [[], 'Missing route. Name one (POST /v1/vals, "*" for any), or use --chaos, --list or --clear.'],
  [['--list', '--clear'], 'Use either --list or --clear, not both.'],
  [['*', '--list'], 'Use either --list or <route>, not both.'],
  [['--chaos', 'flaky', '--status', '503'], 'Use either --chaos or --status, not both.'],
  [['--clear', 'f1', '--status', '503'], 'Use either --clear or --status, not both.'],
])('fail %j has contradictory arguments and is refused', async (args, message) => {
  expect(await run(['fail', ...args])).toEqual(refusal(message));
});
