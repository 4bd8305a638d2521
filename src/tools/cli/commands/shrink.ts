import { parse, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSession } from '#engine/session/open-session.js';
import type { Outcome } from '../../shrink/failure.js';
import { NotShrinkableError, Shrinker } from '../../shrink/shrinker.js';
import { startProgram, waitForEnd } from '../child.js';
import { defineCommand, fail, failValue, flag, InterruptedError, jsonFlag, parseTime } from '../command.js';
import { startFlags, toEmulatorOptions } from '../emulator-flags.js';
import { onSignals, quoteName } from '../io.js';
import { assertWritable, forceFlag, sessionFile, writeFiles } from '../output.js';
import { createProgress } from '../progress.js';
import { loadService } from '../start-service.js';
import { makeAddressVariables } from '../variables.js';

/** A try that takes this many times as long as the first one is stopped, but none before these milliseconds. */
const SLOW = { factor: 10, least: 10_000 };
/** Milliseconds for the output of a command that has ended. Programs that it left behind may keep it open. */
const OUTPUT_MS = 1_000;
/** Characters at the start of an output, and at its end, that are kept. */
const MAX_OUTPUT = 8 * 1_048_576;
/** Steps that the result lists. */
const MAX_LISTED = 10;

export const shrink = defineCommand({
  args: {
    session: { type: 'string', demandOption: true, describe: 'Session in which the command fails' },
    words: { type: 'string', array: true, default: [], describe: 'Command that fails, after --' },
  },
  variables: { json: jsonFlag('the result'), service: startFlags.service },
  flags: {
    out: { ...flag('Write to this file (default: bug.min.ndjson for bug.ndjson)'), alias: 'o' },
    ...forceFlag,
    match: flag('Text in the output of the command (default: its code and error)'),
    jobs: { ...flag('Tries at the same time'), default: '1', coerce: parseJobs },
    timeout: {
      ...flag('Time limit of a try: 30s, or 0 for none (default: 10 times the first, ≥ 10s)'),
      coerce: parseTime('timeout'),
    },
  },
  examples: {
    '$0 bug.ndjson -- npm test': 'find the fewest requests after which the command fails',
    "$0 bug.ndjson --match 'expected 2 vals' -- node check.js": 'of the failure with this text',
  },
  epilogue: 'A try sends some of the requests to a new emulator, and runs the command with its address.',
  async run({ session, words: first = [], '--': rest = [], service: path, out = nameResult(session), ...input }, io) {
    const words = [...first, ...rest];
    if (words.length === 0) fail(`Missing command. Usage: val-emulator shrink ${quoteName(session)} -- npm test`);
    if (resolve(out) === resolve(session)) failValue('out', out, 'another file than the session');
    const { service } = await loadService(path, toEmulatorOptions({}, io), undefined);
    const stored = openSession(session, service.definitions);
    const { json, match, jobs, timeout, force } = input;
    const file = { path: out, kind: sessionFile };
    await assertWritable(io, [file], { force });
    const progress = createProgress(io);
    const interruption = new AbortController();
    const { signal } = interruption;
    const off = onSignals(io, ['SIGINT', 'SIGTERM', 'SIGHUP'], (name) =>
      interruption.abort(new InterruptedError(name)),
    );
    const start = performance.now();
    const seconds = () => (performance.now() - start) / 1_000;
    let limit = timeout === 0 ? Number.POSITIVE_INFINITY : timeout;
    const shrinker: Shrinker = await Shrinker.open({
      ...{ service, stored, match, jobs },
      async run({ url, token }) {
        const env = { ...io.env, ...makeAddressVariables(url, token, false) };
        const started = performance.now();
        const outcome = await runOnce(words, { env, limit, signal });
        limit ??= Math.max(SLOW.least, SLOW.factor * (performance.now() - started));
        return outcome;
      },
      onTry: () =>
        progress.update('shrinking', () => `${describeSize(shrinker)} after ${describeEffort(shrinker, seconds())}`),
    });
    const { earlier } = shrinker.recording;
    if (earlier > 0)
      io.stderr.write(
        `val-emulator: ${session} does not have all that led to its oldest commit: ${earlier} earlier requests are skipped.\n`,
      );
    const write = () =>
      writeFiles(io, [{ ...file, chunks: shrinker.format() ?? [] }], { isInterruptible: false, force: true });
    try {
      await shrinker.shrink();
    } catch (error) {
      progress.stop();
      if (error instanceof NotShrinkableError) fail(error.message, 'assertion');
      if (!(error instanceof InterruptedError) || shrinker.format() === undefined) throw error;
      await write();
      io.stderr.write(`val-emulator: Stopped with ${describeSize(shrinker)}, in ${quoteName(out)}.\n`);
      throw error;
    } finally {
      progress.stop();
      off();
    }
    await write();
    const { requests, parts, records, tries, failure = '' } = shrinker;
    const value = { out, requests, parts, records, tries, seconds: seconds(), failure };
    return { value, text: json ? '' : describeResult(shrinker, out, seconds()) };
  },
});

