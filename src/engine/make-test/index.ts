import { exportFixtures } from '../fixtures/export-options.js';
import { runInSlices } from '../http/slices.js';
import { getExchange } from '../journal/assertions.js';
import { type Exchange, exchangeId } from '../journal/exchange.js';
import type { Journal } from '../journal/journal.js';
import { ApiError, FixtureError, NotFoundError } from '../lib/errors.js';
import type { Pause, Steps } from '../lib/steps.js';
import { type Instant, toTimestamp } from '../lib/time.js';
import type { StoredSandbox } from '../persistence/storage.js';
import { MAX_TEST_REQUESTS, type NewTest, type WrittenTest } from '../sandbox/make-test.js';
import type { TestRunner } from '../sandbox/test-runners.js';
import type { Service } from '../service.js';
import { parseSession } from '../session/open-session.js';
import { formatSession, type SessionSource } from '../session/session.js';
import { badRequest } from '../state/errors.js';
import type { State } from '../state/state.js';
import { JEST, NODE_TEST, VITEST, writeJavaScript } from './javascript.js';
import { writePytest } from './pytest.js';
import { reduceFixtures } from './reduce.js';
import { replay, type StartEmulator } from './replay.js';
import type { Script } from './step.js';

/** Longer fixtures are in a file next to the test. */
const MAX_FIXTURES = 12_000;
const FIXTURE_FILE = 'requests.fixture.json';
/** Routes that a title names. */
const MAX_TITLES = 3;

interface Target {
  readonly file: string;
  write(script: Script): string;
}

const TARGETS: Readonly<Record<TestRunner, Target>> = {
  vitest: { file: 'requests.test.ts', write: (script) => writeJavaScript(script, VITEST) },
  jest: { file: 'requests.test.js', write: (script) => writeJavaScript(script, JEST) },
  node: { file: 'requests.test.mjs', write: (script) => writeJavaScript(script, NODE_TEST) },
  pytest: { file: 'test_requests.py', write: writePytest },
};

/** What a test is made from. */
export interface TestSource extends SessionSource {
  readonly journal: Journal;
}

/**
 * Writes a test of recorded requests: with the data that they found, and what they got. Secrets are withheld as in a session.
 * @param now the time of the sandbox
 * @param start starts another emulator, to which the requests are sent again: what differs there would differ in the test, too
 * @throws ApiError 400 for more than 100 requests, and for a runner that has no helper for the service
 * @throws NotFoundError for an unknown request, and for requests before the oldest state of the history
 */
export async function makeTest(
  source: TestSource,
  now: Instant,
  { requests, runner, inline }: NewTest,
  { service, start }: { readonly service: Service; readonly start: StartEmulator },
): Promise<WrittenTest> {
  if (service.name !== 'vals' && runner !== 'pytest') {
    const problem = `found "${runner}"; expected "pytest", since the helpers of other runners start the vals service.`;
    throw badRequest(`runner: ${problem}`);
  }
  const ids = selectIds(source.journal, requests);
  const session = await runInSlices(collect(formatSession(source, now)));
  const stored = await runInSlices(parseSession(session, service.definitions, ''));
  const exchanges = (stored.exchanges ?? []).filter((exchange) => ids.has(exchangeId(exchange)));
  const [first] = exchanges;
  if (first === undefined) throw new NotFoundError('The journal has no requests.');
  const { state, others } = findStart(stored, exchanges, first);
  const time = toTimestamp(first.at);
  const options = await findOptions(state, start);
  const run = (fixtures: object) => replay(exchanges, fixtures, { start, options: { ...options, now: time } });
  const whole = exportFixtures<Readonly<Record<string, readonly object[]>>>(state, first.at, { brief: true });
  const result = await run(whole).catch((error: unknown) => {
    // A user may have the name of another one's id, whose tokens without secrets are the same.
    if (!(error instanceof FixtureError)) throw error;
    throw new ApiError(409, `The records cannot be loaded without their secrets. ${error.message}`);
  });
  const fixtures = await reduceFixtures(whole, async (fewer) => {
    const other = await run(fewer).catch(() => undefined);
    return other !== undefined && JSON.stringify(other) === JSON.stringify(result);
  });
  const json = JSON.stringify(fixtures, undefined, 2);
  const isFile = !inline && json.length > MAX_FIXTURES;
  const { file, write } = TARGETS[runner];
  const code = write({
    ...{ title: makeTitle(exchanges), now: time, options, fixtures, steps: result.steps },
    fixtureFile: isFile ? FIXTURE_FILE : undefined,
  });
  const isOther = result.notes.length > 0 && others.length > 0;
  return {
    ...{ file, code },
    fixtures: isFile ? { file: FIXTURE_FILE, text: `${json}\n` } : null,
    notes: [
      ...result.notes,
      ...(isOther ? [`The test does not have other changes between its requests: ${others.join(', ')}.`] : []),
    ],
  };
}

