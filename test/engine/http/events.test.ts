import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import express from 'express';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Emulator, Fixtures } from '../../../src/index.js';
import { emulate, NOW } from '../../support/emulate.js';

const fixtures: Fixtures = { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'hello', code: '1' }] };
const ADA = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };

interface Event {
  readonly event: string;
  readonly id: string;
  readonly data: unknown;
}

/** Reads a stream of events as a client does. */
class Reader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly response: Response;
  readonly #abort: AbortController;
  #text = '';

  constructor(response: Response, abort: AbortController) {
    if (!response.body) throw new Error('no body');
    this.response = response;
    this.#abort = abort;
    this.#chunks = response.body[Symbol.asyncIterator]();
    onTestFinished(() => this.close());
  }

  /** Returns the next event. Undefined at the end of the stream. */
  async next(): Promise<Event | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        const [, event, id = '', data = ''] = /^event: (\w+)\n(?:id: (.*)\n)?data: (.*)$/.exec(block) ?? [];
        if (event !== undefined) return { event, id, data: JSON.parse(data) };
        continue;
      }
      const { value, done } = await this.#chunks.next();
      if (done) return undefined;
      this.#text += Buffer.from(value).toString();
    }
  }

  /** Reads the events up to the first of a name. */
  async until(name: string): Promise<Event[]> {
    const events: Event[] = [];
    for (;;) {
      const event = await this.next();
      if (event) events.push(event);
      if (!event || event.event === name) return events;
    }
  }

  /** Reads the values that every stream begins with. Returns the id of the last. */
  async skipBeginning(): Promise<string> {
    const events = await this.until('sandboxes');
    return events.at(-1)?.id ?? '';
  }

  close(): void {
    this.#abort.abort();
  }
}

type Open = (path?: string, lastEventId?: string) => Promise<Reader>;

const openWith =
  (fetch: (path: string, init: RequestInit) => Promise<Response>): Open =>
  async (path = '/_emulator/events', lastEventId) => {
    const abort = new AbortController();
    const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    return new Reader(await fetch(path, { headers, signal: abort.signal }), abort);
  };

const bySocket = ({ url }: Emulator) => openWith((path, init) => fetch(url + path, init));
const inProcess = (emulator: Emulator) => openWith(emulator.fetch);

