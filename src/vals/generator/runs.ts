import type { JsonValue } from '#engine/definition/parts.js';
import type { Rng } from '#engine/lib/rng.js';
import { formatDuration } from '#engine/lib/time.js';
import type { Input, RunSource } from '#vals/service/service.collection.js';
import { type Ago, DAY, formatAgo, HOUR, MINUTE, SECOND } from './calendar.js';
import type { GeneratorContext } from './context.js';
import type { Person } from './people.js';
import { type Schedule, scheduleRuns } from './schedule.js';
import { drawParams, interpolate, matchesConditions, type Values } from './text.js';
import type { RunShape } from './themes.js';
import { formatRef, type GeneratedVal, getTemplateValues, getVersionAt, importsVal } from './val.js';

/** Number of runs that are sorted in memory at once. */
const BATCH_SIZE = 4096;

const PEAK_DURATION: Ago = 20 * HOUR;
const RECENT: Ago = 25 * MINUTE;

/** Probability that a run has one of the errors of its template. */
const ERROR_RATE = 0.012;
const TIMEOUT_RATE = 0.0012;
const TIMEOUT = { error: 'Evaluation timed out after 10 s', ms: 10_000 };

type Start = { readonly ago: Ago; readonly source: RunSource };

/**
 * Generates runs one by one, so that the number of runs does not affect memory.
 * @param viewer user whose vals are sure to have run and failed within the last half hour
 */
export function makeRuns(
  vals: readonly GeneratedVal[],
  viewer: Person | undefined,
  context: GeneratorContext,
  onRuns?: (count: number) => void,
): Iterable<Input<'runs'>> {
  const schedules = scheduleRuns(vals, viewer, context);
  const findFailure = planFailures(vals, context);
  return {
    *[Symbol.iterator]() {
      let count = 0;
      for (const schedule of schedules) {
        const { val, ticks, others } = schedule;
        const rng = context.rng.fork('runs').fork(formatRef(val));
        const known = getTemplateValues(val, val.latest.params);
        let left = ticks + others;
        for (const { ago, source } of generateStarts(schedule, rng, context)) {
          left--;
          const version = getVersionAt(val, ago);
          const conditions = { stage: version.stage, flags: new Set<string>() };
          const shapes = val.template.runs.filter(({ when = '' }) => matchesConditions(when, conditions));
          const { ms, args, ...results } = drawOutcome(rng.pick(shapes), val, known, ago, { ...context, rng });
          const isRunning = ago <= ms || (schedule.isRunning && source === 'interval' && left === others);
          const failure = schedule.isFailing && left === 0 ? drawTemplateError(val, rng) : findFailure(val, ago, rng);
          const runMs = failure ? (failure.ms ?? Math.max(1, Math.round(ms * 0.6))) : ms;
          yield {
            val: formatRef(val),
            source,
            ...(version !== val.latest && { version: version.number }),
            runStartAt: formatAgo(ago),
            ...(isRunning ? { runEndAt: null } : { duration: formatDuration(Math.min(runMs, ago)) }),
            ...(failure && !isRunning && { error: failure.error }),
            ...(args && { args }),
            ...(!failure && !isRunning && results),
          };
          if (++count % 1_000 === 0) onRuns?.(count);
        }
      }
    },
  };
}

function drawOutcome(shape: RunShape, val: GeneratedVal, known: Values, ago: Ago, context: GeneratorContext) {
  const { ms = '4..60', params, args, logs, returns, emails, emailsIfBelow } = shape;
  const values = new Map(known);
  drawParams({ ms, ...params }, values, context, ago, String(known.get('place') ?? formatRef(val)));
  const [value, limit] = (emailsIfBelow ?? []).map((name) => Number(values.get(name)));
  const sendsEmails = value === undefined || limit === undefined || value < limit;
  const fill = (json: JsonValue) => fillJson(json, values);
  return {
    ms: Number(values.get('ms')),
    ...(args && { args: args.map(fill) }),
    ...(logs && { logs: logs.map(fill) }),
    ...(returns !== undefined && { returnValue: fill(returns) }),
    ...(emails && sendsEmails && { emails: emails.map(fill) }),
  };
}