/** @throws NotFoundError for an unknown request, and without any; OptionsError for too many */
function selectIds(journal: Journal, requests: readonly string[] | undefined): ReadonlySet<string> {
  const exchanges = requests?.map((id) => getExchange(journal, id)) ?? journal.read().exchanges;
  const ids = new Set(exchanges.map(exchangeId));
  if (ids.size > MAX_TEST_REQUESTS) {
    throw badRequest(`requests: the journal has ${ids.size}; expected the ids of at most ${MAX_TEST_REQUESTS}.`);
  }
  return ids;
}

function* collect(steps: Generator<Pause | string | undefined, void>): Steps<string> {
  const parts: string[] = [];
  for (const step of steps) {
    if (typeof step === 'string') parts.push(step);
    yield typeof step === 'string' ? undefined : step;
  }
  return parts.join('');
}

interface Start {
  readonly state: State;
  /** Commits after it that none of the requests has made, up to the last request. */
  readonly others: readonly string[];
}

/**
 * Finds the state that the first request found.
 * @throws NotFoundError if the history begins later
 */
function findStart({ contents }: StoredSandbox, exchanges: readonly Exchange[], first: Exchange): Start {
  const { state } = contents;
  const history = contents.history.list();
  const numberOf = (id: string) => (/^r\d+$/.test(id) ? Number(id.slice(1)) : undefined);
  /** Counts the commits before a request. */
  const countBefore = ({ number, at, commit }: Exchange): number => {
    const named = history.findIndex(({ id }) => id === commit);
    if (named >= 0) return commit === `r${number}` ? named : named + 1;
    // A write that was refused names no commit.
    const end = history.findIndex(({ id }) => (numberOf(id) ?? 0) > number);
    const earlier = end < 0 ? history : history.slice(0, end);
    return earlier.findLastIndex((each) => (numberOf(each.id) ?? number) < number || each.at <= at) + 1;
  };
  const count = countBefore(first);
  const isLost =
    first.commit === null
      ? count === 0 && contents.commits > history.length
      : !history.some(({ id }) => id === first.commit);
  if (isLost) {
    const problem = `The history no longer has the state before ${exchangeId(first)}`;
    throw new NotFoundError(`${problem}: it has the last ${history.length} commits. Choose later requests.`);
  }
  const last = exchanges.at(-1) ?? first;
  const ids = new Set(exchanges.map(exchangeId));
  const others = history.slice(count, Math.max(count, countBefore(last))).filter(({ id }) => !ids.has(id));
  return { state: history[count]?.before ?? state, others: others.map(({ id }) => id) };
}

/** Finds the options of an emulator that explain the settings of a state. Ids differ each time, and a rate limit is a fault. */
async function findOptions({ settings }: State, start: StartEmulator): Promise<Record<string, unknown>> {
  const emulator = await start({});
  await emulator.close();
  const defaults = new Map(Object.entries(emulator.store.state.settings));
  const { idSeed: _, rateLimit: __, ...others } = settings;
  return Object.fromEntries(
    Object.entries(others).filter(([name, value]) => value !== undefined && value !== defaults.get(name)),
  );
}

function makeTitle(exchanges: readonly Exchange[]): string {
  const titles = [...new Set(exchanges.map(({ route, method, target }) => route ?? `${method} ${target}`))];
  const others = titles.length - MAX_TITLES;
  return titles.slice(0, MAX_TITLES).join(', ') + (others > 0 ? ` and ${others} more` : '');
}