/** Mounts an emulator in an Express application, at /fake. */
async function byMount(emulator: Emulator) {
  const server = createServer(express().use('/fake', emulator.app)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return openWith((path, init) => fetch(`http://127.0.0.1:${port}/fake${path}`, init));
}

const names = (events: readonly Event[]) => events.map(({ event }) => event);
const save = (emulator: Pick<Emulator, 'fetch'>, name: string) =>
  emulator.fetch('/v1/vals', { method: 'POST', headers: ADA, body: JSON.stringify({ name, code: '2' }) });

describe.each([
  ['a socket', bySocket],
  ['a mount', byMount],
  ['the fetch of the emulator', inProcess],
])('over %s', (_, connectTo) => {
  test('a stream sends all values, then each change', async () => {
    const emulator = await emulate(fixtures);
    const stream = await (await connectTo(emulator))();

    expect(stream.response.status).toBe(200);
    expect(Object.fromEntries(stream.response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
    });
    expect(stream.response.headers.has('content-length')).toBe(false);
    const beginning = await stream.until('sandboxes');
    expect(beginning.map(({ event, data }) => [event, data])).toStrictEqual([
      ['reset', {}],
      ['faults', []],
      ['clock', { now: NOW, frozen: true }],
      ['snapshots', []],
      ['sandboxes', []],
    ]);

    const created = await save(emulator, 'one');
    expect(created.status).toBe(200);
    const [commit, request] = await stream.until('request');
    expect(commit?.data).toStrictEqual({
      ...{ id: 'r1', request: 'POST /v1/vals', user: 'ada', time: NOW, total: 2 },
      changes: [{ collection: 'vals', id: expect.any(String), name: 'ada/one', type: 'added' }],
      counts: { vals: { added: 1, changed: 0, removed: 0 }, versions: { added: 1, changed: 0, removed: 0 } },
    });
    expect(request?.data).toStrictEqual({
      id: 'r1',
      time: NOW,
      duration: expect.any(Number),
      outcome: 'sent',
      route: 'POST /v1/vals',
      method: 'POST',
      path: '/v1/vals',
      user: 'ada',
      program: expect.toBeOneOf([null, expect.any(String)]),
      status: 200,
      fault: null,
      commit: 'r1',
      message: null,
      suggestion: null,
      reason: null,
    });
  });

  test('a sandbox has its own stream, which ends when the sandbox is closed', async () => {
    const emulator = await emulate(fixtures);
    const open = await connectTo(emulator);
    const one = emulator.sandbox('one');
    const stream = await open('/_sandbox/one/_emulator/events');
    const all = await stream.until('sandboxes');
    expect(all.at(-1)?.data).toMatchObject([{ name: 'one' }]);

    await emulator.fetch('/v1/me');
    await one.fetch('/v1/users/x');
    expect((await stream.until('request')).map(({ data }) => data)).toMatchObject([{ path: '/v1/users/x' }]);

    one.close();
    expect(await stream.next()).toBeUndefined();
  });

  test('a client that connects again gets exactly the missed events', async () => {
    const emulator = await emulate(fixtures);
    const open = await connectTo(emulator);
    const first = await open();
    await first.skipBeginning();
    await save(emulator, 'one');
    const last = (await first.until('request')).at(-1)?.id;
    first.close();

    await save(emulator, 'two');
    await emulator.fetch('/v1/me');
    const second = await open(undefined, last);
    const missed = await second.until('sandboxes');

    expect(missed.map(({ event, data }) => [event, data])).toMatchObject([
      ['commit', { id: 'r2' }],
      ['request', { id: 'r2', path: '/v1/vals' }],
      ['request', { id: 'r3', path: '/v1/me' }],
      ['faults', []],
      ['clock', {}],
      ['snapshots', []],
      ['sandboxes', []],
    ]);
    second.close();
    // From any event, not only from the last of an interval.
    const third = await open(undefined, missed[0]?.id);
    expect((await third.until('faults')).map(({ data }) => data)).toMatchObject([{ id: 'r2' }, { id: 'r3' }, []]);
  });
});

describe('one stream of several sandboxes', () => {
  const open = (emulator: Emulator, last?: string) =>
    bySocket(emulator)('/_emulator/events?sandbox=&sandbox=one', last);
  const described = (events: readonly Event[]) => events.map(({ event, data }) => [event, data]);

  test('has the events of each, with its name', async () => {
    const emulator = await emulate(fixtures);
    const one = emulator.sandbox('one');
    const other = emulator.sandbox('other');
    const stream = await open(emulator);
    const beginning = [...(await stream.until('sandboxes')), ...(await stream.until('sandboxes'))];
    expect(beginning.map(({ event, data }) => [event, (data as { sandbox: string }).sandbox])).toStrictEqual(
      ['', 'one'].flatMap((name) =>
        ['reset', 'faults', 'clock', 'snapshots', 'sandboxes'].map((event) => [event, name]),
      ),
    );

    await one.fetch('/v1/users/x');
    await other.fetch('/v1/users/y');
    expect(described(await stream.until('request'))).toMatchObject([
      ['request', { sandbox: 'one', data: { id: 'r1', path: '/v1/users/x' } }],
    ]);
  });

  test('gives each what it missed, by the ids of the last events', async () => {
    const emulator = await emulate(fixtures);
    const one = emulator.sandbox('one');
    const stream = await open(emulator);
    const ids = [await stream.skipBeginning(), await stream.skipBeginning()];
    stream.close();
    await one.fetch('/v1/users/x');
    await emulator.fetch('/v1/users/y');

    const again = await open(emulator, ids.reverse().join(', '));
    const missed = [...(await again.until('sandboxes')), ...(await again.until('sandboxes'))];
    expect(described(missed.filter(({ event }) => /reset|request/.test(event)))).toMatchObject([
      ['request', { sandbox: '', data: { path: '/v1/users/y' } }],
      ['request', { sandbox: 'one', data: { path: '/v1/users/x' } }],
    ]);
    // Of one that the client has not named, everything is read again.
    const half = await open(emulator, ids[0]);
    expect(names(await half.until('sandboxes'))).toContain('reset');
    expect(names(await half.until('sandboxes'))).not.toContain('reset');
  });

  test('says which sandbox is not there, creates none, and goes on when it is opened', async () => {
    const emulator = await emulate(fixtures);
    const stream = await open(emulator);
    await stream.skipBeginning();
    const missing = { sandbox: 'one', data: { message: 'There is no sandbox "one".' } };
    expect(await stream.next()).toMatchObject({ event: 'closed', data: missing });
    expect(emulator.sandboxes()).toEqual([]);

    const one = emulator.sandbox('one');
    await stream.until('reset');
    await stream.skipBeginning();
    one.close();
    const [closed] = (await stream.until('closed')).slice(-1);
    const message = 'Sandbox "one" is closed. Create it again, or use another name.';
    expect(closed?.data).toStrictEqual({ sandbox: 'one', data: { message } });
    await emulator.fetch('/v1/me');
    expect((await stream.until('request')).at(-1)?.data).toMatchObject({ sandbox: '', data: { path: '/v1/me' } });
  });

  test('has at most 100', async () => {
    const emulator = await emulate(fixtures);
    const query = Array.from({ length: 101 }, (_, index) => `sandbox=s${index}`).join('&');
    const response = await emulator.fetch(`/_emulator/events?${query}`);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { problems: [{ message: expect.stringMatching(/expected the names of at most 100 sandboxes\.$/) }] },
    ]);
  });
});