const nameResult = (session: string): string => {
  const { dir, name, ext } = parse(session);
  return `${dir === '' ? '' : `${dir}/`}${name}.min${ext}`;
};

function parseJobs(text: string): number {
  const jobs = Number(text);
  return /^\d+$/.test(text) && jobs >= 1 && jobs <= 64 ? jobs : failValue('jobs', text, 'a number from 1 to 64');
}

interface RunOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds; infinite or undefined for none. */
  readonly limit: number | undefined;
  readonly signal: AbortSignal;
}

/** Runs a command to its end, or until its time is over. It is ended with its own children. @throws the reason of the signal */
async function runOnce(words: readonly string[], { env, limit, signal }: RunOptions): Promise<Outcome> {
  signal.throwIfAborted();
  const isGroup = process.platform !== 'win32';
  const child = startProgram(words, { stdio: ['ignore', 'pipe', 'pipe'], detached: isGroup, env });
  const stop = () => {
    try {
      if (isGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      else child.kill('SIGKILL');
    } catch {
      // It has just ended.
    }
  };
  let isLate = false;
  const endLate = () => {
    isLate = true;
    stop();
  };
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const isClosed = new Promise((resolve) => child.once('close', resolve));
  const timer = Number.isFinite(limit) ? setTimeout(endLate, limit) : undefined;
  signal.addEventListener('abort', stop);
  try {
    const code = await waitForEnd(child, words);
    clearTimeout(timer);
    await Promise.race([isClosed, sleep(OUTPUT_MS, undefined, { ref: false })]);
    signal.throwIfAborted();
    return { code: isLate ? null : code, stdout: stdout(), stderr: stderr() };
  } finally {
    child.stdout?.destroy();
    child.stderr?.destroy();
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** Reads a text. Returns what has come so far: of a long one, the start and the end. */
function collect(stream: Readable | null): () => string {
  let start = '';
  let end = '';
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    const room = MAX_OUTPUT - start.length;
    start += chunk.slice(0, room);
    end += chunk.slice(room);
    if (end.length > 2 * MAX_OUTPUT) end = end.slice(-MAX_OUTPUT);
  });
  return () => (end.length > MAX_OUTPUT ? `${start}\n${end.slice(-MAX_OUTPUT)}` : start + end);
}

const describeSize = ({ requests: { left, of } }: Shrinker): string => `${left} of ${of} requests`;

const describeEffort = ({ tries }: Shrinker, seconds: number): string => `${tries} tries in ${seconds.toFixed(1)} s`;

function describeResult(shrinker: Shrinker, out: string, seconds: number): string {
  const { parts, records, steps, failure } = shrinker;
  const others = steps.length - MAX_LISTED;
  return [
    `Kept ${describeSize(shrinker)}, ${parts.left} of ${parts.of} parts of their bodies and ${records.left} of ${records.of} records, after ${describeEffort(shrinker, seconds)}:`,
    ...steps.slice(0, MAX_LISTED).map(({ id, label }) => `  ${id} ${label}`),
    ...(others > 0 ? [`  and ${others} more`] : []),
    `The command still fails: ${failure}.`,
    `Wrote ${quoteName(out)}. Open it: val-emulator start --session ${quoteName(out)}`,
  ].join('\n');
}
