import type { Rng } from '#engine/lib/rng.js';
import { parseDuration } from '#engine/lib/time.js';
import { type Ago, DAY, HOUR, MINUTE } from './calendar.js';
import type { GeneratorContext } from './context.js';
import type { Person } from './people.js';
import { formatRef, type GeneratedVal } from './val.js';

export interface Schedule {
  readonly val: GeneratedVal;
  /** Number of runs that the interval starts: one per `period`, the last of them `phase` before now. */
  readonly ticks: number;
  readonly period: number;
  readonly phase: Ago;
  /** Number of other runs: page visits, emails, calls, trials by the author. */
  readonly others: number;
  /** The fraction of those that fall on the day on which the val was shared. */
  readonly peak: number;
  /** Whether the last of them started within the last half hour. */
  readonly isRecent: boolean;
  /** Whether the last of them failed. */
  readonly isFailing: boolean;
  /** Whether the last tick is still running. */
  readonly isRunning: boolean;
}

/** Minimum numbers of vals, and of vals of the viewer, with a recent run. */
const RECENT = { all: 4, own: 2 };
const RUNNING_SINCE: Ago = 1_200;

/** Minimum periods of intervals. The first that leaves room for other runs applies, else the last. */
const MIN_PERIODS = [15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 7 * DAY];
/** Maximum fraction of runs that intervals start, if there are other vals. */
const TICKS_FRACTION = 0.4;

/** Minimum runs of a val with a peak; maximum size of a peak, as a fraction of the val's runs and of a day's runs. */
const PEAK = { minRuns: 80, ofVal: 0.25, ofDay: 0.1 };
/** The age at which a page is known to half of its future users. */
const HALF_KNOWN: Ago = 14 * DAY;

/** Distributes all runs over the vals. The vals of the viewer are sure to have run and failed recently. */
export function scheduleRuns(vals: readonly GeneratedVal[], viewer: Person | undefined, context: GeneratorContext) {
  const { runsSince } = context;
  const total = context.size.runs;
  const rng = context.rng.fork('schedule');
  const onlyIntervals = vals.every(({ type }) => type === 'interval');
  const intervals = planIntervals(vals, onlyIntervals ? total : Math.floor(total * TICKS_FRACTION), runsSince, rng);
  const weights = vals.map((val) => estimateUse(val, runsSince, onlyIntervals, rng));
  const ticks = intervals.reduce((sum, interval) => sum + interval.ticks, 0);
  const others = distribute(total - ticks, weights);
  const busiest = [...others.keys()].sort((a, b) => (others[b] ?? 0) - (others[a] ?? 0));
  const own = busiest.filter((index) => vals[index]?.author === viewer && (others[index] ?? 0) > 2);
  const failing = own.find((index) => vals[index]?.template.errors !== undefined) ?? own[0];
  const recent = new Set([...busiest.slice(0, RECENT.all), ...own.slice(0, RECENT.own), failing]);
  const running = intervals.findLastIndex((interval) => interval.ticks > 0);
  const maxPeak = (PEAK.ofDay * total * DAY) / runsSince;
  return intervals.map((interval, index): Schedule => {
    const runs = others[index] ?? 0;
    return {
      ...interval,
      phase: index === running ? RUNNING_SINCE : interval.phase,
      others: runs,
      peak: runs > PEAK.minRuns ? Math.min(PEAK.ofVal, maxPeak / runs) : 0,
      isRecent: recent.has(index),
      isFailing: index === failing,
      isRunning: index === running,
    };
  });
}

type Interval = Pick<Schedule, 'val' | 'ticks' | 'period' | 'phase'>;

/** Plans at most `limit` ticks. All intervals run at one pace since they exist, or the last day would be the busiest. */
function planIntervals(vals: readonly GeneratedVal[], limit: number, runsSince: Ago, rng: Rng): Interval[] {
  const plans = MIN_PERIODS.map((minPeriod) => vals.map((val) => planInterval(val, minPeriod, runsSince, rng)));
  // A new interval counts as if it ran since `runsSince`, so that its runs do not dominate the last days.
  const fits = (intervals: readonly Interval[]) =>
    intervals.reduce((sum, { ticks, period }) => sum + (ticks > 0 ? runsSince / period : 0), 0) <= limit;
  let left = limit;
  return (plans.find(fits) ?? plans.at(-1) ?? []).map((interval) => {
    // With too many intervals for so few runs, some are switched off.
    if (interval.ticks > left) return { ...interval, ticks: 0 };
    left -= interval.ticks;
    return interval;
  });
}

function planInterval(val: GeneratedVal, minPeriod: number, runsSince: Ago, rng: Rng): Interval {
  if (val.type !== 'interval') return { val, ticks: 0, period: HOUR, phase: 0 };
  const own = rng.fork(formatRef(val));
  const period = Math.max(minPeriod, parseDuration(own.pick(val.template.every ?? ['1h'])) ?? HOUR);
  const phase = own.int(0, period - 1);
  const ticks = Math.floor((Math.min(val.created, runsSince) - phase - MINUTE) / period) + 1;
  return { val, ticks: Math.max(0, ticks), period, phase };
}

/** Estimates how much a val is used, relative to others. */
function estimateUse(val: GeneratedVal, runsSince: Ago, onlyIntervals: boolean, rng: Rng): number {
  const days = Math.min(val.created, runsSince) / DAY;
  // Trials by the author.
  if (val.type === 'interval') return onlyIntervals ? 1 : Math.min(days, 3) * 0.1;
  if (val.type === 'email') return days * rng.longTail(2, 10);
  if (val.type === 'script') return Math.min(days, 12) * rng.longTail(1.2, 20);
  // A private page is used, too; a public one becomes known over weeks.
  return days * (0.4 + (2 * val.popularity * val.created) / (val.created + HALF_KNOWN)) * rng.longTail(0.5, 20);
}

/** Splits a number into whole parts in proportion to the weights. */
function distribute(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  let passed = 0;
  const ends = weights.map((weight, index) => {
    passed += weight;
    return index === weights.length - 1 || sum === 0 ? total : Math.floor((total * passed) / sum);
  });
  return ends.map((end, index) => end - (ends[index - 1] ?? 0));
}