describe('changes', () => {
  test('faults with their counters, the clock, snapshots and sandboxes are sent on a change', async () => {
    const emulator = await emulate(fixtures);
    const stream = await bySocket(emulator)();
    await stream.skipBeginning();

    emulator.fail('GET /v1/me', { status: 503, times: 2 });
    expect(await stream.next()).toMatchObject({ event: 'faults', data: [{ id: 'f1', seen: 0, remaining: 2 }] });
    await emulator.fetch('/v1/me');
    expect(await stream.next()).toMatchObject({ event: 'request', data: { status: 503, fault: 'f1' } });
    expect(await stream.next()).toMatchObject({ event: 'faults', data: [{ id: 'f1', seen: 1, remaining: 1 }] });
    emulator.clock.advance('1h');
    expect(await stream.next()).toMatchObject({ event: 'clock', data: { now: '2024-06-11T23:05:12.585Z' } });
    emulator.snapshot('before');
    expect(await stream.next()).toMatchObject({ event: 'snapshots', data: [{ name: 'before' }] });
    const sandbox = emulator.sandbox('one');
    expect(await stream.next()).toMatchObject({ event: 'sandboxes', data: [{ name: 'one' }] });
    // Its use is no change.
    await sandbox.fetch('/v1/me');
    emulator.dropSnapshot('before');
    expect(await stream.next()).toMatchObject({ event: 'snapshots', data: [] });
  });

  test('a rewind is a separate event', async () => {
    const emulator = await emulate(fixtures);
    const stream = await bySocket(emulator)();
    await stream.skipBeginning();
    for (const name of ['one', 'two']) await save(emulator, name);
    await stream.until('request');
    await stream.until('request');

    // As many commits as before, but another one.
    emulator.rewind(1);
    emulator.add.like({ user: 'ada', val: 'ada/hello' });
    expect(await stream.next()).toMatchObject({ event: 'history', data: { last: 'w1' } });
    emulator.snapshot('here');
    await stream.until('snapshots');
    emulator.restore('here');
    expect(await stream.next()).toMatchObject({ event: 'history', data: { last: null } });
    emulator.add.user({ username: 'eve' });
    expect(await stream.next()).toMatchObject({ event: 'commit', data: { id: 'w2' } });
  });

  test.each<[string, (emulator: Emulator) => void]>([
    ['a reset', (emulator) => emulator.reset()],
    ['other seed data', (emulator) => emulator.reseed(fixtures)],
    ['a cleared journal', (emulator) => emulator.clearRequests()],
  ])('after %s the stream begins again', async (_, change) => {
    const emulator = await emulate(fixtures);
    const stream = await bySocket(emulator)();
    await stream.skipBeginning();
    await save(emulator, 'one');
    await stream.until('request');

    change(emulator);

    expect(names(await stream.until('sandboxes'))).toStrictEqual([
      'reset',
      'faults',
      'clock',
      'snapshots',
      'sandboxes',
    ]);
    await emulator.fetch('/v1/me');
    expect(await stream.next()).toMatchObject({ event: 'request' });
  });

  test('of more than 200 requests in one interval the oldest are counted only', async () => {
    const emulator = await emulate(fixtures);
    const stream = await bySocket(emulator)();
    await stream.skipBeginning();

    // Together they stay within an interval: nothing else runs meanwhile.
    await Promise.all(Array.from({ length: 1_250 }, () => emulator.fetch('/v1/me')));

    const events = await readAll(stream, 1_250);
    const skipped = events.filter(({ event }) => event === 'skipped').map(({ data }) => data);
    const listed = events.filter(({ event }) => event === 'request');
    const total = skipped.reduce<number>((sum, data) => sum + (data as { requests: number }).requests, 0);
    expect(skipped.length).toBeGreaterThan(0);
    expect(total + listed.length).toBe(1_250);
    expect(listed.at(-1)?.data).toMatchObject({ id: 'r1250' });
  });

  /** Reads until all requests are listed or counted. */
  async function readAll(stream: Reader, requests: number): Promise<Event[]> {
    const events: Event[] = [];
    while (!events.at(-1)?.id.includes(`.${requests}.`)) {
      const event = await stream.next();
      if (!event) throw new Error('the stream ended');
      events.push(event);
    }
    return events;
  }
});

