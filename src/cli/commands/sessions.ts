import { didYouMean, formatValue } from '../../lib/messages.js';
import { readSession, type StoredSession } from '../../persistence/session.js';
import { defineCommand, fail, flag, jsonFlag } from '../command.js';
import { printLine, quoteName } from '../io.js';
import { writeFiles } from '../output.js';
import { ControlClient, isEmpty, parseUrl, remoteCommand, remoteFlags } from '../remote-command.js';
import type { Difference } from '../replay/compare.js';
import type { ReplayResult } from '../replay/replayer.js';

/** Differences of a request that are printed. */
const MAX_PRINTED = 10;

export const record = remoteCommand('record', 'Write a session of a running emulator to a file', {
  flags: { out: { ...flag('Write to this file (default: stdout)'), alias: 'o' } },
  examples: {
    '$0 --out bug.ndjson': 'seed data, commits and requests, without tokens',
    '$0 --sandbox checkout --out bug.ndjson': 'of one sandbox',
  },
  epilogue: 'val-emulator start --session opens the file, and val-emulator replay sends its requests again.',
  async run({ out, json }, client, io) {
    const text = await client.getText('/session');
    if (out === undefined) {
      io.stdout.write(json ? `${JSON.stringify(text)}\n` : text);
      return undefined;
    }
    await writeFiles(io, [{ path: out, chunks: [text] }]);
    return { value: { out }, words: `Wrote the session of ${client.url} to ${quoteName(out)}.` };
  },
});

const { timeout, 'control-token': controlToken } = remoteFlags;

interface Totals {
  readonly requests: number;
  readonly equal: number;
  readonly different: number;
  readonly skipped: number;
}

export const replay = defineCommand('replay <session>', 'Send the requests of a session to another server', {
  args: { session: { type: 'string', demandOption: true, describe: 'File that val-emulator record has written' } },
  variables: { timeout, json: jsonFlag('the result') },
  flags: {
    against: { ...flag('URL of the server'), demandOption: true },
    token: { ...flag('Token for all requests, or of one user: ada=SECRET (repeatable)'), array: true, default: [] },
    reset: { type: 'boolean', default: false, describe: 'Reset that server first, if it is an emulator' },
    'control-token': controlToken,
  },
  examples: {
    '$0 bug.ndjson --against http://127.0.0.1:4010 --reset': 'an emulator with the same fixtures',
    '$0 bug.ndjson --against https://api.example.com --token ada=SECRET': 'a real service',
  },
  epilogue: 'Exit code: 0 if all responses are equal, 1 if one differs, 3 if the server does not respond.',
  async run({ session: path, against, token, reset, timeout: limit, controlToken: secret, json }, io) {
    const target = parseUrl(against, 'against');
    const client = new ControlClient({ ...target, mayBeNew: true, controlToken: secret, timeout: limit });
    const session = readSession(path);
    if (reset) await client.request('POST', '/reset', isEmpty);
    const { Replayer } = await import('../replay/replayer.js');
    const replayer = new Replayer(session, {
      url: client.url,
      ...parseTokens(token, session),
      timeout: limit,
      controlToken: secret,
    });
    const isEmulator = await replayer.learnSeed();
    const missing = replayer.usersWithoutToken;
    if (missing.length > 0 && !isEmulator && token.length === 0) {
      fail(`${against} is no emulator, so it needs tokens: --token ${missing[0]}=SECRET.`);
    }
    const results: ReplayResult[] = [];
    for await (const result of replayer.run()) {
      results.push(result);
      if (!json) for (const line of describeResult(result)) printLine(io, line);
    }
    const different = results.filter(({ differences }) => differences.length > 0);
    const skipped = results.filter((result) => result.skipped !== undefined);
    const totals = {
      requests: results.length,
      equal: results.length - different.length - skipped.length,
      different: different.length,
      skipped: skipped.length,
    };
    const report = results.filter((result) => different.includes(result) || skipped.includes(result)).map(toReport);
    printLine(io, json ? JSON.stringify({ ...totals, results: report }) : describeTotals(totals));
    return different.length > 0 ? 1 : 0;
  },
});

/** Parses `ada=SECRET`, and a token for all users. @throws CliError for an unknown user */
function parseTokens(texts: readonly string[], { contents, requests }: StoredSession) {
  const current = [...contents.state.users].map(({ username, id }) => username ?? id);
  const users = new Set([...current, ...requests.flatMap(({ user }) => user ?? [])]);
  const tokens = new Map<string, string>();
  let defaultToken: string | undefined;
  for (const text of texts) {
    // The padding of a token is no value.
    const [, user, token = ''] = /^([\w.-]+)=([^=].*)$/s.exec(text) ?? [];
    if (user === undefined) defaultToken = text;
    else if (users.has(user)) tokens.set(user, token);
    else fail(`--token: the session has no user ${formatValue(user)}.${didYouMean(user, users)}`);
  }
  return { tokens, defaultToken };
}

function describeResult({ request, skipped, differences, seedIds }: ReplayResult): string[] {
  const name = `${request.id} ${request.method} ${request.path}`;
  if (skipped !== undefined) return [`${name}: skipped: ${skipped}`];
  const more = differences.length - MAX_PRINTED;
  return [
    ...differences.slice(0, MAX_PRINTED).map((difference) => `${name}: ${describeDifference(difference)}`),
    ...(more > 0 ? [`${name}: and ${more} more`] : []),
    ...(seedIds.length > 0 ? [`${name}: ${seedIds.join(', ')} is of the seed data, which this server may lack`] : []),
  ];
}

const describeDifference = ({ at, ...values }: Difference): string =>
  `${at}: expected ${'expected' in values ? formatValue(values.expected) : 'nothing'}, found ${
    'found' in values ? formatValue(values.found) : 'nothing'
  }`;

const describeTotals = ({ requests, equal, different, skipped }: Totals): string =>
  `${requests} ${requests === 1 ? 'request' : 'requests'}: ${equal} equal, ${different} different${
    skipped > 0 ? `, ${skipped} skipped` : ''
  }`;

const toReport = ({ request: { id, method, path }, skipped, differences, seedIds }: ReplayResult) => ({
  ...{ id, method, path },
  ...(skipped === undefined ? { differences } : { skipped }),
  ...(seedIds.length > 0 && { seedIds }),
});
