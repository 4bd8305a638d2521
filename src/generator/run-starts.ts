import type { Rng } from '../lib/rng.js';
import type { RunSource } from '../model/schema.js';
import { type Ago, HOUR, MINUTE, SECOND } from './calendar.js';
import type { RunSchedule } from './run-schedule.js';
import type { GeneratedVal, GeneratorContext } from './val.js';

/** When a run started, and what started it. */
export interface RunStart {
  readonly ago: Ago;
  readonly source: RunSource;
}

/** Number of runs that are sorted in memory at once. */
const BATCH_SIZE = 4096;

const PEAK_DURATION: Ago = 20 * HOUR;
const RECENT: Ago = 25 * MINUTE;

/** Generates the starts of all runs of a val: first those of its interval, then the others; each oldest first. */
export function* generateRunStarts(schedule: RunSchedule, context: GeneratorContext): Generator<RunStart> {
  const { rng, calendar, runsSince } = context;
  const { val, ticks, period, phase, others, recent } = schedule;
  for (let tick = ticks - 1; tick >= 0; tick--) {
    // Schedulers are slightly late.
    yield { ago: phase + tick * period + (tick === 0 ? 0 : rng.int(-900, 0)), source: 'interval' };
  }
  const since = Math.min(val.created, runsSince) - SECOND;
  const trials = others < 3 ? [] : listTrials(val, since, rng).slice(0, Math.ceil(others / 3));
  const hasPeak = schedule.peak > 0 && rng.bool();
  const peak = hasPeak ? calendar.between(rng, Math.min(PEAK_DURATION, since), since) : 0;
  const rest = others - trials.length;
  for (let done = 0; done < rest; done += BATCH_SIZE) {
    const startSession = (from: number, length: number): Ago =>
      hasPeak && rng.bool(schedule.peak)
        ? calendar.between(rng, Math.max(0, peak - PEAK_DURATION), peak)
        : // Each session has its own part of the period, or small datasets would have days twice as busy as others.
          calendar.at(1 - (done + from + rng.next() * length) / rest, 0, since);
    const batch = makeSessions(val, Math.min(BATCH_SIZE, rest - done), since, startSession, rng);
    if (done === 0) batch.push(...trials);
    batch.sort((a, b) => b.ago - a.ago);
    const last = batch.at(-1);
    if (recent && done + BATCH_SIZE >= rest && last && last.ago > RECENT) {
      batch[batch.length - 1] = { ...last, ago: rng.int(20 * SECOND, RECENT) };
    }
    yield* batch;
  }
}

/** Runs by which the author tries out a new version. */
function listTrials({ versions, type }: GeneratedVal, since: Ago, rng: Rng): RunStart[] {
  if (type === 'email') return [];
  return versions.flatMap(({ created }, index) => {
    const end = versions[index + 1]?.created ?? 0;
    if (created > since) return [];
    const agos = [created - rng.int(5 * SECOND, 50 * SECOND), created - rng.int(MINUTE, 4 * MINUTE)];
    return agos.filter((ago) => ago > end && rng.bool(0.8)).map((ago): RunStart => ({ ago, source: 'ui' }));
  });
}

/**
 * Creates runs in sessions: visitors reload pages, authors run scripts until they work.
 * @param startSession gives the start of a session of `length` runs; `from` is the index of the first
 */
function makeSessions(
  val: GeneratedVal,
  count: number,
  since: Ago,
  startSession: (from: number, length: number) => Ago,
  rng: Rng,
): RunStart[] {
  const starts: RunStart[] = [];
  while (starts.length < count) {
    const source = chooseSource(val, rng);
    const wanted = source === 'email' ? 1 : source === 'ui' ? rng.int(2, 7) : Math.max(1, rng.int(-2, 4));
    const length = Math.min(wanted, count - starts.length);
    let ago = Math.max(1, startSession(starts.length, length));
    for (let run = 0; run < length && ago > 0; run++) {
      starts.push({ ago: Math.min(ago, since), source });
      ago -= source === 'ui' ? rng.int(6 * SECOND, 4 * MINUTE) : rng.int(700, 40 * SECOND);
    }
  }
  return starts;
}

function chooseSource({ type, template }: GeneratedVal, rng: Rng): RunSource {
  if (type === 'email') return 'email';
  if (type === 'interval') return 'ui';
  const trials = type === 'script' ? (template.provides ? 0.5 : 0.85) : type === 'rpc' ? 0.25 : 0.06;
  return rng.bool(trials) ? 'ui' : 'api';
}