describe('a client that connects again gets a reset', () => {
  test.each(['nonsense', '', 'a.b.c.d', '0a1b2c3d-4e5f-0.1.0.1', `${'9'.repeat(40)}.${'9'.repeat(40)}.1.1`])(
    'with an unknown id: %j',
    async (id) => {
      const emulator = await emulate(fixtures);
      const stream = await bySocket(emulator)(undefined, id);

      expect(await stream.next()).toMatchObject({ event: 'reset' });
    },
  );

  test('if the id is ahead of all events', async () => {
    const emulator = await emulate(fixtures);
    const id = await (await bySocket(emulator)()).skipBeginning();
    for (const ahead of [id.replace(/\.0\.0\.0$/, '.5.0.0'), id.replace(/\.0$/, '.7'), id.replace(/0\.0$/, '9.0')]) {
      expect(ahead).not.toBe(id);
      expect(await (await bySocket(emulator)(undefined, ahead)).next()).toMatchObject({ event: 'reset' });
    }
    expect(await (await bySocket(emulator)(undefined, id)).next()).toMatchObject({ event: 'faults' });
  });

  test('if the journal or the history no longer has the missed events', async () => {
    const emulator = await emulate(fixtures);
    const id = await (await bySocket(emulator)()).skipBeginning();

    for (let count = 0; count < 100; count++) emulator.add.user({ username: `user${count}` });
    expect((await (await bySocket(emulator)(undefined, id)).until('faults')).length).toBe(101);
    emulator.add.user({ username: 'last' });
    expect(await (await bySocket(emulator)(undefined, id)).next()).toMatchObject({ event: 'reset' });
  });

  test('after the sandbox is closed and opened again, and after a restart', async () => {
    const emulator = await emulate(fixtures);
    const open = bySocket(emulator);
    const id = await (await open('/_sandbox/one/_emulator/events')).skipBeginning();
    emulator.sandbox('one').close();
    emulator.sandbox('one');
    expect(await (await open('/_sandbox/one/_emulator/events', id)).next()).toMatchObject({ event: 'reset' });

    const other = await emulate(fixtures);
    const before = await (await open()).skipBeginning();
    expect(await (await bySocket(other)(undefined, before)).next()).toMatchObject({ event: 'reset' });
  });

  test('after a rewind, with the history only', async () => {
    const emulator = await emulate(fixtures);
    await save(emulator, 'one');
    const id = await (await bySocket(emulator)()).skipBeginning();
    emulator.rewind(1);
    expect(await (await bySocket(emulator)(undefined, id)).next()).toMatchObject({
      event: 'history',
      data: { last: null },
    });
  });
});