/** Replaces names by values. A text that consists of one `%name%` becomes that value, so that numbers remain numbers. */
function fillJson(json: JsonValue, values: Values): JsonValue {
  if (typeof json === 'string') {
    const value = values.get(/^%([\w.]+)%$/.exec(json)?.[1] ?? '');
    return typeof value === 'number' ? value : interpolate(json, values);
  }
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map((item) => fillJson(item, values));
  return Object.fromEntries(Object.entries(json).map(([name, field]) => [name, fillJson(field, values)]));
}

/** Generates the starts of all runs of a val: first of its interval, then the others; each oldest first. */
function* generateStarts(schedule: Schedule, rng: Rng, { timeAt, runsSince }: GeneratorContext): Generator<Start> {
  const { val, ticks, period, phase, others, isRecent } = schedule;
  for (let tick = ticks - 1; tick >= 0; tick--) {
    // Schedulers are slightly late.
    yield { ago: phase + tick * period + (tick === 0 ? 0 : rng.int(-900, 0)), source: 'interval' };
  }
  const since = Math.min(val.created, runsSince) - SECOND;
  const trials = others < 3 ? [] : listTrials(val, since, rng).slice(0, Math.ceil(others / 3));
  const hasPeak = schedule.peak > 0 && rng.bool();
  const peak = hasPeak ? timeAt(rng.next(), Math.min(PEAK_DURATION, since), since) : 0;
  const total = others - trials.length;
  for (let done = 0; done < total; done += BATCH_SIZE) {
    const count = Math.min(BATCH_SIZE, total - done);
    const batch: Start[] = [];
    // Runs come in sessions: visitors reload pages, authors run scripts until they work.
    while (batch.length < count) {
      const source = chooseSource(val, rng);
      const wanted = source === 'email' ? 1 : source === 'ui' ? rng.int(2, 7) : Math.max(1, rng.int(-2, 4));
      const length = Math.min(wanted, count - batch.length);
      const start =
        hasPeak && rng.bool(schedule.peak)
          ? timeAt(rng.next(), Math.max(0, peak - PEAK_DURATION), peak)
          : // Each session has its own part of the period, or small datasets would have days twice as busy as others.
            timeAt(1 - (done + batch.length + rng.next() * length) / total, 0, since);
      for (let run = 0, ago = Math.max(1, start); run < length && ago > 0; run++) {
        batch.push({ ago: Math.min(ago, since), source });
        ago -= source === 'ui' ? rng.int(6 * SECOND, 4 * MINUTE) : rng.int(700, 40 * SECOND);
      }
    }
    if (done === 0) batch.push(...trials);
    batch.sort((a, b) => b.ago - a.ago);
    const last = batch.at(-1);
    if (isRecent && done + count === total && last && last.ago > RECENT) {
      batch[batch.length - 1] = { ...last, ago: rng.int(20 * SECOND, RECENT) };
    }
    yield* batch;
  }
}

/** Runs by which the author tries out a new version. */
function listTrials({ versions, type }: GeneratedVal, since: Ago, rng: Rng): Start[] {
  if (type === 'email') return [];
  return versions.flatMap(({ created }, index) => {
    const end = versions[index + 1]?.created ?? 0;
    if (created > since) return [];
    const agos = [created - rng.int(5 * SECOND, 50 * SECOND), created - rng.int(MINUTE, 4 * MINUTE)];
    return agos.filter((ago) => ago > end && rng.bool(0.8)).map((ago): Start => ({ ago, source: 'ui' }));
  });
}

function chooseSource({ type, template }: GeneratedVal, rng: Rng): RunSource {
  if (type === 'email') return 'email';
  if (type === 'interval') return 'ui';
  const trials = type === 'script' ? (template.provides ? 0.5 : 0.85) : type === 'rpc' ? 0.25 : 0.06;
  return rng.bool(trials) ? 'ui' : 'api';
}

/** The error of a run, and its duration if the failure decides it. */
type Failure = Pick<Input<'runs'>, 'error'> & { readonly ms?: number };

