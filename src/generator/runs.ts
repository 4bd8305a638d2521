import type { Input } from '../fixtures/schema.js';
import type { Rng } from '../lib/rng.js';
import type { JsonValue, RunSource } from '../model/schema.js';
import { type Ago, formatAgo, formatDuration, HOUR, MINUTE, SECOND } from './calendar.js';
import type { GeneratorContext } from './context.js';
import { drawTemplateError, planFailures } from './failures.js';
import type { Person } from './people.js';
import { type Schedule, scheduleRuns } from './schedule.js';
import { drawParams, interpolate, matchesConditions } from './text.js';
import type { ParamValue, RunShape } from './themes/template.js';
import { formatRef, type GeneratedVal, getTemplateValues, getVersionAt } from './val.js';

/** Number of runs that are sorted in memory at once. */
const BATCH_SIZE = 4096;

const PEAK_DURATION: Ago = 20 * HOUR;
const RECENT: Ago = 25 * MINUTE;

/** When a run started, and what started it. */
interface Start {
  readonly ago: Ago;
  readonly source: RunSource;
}

/**
 * Generates runs one by one, so that the number of runs does not affect memory.
 * @param viewer user whose vals are sure to have run and failed within the last half hour
 */
export function makeRuns(
  total: number,
  vals: readonly GeneratedVal[],
  viewer: Person | undefined,
  context: GeneratorContext,
): Iterable<Input<'runs'>> {
  const schedules = scheduleRuns(total, vals, viewer, context);
  const findFailure = planFailures(vals, context);
  return {
    *[Symbol.iterator]() {
      for (const schedule of schedules) yield* generateRuns(schedule);
    },
  };

  function* generateRuns(schedule: Schedule): Generator<Input<'runs'>> {
    const { val, ticks, others } = schedule;
    const rng = context.rng.fork('runs').fork(formatRef(val));
    const known = getTemplateValues(val, val.latest.params);
    let left = ticks + others;
    for (const { ago, source } of generateStarts(schedule, rng, context)) {
      left--;
      const version = getVersionAt(val, ago);
      const shapes = val.template.runs.filter(({ when = '' }) =>
        matchesConditions(when, { stage: version.stage, flags: new Set() }),
      );
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
    }
  }
}

/** Draws the duration and the data of a run that succeeds. */
function drawOutcome(
  { ms = '4..60', params, args, logs, returns, emails, emailsIfBelow }: RunShape,
  val: GeneratedVal,
  known: ReadonlyMap<string, ParamValue>,
  ago: Ago,
  context: GeneratorContext,
) {
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
function fillJson(json: JsonValue, values: ReadonlyMap<string, ParamValue>): JsonValue {
  if (typeof json === 'string') {
    const value = values.get(/^%([\w.]+)%$/.exec(json)?.[1] ?? '');
    return typeof value === 'number' ? value : interpolate(json, values);
  }
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map((item) => fillJson(item, values));
  return Object.fromEntries(Object.entries(json).map(([name, field]) => [name, fillJson(field, values)]));
}

/** Generates the starts of all runs of a val: first those of its interval, then the others; each oldest first. */
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
