import { upperBound } from '#engine/lib/rng.js';
import { formatDuration } from '#engine/lib/time.js';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Milliseconds before now. A dataset has no other times, so that its bytes do not depend on the day. */
export type Ago = number;

/** Formats a time as fixtures write it: `-3d4h12m5.123s`. */
export const formatAgo = (ago: Ago): string => `-${formatDuration(ago)}`;

/** Relative activity per hour of the day: low at night, a dip at noon, a peak in the afternoon. */
const HOURS = [3, 2, 1, 1, 1, 2, 4, 8, 12, 15, 16, 14, 11, 13, 16, 17, 16, 14, 11, 10, 11, 10, 8, 5];
/** Relative activity per day of the week, from Monday to Sunday. */
const WEEKDAYS = [1, 1.1, 1.15, 1.1, 0.95, 0.5, 0.55];
/** Load time counts as a Wednesday at 15:00. */
const NOW = { weekday: 2, hour: 15 };

/**
 * Returns a function that maps uniform random numbers to times that follow the hours of the day and the days of the week.
 * @param earliest the earliest time that is asked for
 */
export function makeCalendar(earliest: Ago) {
  /** The activity of the last n hours. */
  const sums = new Float64Array(Math.ceil(earliest / HOUR) + 1);
  const sum = (hours: number) => sums[Math.min(hours, sums.length - 1)] ?? 0;
  for (let hour = 1; hour < sums.length; hour++) sums[hour] = sum(hour - 1) + getActivity(hour - 1);
  const sumUntil = (ago: Ago) => {
    const hour = Math.floor(ago / HOUR);
    return sum(hour) + (ago / HOUR - hour) * (sum(hour + 1) - sum(hour));
  };
  /** The time that has this fraction of the activity between the two bounds after it. */
  return (fraction: number, youngest: Ago, oldest: Ago): Ago => {
    const from = sumUntil(youngest);
    const target = from + fraction * (sumUntil(oldest) - from);
    const hour = Math.min(upperBound(sums, target) - 1, sums.length - 2);
    const ago = (hour + (target - sum(hour)) / getActivity(hour)) * HOUR;
    return Math.round(Math.min(oldest, Math.max(youngest, ago)));
  };
}

/** The hour of the day at this time, with its fraction. */
export const getHour = (ago: Ago): number => (((NOW.hour - ago / HOUR) % 24) + 24) % 24;

/** The day of this time: 0 for today, -1 for the day before. */
export const getDay = (ago: Ago): number => -Math.ceil((ago / HOUR - NOW.hour) / 24);

function getActivity(hoursAgo: number): number {
  const middle = (hoursAgo + 0.5) * HOUR;
  const weekday = (((NOW.weekday + getDay(middle)) % 7) + 7) % 7;
  return (HOURS[Math.floor(getHour(middle))] ?? 0) * (WEEKDAYS[weekday] ?? 0);
}
