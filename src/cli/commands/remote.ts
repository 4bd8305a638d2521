import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { ClockStatus } from '../../control/clock.js';
import { SnapshotRecord } from '../../control/history.js';
import { RequestRecord } from '../../control/journal.js';
import { builtInFixtures, readCollections } from '../../fixtures/read.js';
import { COLLECTION_NAMES } from '../../fixtures/schema.js';
import { writeFixture, writeFixtureFolder } from '../../fixtures/write.js';
import { compile } from '../../lib/validator.js';
import { defineCommand, fail, failValue, flag } from '../command.js';
import { emulatorFlags } from '../emulator-flags.js';
import { colorStatus, formatTable, printLine, quoteName } from '../io.js';
import { isFixtureFolder, writeFiles } from '../output.js';
import { ControlClient, encodePathSegment, isEmpty, remoteCommand, remoteFlags } from '../remote-command.js';

// Other versions may add properties to a response.
const Snapshot = Type.Object(SnapshotRecord.properties);
const Request = Type.Object({ ...RequestRecord.properties, request: Type.Unknown(), response: Type.Unknown() });
const isClock = compile('cli clock', Type.Object(ClockStatus.properties), 'response');
const Records = Type.Array(Type.Object({}));
const Collections = {
  users: Records,
  vals: Records,
  versions: Records,
  runs: Records,
  likes: Records,
  comments: Records,
};
const isFixtures = compile('cli fixtures', Type.Object(Collections), 'response');
const isHealth = compile('cli health', Type.Object({ status: Type.Literal('ok'), version: Type.String() }), 'response');
const isJournal = compile('cli requests', Type.Array(Request), 'response');
const isSnapshot = compile('cli snapshot', Snapshot, 'response');
const isSnapshots = compile('cli snapshots', Type.Array(Snapshot), 'response');

const WAIT_INTERVAL_MS = 50;
/** Maximum milliseconds of one attempt: the next one may find another server. */
const ATTEMPT_TIMEOUT_MS = 1_000;

export const wait = defineCommand('wait', 'Wait until an emulator responds', {
  variables: {
    url: remoteFlags.url,
    timeout: { ...remoteFlags.timeout, describe: 'Time limit of the wait: 500ms, 10s, 1m', default: '10s' },
    json: remoteFlags.json,
  },
  examples: { '$0 --url http://127.0.0.1:4010 --timeout 30s': 'in a script that starts it in the background' },
  async run({ url: { base }, json, timeout }, io) {
    const end = performance.now() + timeout;
    for (;;) {
      const remaining = Math.max(1, Math.ceil(end - performance.now()));
      const client = new ControlClient({ base, timeout: Math.min(remaining, ATTEMPT_TIMEOUT_MS) });
      try {
        const value = await client.request('GET', '/health', isHealth);
        printLine(io, json ? JSON.stringify(value) : `val-emulator ${value.version} responds at ${base}.`);
        return;
      } catch (error) {
        if (performance.now() + WAIT_INTERVAL_MS >= end) throw error;
      }
      await sleep(WAIT_INTERVAL_MS);
    }
  },
});

export const reset = remoteCommand('reset', 'Reset a running emulator to its seed data', {
  examples: { $0: 'restore the state after the start', '$0 --sandbox checkout': 'reset one sandbox' },
  async run(_input, client) {
    await client.request('POST', '/reset', isEmpty);
    return { words: `Reset ${client.url} to its seed data.` };
  },
});

export const seed = remoteCommand('seed [fixtures]', 'Replace the seed data of a running emulator', {
  args: { fixtures: { type: 'string', describe: emulatorFlags.fixtures.describe } },
  flags: { generate: emulatorFlags.generate },
  mayBeNew: true,
  examples: {
    '$0 ./demo.json': 'load a file; an error in it changes nothing',
    '$0 empty --sandbox checkout': 'load into one sandbox, which is created if necessary',
    '$0 --generate users=50,seed=42': 'load generated data',
  },
  async run({ fixtures, generate }, client) {
    if (fixtures === undefined && generate === undefined) fail('Missing fixtures. Name them, or use --generate.');
    if (fixtures !== undefined && generate !== undefined) fail('Use either fixtures or --generate, not both.');
    const isBuiltIn = fixtures !== undefined && builtInFixtures().includes(fixtures);
    // Files are read here: the emulator may run on another machine.
    const body = fixtures === undefined ? { generate } : isBuiltIn ? { fixtures } : readCollections(fixtures);
    await client.request('PUT', '/seed', isEmpty, body);
    return { words: `Loaded ${fixtures === undefined ? 'generated data' : quoteName(fixtures)} into ${client.url}.` };
  },
});

export const snapshot = remoteCommand('snapshot [name]', 'Take a snapshot of a running emulator', {
  args: { name: { type: 'string', describe: 'Name; replaces a snapshot of that name (default: a new name)' } },
  flags: { list: { type: 'boolean', default: false, describe: 'List the snapshots' } },
  examples: {
    '$0 before-checkout': 'val-emulator restore before-checkout returns to it',
    '$0 --list': 'list the snapshots',
  },
  async run({ name, list }, client, io) {
    if (list && name !== undefined) fail('Use either a name or --list, not both.');
    if (list) {
      const value = await client.request('GET', '/snapshots', isSnapshots);
      const rows = value.map((taken) => ({ name: quoteName(taken.name), time: taken.time }));
      return { value, words: formatTable(io, rows, 'No snapshots.') };
    }
    const value = await client.request('POST', '/snapshots', isSnapshot, { name });
    return { value, words: `Took snapshot ${quoteName(value.name)} of ${client.url}.` };
  },
});

