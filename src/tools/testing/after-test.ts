import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describeRequest } from '#engine/journal/assertions.js';
import type { RequestRecord } from '#engine/journal/request-record.js';
import { ExpectationError, OptionsError, type Problem, reasonFor } from '#engine/lib/errors.js';
import { describeFirst } from '#engine/lib/matching.js';
import { didYouMean, formatValue, quoteForShell } from '#engine/lib/messages.js';
import { isRefused } from '#engine/lib/reasons.js';
import { formatCount, thereWere } from '#engine/lib/text.js';
import type { Sandbox } from '../../emulator.js';
import type { RemoteSandbox } from '../client/index.js';

/** The sandbox of a test: in this process, or of a running emulator. */
export type AnySandbox = Sandbox | RemoteSandbox;

/** What a helper does after each test. */
export interface HelperOptions {
  /**
   * What follows requests to routes that do not exist, once a test has passed: nothing (`'ignore'`), a warning that lists
   * them (`'warn'`), or a failure (`'error'`). @default 'ignore'
   */
  readonly onUnhandledRequest?: 'ignore' | 'warn' | 'error' | undefined;
  /**
   * Folder for the session of each failed test, at most 20 of a worker; false to write none.
   * @default 'test-results/val-emulator'
   */
  readonly failedSessions?: string | false | undefined;
}

/** What a test runner knows of a test. */
export interface RunningTest {
  /** Path of the file of the test. */
  readonly file?: string | undefined;
  /** Whether the test has failed, for a runner whose fixtures do not see its error. */
  readonly hasFailed?: () => boolean;
  /** Whether the test passes when its body fails. Default: false */
  readonly failsAsExpected?: boolean;
  /** Whether the test has failed since its time was over, for a runner whose fixtures end then. */
  readonly hasTimedOut?: () => boolean;
  /** Registers what follows the test, for a runner that does not wait for the body then. */
  readonly onEnd?: (run: () => Promise<void>) => void;
  /** Adds a file to the report of the test. */
  readonly attach?: (path: string) => Promise<void>;
}

const MODES = ['ignore', 'warn', 'error'];
const DEFAULT_FOLDER = 'test-results/val-emulator';
/** Sessions of failed tests that a worker writes. */
const MAX_SESSIONS = 20;

/** Returns what follows each test. @throws OptionsError for a wrong value */
export function makeAfterTest({ onUnhandledRequest = 'ignore', failedSessions = DEFAULT_FOLDER }: HelperOptions) {
  const problems: Problem[] = [];
  if (!MODES.includes(onUnhandledRequest)) {
    const hint = didYouMean(onUnhandledRequest, MODES);
    const message = `found ${formatValue(onUnhandledRequest)}; expected "ignore", "warn" or "error".${hint}`;
    problems.push({ path: 'onUnhandledRequest', message });
  }
  if (failedSessions !== false && (typeof failedSessions !== 'string' || failedSessions === '')) {
    const message = `found ${formatValue(failedSessions)}; expected the path of a folder, or false.`;
    problems.push({ path: 'failedSessions', message });
  }
  if (problems.length > 0) throw new OptionsError(problems);
  let written = 0;
  return {
    /** Warns of requests to routes that do not exist. @throws ExpectationError if they are errors */
    async checkUnhandled(sandbox: AnySandbox): Promise<void> {
      if (onUnhandledRequest === 'ignore') return;
      const unhandled = await sandbox.unhandled();
      if (unhandled.length === 0) return;
      const message = describeUnhandled(unhandled);
      if (onUnhandledRequest === 'error') throw new ExpectationError(message);
      console.warn(`val-emulator: ${message}`);
    },

    /**
     * Writes the session of a failed test, and prints the line that opens it with the refused requests. For a test that has
     * timed out it prints the last requests, since it has no other reason. A problem is printed as well.
     */
    async reportFailure(sandbox: AnySandbox, test: RunningTest, hasTimedOut = test.hasTimedOut?.()): Promise<void> {
      const lines: string[] = [];
      try {
        const requests = await sandbox.requests();
        if (hasTimedOut) lines.push(...describeLast(requests));
        const isSaved = failedSessions !== false && ++written <= MAX_SESSIONS;
        if (isSaved) lines.push(await saveSession(failedSessions, sandbox, test));
        if (isSaved && !hasTimedOut) lines.push(...describeRefused(requests));
        if (written === MAX_SESSIONS + 1)
          lines.push(`${MAX_SESSIONS} sessions of failed tests are written; no more follow.`);
      } catch (error) {
        lines.push(`cannot write the session of a failed test: ${reasonFor(error)}`);
      }
      if (lines.length > 0) process.stderr.write(`val-emulator: ${lines.join('\n')}\n`);
    },
  };
}

/** Writes the session of a sandbox into a folder. Returns the line that opens it. */
async function saveSession(root: string, sandbox: AnySandbox, { file = '', attach }: RunningTest): Promise<string> {
  const folder = join(root, relative('', file).replaceAll(/[^\w.-]+/g, '-'));
  const path = join(folder, `${sandbox.name}.ndjson`);
  await mkdir(folder, { recursive: true });
  await writeFile(path, await sandbox.session());
  await attach?.(path);
  return `a test failed. Open its session: npx val-emulator start --session ${quoteForShell(path)}`;
}

/** Last requests of a test that has timed out. */
const SHOWN_LAST = 5;

function describeLast(requests: readonly RequestRecord[]): string[] {
  const head = `a test timed out. Its program sent ${formatCount(requests.length, 'request')}`;
  const last = requests.slice(-SHOWN_LAST).map((request) => describeRequest(request) + describePending(request));
  return [last.length === 0 ? `${head}.` : `${head}, at last:`, ...last];
}

function describePending({ outcome, delay }: RequestRecord): string {
  if (outcome !== null) return '';
  return ` (the response has not ended${delay > 0 ? `: a fault delays it by ${delay} ms` : ''})`;
}

/** Refused requests that follow the line of a failed test. */
const SHOWN_REFUSED = 5;

function describeRefused(requests: readonly RequestRecord[]): string[] {
  const refused = requests.filter(isRefused);
  return refused.length === 0 ? [] : ['Refused requests:', ...describeFirst(refused, SHOWN_REFUSED, describeRequest)];
}

/** Lists requests to routes that do not exist, with suggestions. */
export function describeUnhandled(requests: readonly RequestRecord[]): string {
  const lines = requests.map(describeRequest);
  const head = `expected no requests to routes that do not exist, but ${thereWere(lines.length)}:`;
  return [head, ...lines].join('\n');
}