interface FailureWindow {
  readonly from: Ago;
  readonly to: Ago;
  readonly error: string;
  /** The val that throws: the val itself or an import; undefined for an outage of a service. */
  readonly source?: GeneratedVal;
  /** Probability that a run fails. */
  readonly rate: number;
  /** Whether the error names the val that throws; otherwise it is a plain text. */
  readonly namesVal: boolean;
}

/**
 * Plans when runs fail: due to a bug, due to a bug of an import, during an outage of a service, or at random. Returns a
 * function that gives the failure of a run, if any.
 * @param vals imported vals before their importers
 */
function planFailures(vals: readonly GeneratedVal[], context: GeneratorContext) {
  const rng = context.rng.fork('failures');
  const bugs = new Map<GeneratedVal, readonly FailureWindow[]>();
  for (const val of vals) bugs.set(val, listBugs(val, bugs, rng));
  const hosts = new Set(vals.flatMap(({ template }) => template.upstream ?? []));
  const outages = new Map([...hosts].map((host) => [host, planOutages(host, context, rng)]));
  return (val: GeneratedVal, ago: Ago, rng: Rng): Failure | undefined => {
    const windows = [...(bugs.get(val) ?? []), ...(outages.get(val.template.upstream ?? '') ?? [])];
    const window = windows.find(({ from, to, rate }) => ago <= from && ago > to && rng.bool(rate));
    if (window) {
      const error = window.namesVal ? nameVal(window.error, window.source ?? val) : window.error;
      return { error, ...(window.error.endsWith('timed out') && { ms: TIMEOUT.ms }) };
    }
    if (val.template.errors && rng.bool(ERROR_RATE)) return drawTemplateError(val, rng);
    return rng.bool(TIMEOUT_RATE) ? TIMEOUT : undefined;
  };
}

/** Lists the bugs in each version of the val and in its imports at the time. */
function listBugs(val: GeneratedVal, bugs: ReadonlyMap<GeneratedVal, readonly FailureWindow[]>, rng: Rng) {
  return val.versions.flatMap(({ created: from, code, hasBug, params }, index) => {
    const to = val.versions[index + 1]?.created ?? 0;
    const windows: FailureWindow[] = [];
    if (hasBug && val.template.bug) {
      const error = interpolate(val.template.bug.error, getTemplateValues(val, params));
      const own = rng.fork(`${formatRef(val)}?v=${index}`);
      windows.push({ from, to, error, source: val, rate: own.bool(0.7) ? 1 : 0.8, namesVal: own.bool(0.65) });
    }
    for (const imported of val.imports.values()) {
      if (!importsVal(code, imported)) continue;
      for (const window of bugs.get(imported) ?? []) {
        const overlap = { from: Math.min(from, window.from), to: Math.max(to, window.to) };
        if (overlap.from > overlap.to) windows.push({ ...window, ...overlap, rate: 0.95, namesVal: true });
      }
    }
    return windows;
  });
}

function planOutages(host: string, { runsSince, data }: GeneratorContext, rng: Rng): FailureWindow[] {
  const own = rng.fork(`outages of ${host}`);
  const errors = data.phrases.outages.map((error) => interpolate(error, new Map([['host', host]])));
  return Array.from({ length: own.int(1, 1 + Math.ceil(runsSince / (20 * DAY))) }, () => {
    const from = own.int(HOUR, runsSince);
    const to = Math.max(0, from - own.int(12 * MINUTE, 3 * HOUR));
    return { from, to, error: own.pick(errors), rate: 0.9, namesVal: own.bool() };
  });
}

function drawTemplateError(val: GeneratedVal, rng: Rng): Failure {
  if (!val.template.errors) return TIMEOUT;
  const error = interpolate(rng.pick(val.template.errors), getTemplateValues(val, val.latest.params));
  return { error: rng.bool() ? nameVal(error, val) : error };
}

const nameVal = (error: string, { author, name }: GeneratedVal) => ({
  message: error.replace(/^[A-Z][A-Za-z]*Error: /, ''),
  val: `${author.username}.${name}`,
});