export const restore = remoteCommand('restore <name>', 'Restore a snapshot in a running emulator', {
  args: { name: { type: 'string', demandOption: true, describe: 'Snapshot name (the snapshot is kept)' } },
  examples: { '$0 before-checkout': 'return to the state of that snapshot' },
  async run({ name }, client) {
    await client.request('POST', `/snapshots/${encodePathSegment(name)}/restore`, isEmpty);
    return { words: `Restored snapshot ${quoteName(name)} of ${client.url}.` };
  },
});

export const state = remoteCommand('state', 'Print the records of a running emulator as fixtures', {
  flags: {
    out: { ...flag('Write to this file or folder (default: stdout)'), alias: 'o' },
    tokens: { type: 'boolean', default: false, describe: 'Include the tokens of the users' },
    relative: { type: 'boolean', default: false, describe: 'Write times relative to the current time: -10m' },
    brief: { type: 'boolean', default: false, describe: 'Leave out keys that equal their defaults' },
  },
  examples: {
    '$0 --out ./demo.json': 'val-emulator seed ./demo.json loads it again; tokens are left out',
    '$0 --tokens --relative --brief --out demo/': 'a folder with one file per collection, to edit by hand',
  },
  async run({ out, tokens, relative, brief }, client, io) {
    const query = new URLSearchParams({ tokens: `${tokens}`, relative: `${relative}`, brief: `${brief}` });
    const value = await client.request('GET', `/state?${query}`, isFixtures);
    const format = (records: object) => [`${JSON.stringify(records, null, 2)}\n`];
    const chunks = brief ? [...writeFixture(value)] : format(value);
    if (out === undefined) return { value, words: chunks.join('').trimEnd() };
    if (/[\\/]$/.test(out) || (await isFixtureFolder(out))) {
      const long = COLLECTION_NAMES.map((name) => ({ path: `${name}.json`, chunks: format(value[name]) }));
      await writeFiles(io, brief ? writeFixtureFolder(value) : long, out);
    } else {
      await writeFiles(io, [{ path: out, chunks }]);
    }
    return { words: `Wrote the records of ${client.url} to ${out}.` };
  },
});

/** Creates a parser of whole numbers, by default of any size. */
const parseInteger =
  (flag: string, expected: string, min = Number.NEGATIVE_INFINITY) =>
  (text: string) =>
    /^-?\d+$/.test(text) && Number(text) >= min ? Number(text) : failValue(flag, text, expected);

export const requests = remoteCommand('requests', 'Print the last requests to a running emulator', {
  flags: {
    route: flag('Only this route: "POST /v1/vals", "GET /v1/vals/{val_id}"'),
    status: {
      ...flag('Only responses with this status'),
      coerce: parseInteger('status', 'an HTTP status such as 404'),
    },
    user: flag('Only requests of this username'),
    limit: {
      ...flag('Show the last N requests (default and maximum: 1,000)'),
      coerce: parseInteger('limit', 'a number of requests, at least 1', 1),
    },
  },
  examples: {
    '$0 --limit 20': 'the last twenty, newest last',
    "$0 --route 'POST /v1/vals' --status 409 --json": 'as JSON, with bodies',
  },
  async run({ route, status, user, limit }, client, io) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ route, status, user, limit })) {
      if (value !== undefined) query.set(name, String(value));
    }
    const entries = await client.request('GET', `/requests?${query}`, isJournal);
    const hasFaults = entries.some(({ fault }) => fault !== null);
    const rows = entries.map(({ id, time, method, path, ...entry }) => ({
      ...{ id, time, method, path },
      status: colorStatus(io, entry.status),
      user: entry.user ?? '-',
      ms: entry.duration.toFixed(1),
      ...(hasFaults ? { fault: entry.fault ?? '-' } : {}),
    }));
    return { value: entries, words: formatTable(io, rows, 'No requests.', 'path') };
  },
});

export const clock = remoteCommand('clock', 'Print or change the clock of a running emulator', {
  flags: {
    freeze: { type: 'string', describe: 'Freeze at an RFC 3339 timestamp (default: the current time)' },
    set: flag('Set the time; a running clock continues'),
    advance: flag('Advance by a duration: 90s, 10m, 2d, 1d12h'),
    resume: { type: 'boolean', default: false, describe: 'Resume a frozen clock' },
  },
  examples: {
    $0: 'print the time',
    '$0 --freeze 2024-06-11T22:05:12Z': 'freeze it',
    '$0 --advance 10m': 'skip ten minutes',
  },
  async run({ freeze, set, advance, resume }, client) {
    const all = { freeze: freeze === '' || freeze, set, advance, resume: resume || undefined };
    const [change, ...others] = Object.entries(all).filter(([, value]) => value !== undefined);
    if (others.length > 0) fail('Use only one of --freeze, --set, --advance and --resume.');
    const body = change && Object.fromEntries([change]);
    const value = await client.request(change ? 'PUT' : 'GET', '/clock', isClock, body);
    return { value, words: `${value.now} (${value.frozen ? 'frozen' : 'running'})` };
  },
});