describe('limits', () => {
  test('an open stream is not a use of its sandbox', async () => {
    const emulator = await emulate(fixtures);
    await (await bySocket(emulator)('/_sandbox/one/_emulator/events')).skipBeginning();
    const [before] = emulator.sandboxes();
    await wait(250);
    expect(emulator.sandboxes()).toStrictEqual([before]);
  });

  test('the 101st stream returns 503, until another is closed', async () => {
    const emulator = await emulate(fixtures);
    const open = inProcess(emulator);
    const streams: Reader[] = [];
    for (let count = 0; count < 100; count++) streams.push(await open());

    const refused = await emulator.fetch('/_emulator/events');
    expect([refused.status, await refused.json()]).toMatchObject([
      503,
      { message: 'Stream limit reached (100). Close a stream of /_emulator/events first.' },
    ]);
    streams[0]?.close();
    expect((await open()).response.status).toBe(200);
  });

  test('HEAD has the headers of the stream, and ends', async () => {
    const emulator = await emulate(fixtures);

    const response = await fetch(`${emulator.url}/_emulator/events`, { method: 'HEAD' });

    expect([response.status, await response.text()]).toStrictEqual([200, '']);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(await (await emulator.fetch('/_emulator/events', { method: 'HEAD' })).text()).toBe('');
  });

  test('a client that does not read is disconnected', async () => {
    const emulator = await emulate(fixtures);
    const socket = connect(Number(new URL(emulator.url).port), '127.0.0.1').pause();
    onTestFinished(() => void socket.destroy());
    socket.write('GET /_emulator/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const closed = once(socket, 'close');
    const path = `/v1/${'x'.repeat(8_000)}`;
    let isClosed = false;
    void closed.then(() => {
      isClosed = true;
    });

    // The system takes some megabytes before the emulator has to keep what is not read.
    for (let round = 0; round < 60 && !isClosed; round++) {
      for (let count = 0; count < 100; count++) await emulator.fetch(path);
      await wait(110);
      if (round > 20) socket.resume();
    }

    expect(isClosed).toBe(true);
  });

  test('an aborted fetch rejects, and ends the stream', async () => {
    const emulator = await emulate(fixtures);
    const stream = await inProcess(emulator)();
    await stream.skipBeginning();
    stream.close();
    await expect(stream.next()).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('the end of the emulator', () => {
  test.each([{}, { grace: 3_600_000 }])('streams end at once when it closes: %j', async (options) => {
    const emulator = await emulate(fixtures);
    const streams = [await bySocket(emulator)(), await inProcess(emulator)()];
    for (const stream of streams) await stream.skipBeginning();

    await emulator.close(options);

    for (const stream of streams) {
      const rest = await stream.next().catch((error) => error.name);
      expect([undefined, 'TypeError']).toContain(rest);
    }
    expect((await emulator.fetch('/_emulator/events')).status).toBe(503);
  });

  test('a client that leaves frees its place', async () => {
    const emulator = await emulate(fixtures);
    for (let count = 0; count < 30; count++) {
      const one = new AbortController();
      await emulator.fetch('/_emulator/events', { signal: one.signal });
      one.abort();
      await (await emulator.fetch('/_emulator/events')).body?.cancel();
    }
    // All hundred places are free again.
    for (let count = 0; count < 100; count++) {
      expect((await inProcess(emulator)()).response.status).toBe(200);
    }
  });
});

test('fake timers of a test do not stop a stream', async () => {
  const emulator = await emulate(fixtures);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const stream = await inProcess(emulator)();
  await stream.skipBeginning();

  await emulator.fetch('/v1/me');

  expect(await stream.next()).toMatchObject({ event: 'request', data: { path: '/v1/me' } });
});

test('a request is sent again when its response has ended, which had not before', async () => {
  const emulator = await emulate(fixtures);
  const stream = await bySocket(emulator)();
  await stream.skipBeginning();
  emulator.fail('GET /v1/me', { delay: 400 });

  const response = fetch(`${emulator.url}/v1/me`, { headers: ADA });
  const [first] = (await stream.until('request')).slice(-1);
  expect(first?.data).toMatchObject({ id: 'r1', duration: null, outcome: null });
  await (await response).text();
  const [again] = (await stream.until('request')).slice(-1);
  expect(again?.data).toMatchObject({ id: 'r1', duration: expect.any(Number), outcome: 'sent' });

  await emulator.fetch('/v1/users/x');
  const rest = await stream.until('request');
  expect(rest.map(({ data }) => data)).toMatchObject([{ id: 'r2' }]);
});
