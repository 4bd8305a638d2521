import { type Rng, upperBound } from '../lib/rng.js';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Milliseconds before load time. A dataset has no other times, so that its bytes do not depend on the day. */
export type Ago = number;

/** Formats a time as fixtures write it: `-3d4h12m5.123s`. */
export const formatAgo = (ago: Ago): string => `-${formatDuration(ago)}`;

/** Formats a duration as fixtures write it: `2h5m`, `340ms`. */
export function formatDuration(milliseconds: number): string {
  const rounded = Math.round(milliseconds);
  if (rounded < SECOND) return `${rounded}ms`;
  const parts: [count: number, unit: string][] = [
    [Math.floor(rounded / DAY), 'd'],
    [Math.floor((rounded % DAY) / HOUR), 'h'],
    [Math.floor((rounded % HOUR) / MINUTE), 'm'],
    [(rounded % MINUTE) / SECOND, 's'],
  ];
  return parts.map(([count, unit]) => (count > 0 ? `${count}${unit}` : '')).join('');
}

/** Relative activity per hour of the day: low at night, a dip at noon, a peak in the afternoon. */
const HOURS = [3, 2, 1, 1, 1, 2, 4, 8, 12, 15, 16, 14, 11, 13, 16, 17, 16, 14, 11, 10, 11, 10, 8, 5];
/** Relative activity per day of the week, from Monday to Sunday. */
const WEEKDAYS = [1, 1.1, 1.15, 1.1, 0.95, 0.5, 0.55];
/** Load time counts as a Wednesday at 15:00. */
const NOW = { weekday: 2, hour: 15 };

/** Maps uniform random numbers to times that follow the hours of the day and the days of the week. */
export class Calendar {
  /** The activity of the last n hours. */
  readonly #sums: Float64Array;

  /** @param oldest the earliest time that is asked for */
  constructor(oldest: Ago) {
    let sum = 0;
    this.#sums = Float64Array.from({ length: Math.ceil(oldest / HOUR) + 1 }, (_, hour) => {
      if (hour > 0) sum += getActivity(hour - 1);
      return sum;
    });
  }

  /** The time that has this fraction of the activity between the two bounds after it. */
  at(fraction: number, youngest: Ago, oldest: Ago): Ago {
    const [from, to] = [this.#sumUntil(youngest), this.#sumUntil(oldest)];
    const sum = from + fraction * (to - from);
    const hour = Math.min(upperBound(this.#sums, sum) - 1, this.#sums.length - 2);
    const ago = (hour + (sum - this.#sum(hour)) / getActivity(hour)) * HOUR;
    return Math.round(Math.min(oldest, Math.max(youngest, ago)));
  }

  /** A random time between the two bounds. */
  between(rng: Rng, youngest: Ago, oldest: Ago): Ago {
    return this.at(rng.next(), youngest, oldest);
  }

  #sumUntil(ago: Ago): number {
    const hour = Math.floor(ago / HOUR);
    return this.#sum(hour) + (ago / HOUR - hour) * (this.#sum(hour + 1) - this.#sum(hour));
  }

  #sum(hour: number): number {
    return this.#sums[Math.min(hour, this.#sums.length - 1)] ?? 0;
  }
}

/** The hour of the day at this time, with its fraction. */
export const getHour = (ago: Ago): number => (((NOW.hour - ago / HOUR) % 24) + 24) % 24;

/** The day of this time: 0 for the day of load time, -1 for the day before. */
export const getDay = (ago: Ago): number => -Math.ceil((ago / HOUR - NOW.hour) / 24);

/** The activity of the hour that ended this many hours ago. */
function getActivity(hoursAgo: number): number {
  const middle = (hoursAgo + 0.5) * HOUR;
  const weekday = (((NOW.weekday + getDay(middle)) % 7) + 7) % 7;
  return (HOURS[Math.floor(getHour(middle))] ?? 0) * (WEEKDAYS[weekday] ?? 0);
}
