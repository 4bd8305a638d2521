import type { Input } from '../fixtures/schema.js';
import type { Rng } from '../lib/rng.js';
import { type Ago, formatAgo, formatDuration } from './calendar.js';
import { type FailureWindow, planFailures } from './failures.js';
import { compileOutcomes, type RunOutcome } from './outcomes.js';
import type { Person } from './people.js';
import { scheduleRuns } from './run-schedule.js';
import { generateRunStarts, type RunStart } from './run-starts.js';
import { interpolate } from './text.js';
import {
  formatRef,
  type GeneratedVal,
  type GeneratedVersion,
  type GeneratorContext,
  getTemplateValues,
  getVersionAt,
} from './val.js';

/** Probability that a run has one of the errors of its template. */
const ERROR_RATE = 0.012;
const TIMEOUT_RATE = 0.0012;
const TIMEOUT = { error: 'Evaluation timed out after 10 s', ms: 10_000 };

interface Failure {
  readonly error: string | { message: string; val: string };
  /** The duration of the run, if the failure decides it. */
  readonly ms?: number;
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
  const listFailures = planFailures(vals, context);
  return {
    *[Symbol.iterator]() {
      for (const schedule of schedules) {
        const { val, ticks, others } = schedule;
        const rng = context.rng.fork('runs').fork(formatRef(val));
        const drawOutcome = compileOutcomes(val, context.sources);
        const windows = listFailures(val);
        let left = ticks + others;
        for (const start of generateRunStarts(schedule, { ...context, rng })) {
          left--;
          const { ago, source } = start;
          const version = getVersionAt(val, ago);
          const outcome = drawOutcome(version.variant.stage, rng, ago);
          const isLastTick = source === 'interval' && left === others;
          const isRunning = ago <= outcome.ms || (schedule.running && isLastTick);
          const mustFail = schedule.failing && left === 0;
          const failure = mustFail ? drawTemplateError(val, rng) : findFailure(val, ago, windows, rng);
          yield toFixture(val, version, start, outcome, isRunning ? 'running' : (failure ?? 'done'));
        }
      }
    },
  };
}

function findFailure(val: GeneratedVal, ago: Ago, windows: readonly FailureWindow[], rng: Rng): Failure | undefined {
  for (const { from, to, error, source = val, rate, namesVal } of windows) {
    if (ago > from || ago <= to || !rng.bool(rate)) continue;
    return { error: namesVal ? nameVal(error, source) : error, ...(error.endsWith('timed out') && { ms: TIMEOUT.ms }) };
  }
  if (val.template.errors && rng.bool(ERROR_RATE)) return drawTemplateError(val, rng);
  return rng.bool(TIMEOUT_RATE) ? TIMEOUT : undefined;
}

function drawTemplateError(val: GeneratedVal, rng: Rng): Failure {
  const { errors } = val.template;
  if (!errors) return TIMEOUT;
  const error = interpolate(rng.pick(errors), getTemplateValues(val, val.latest.variant.params));
  return { error: rng.bool() ? nameVal(error, val) : error };
}

/** An error that names the val that threw it. */
const nameVal = (error: string, { author, name }: GeneratedVal) => ({
  message: error.replace(/^[A-Z][A-Za-z]*Error: /, ''),
  val: `${author.username}.${name}`,
});

function toFixture(
  val: GeneratedVal,
  version: GeneratedVersion,
  { ago, source }: RunStart,
  { ms, args, ...result }: RunOutcome,
  state: 'running' | 'done' | Failure,
): Input<'runs'> {
  const failure = typeof state === 'object' ? state : undefined;
  const runMs = failure ? (failure.ms ?? Math.max(1, Math.round(ms * 0.6))) : ms;
  return {
    val: formatRef(val),
    source,
    ...(version !== val.latest && { version: version.number }),
    runStartAt: formatAgo(ago),
    ...(state === 'running' ? { runEndAt: null } : { duration: formatDuration(Math.min(runMs, ago)) }),
    ...(failure && { error: failure.error }),
    ...(args && { args }),
    ...(state === 'done' && result),
  };
}
