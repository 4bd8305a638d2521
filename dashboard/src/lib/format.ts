import { toNoun } from '../../../src/engine/definition/nouns.js';

/** Reads the number of an id: 17 of `r17`. */
export const numberOf = (id: string): number => Number(id.slice(1));

/** Sorts ids by their numbers, the oldest first. */
export const sortIds = (ids: readonly string[]): string[] => [...ids].sort((a, b) => numberOf(a) - numberOf(b));

/** Formats a number for people: `12,345`. */
export const formatNumber = (value: number): string => value.toLocaleString('en');

/** Formats a duration in milliseconds: `0.2 ms`, `340 ms`, `2.5 s`. Null for a response that has not ended. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return 'open';
  if (ms < 1) return `${ms.toFixed(2)} ms`;
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** Formats a timestamp in the time zone of the reader: `2024-06-11 22:05:12.585`. */
export function formatTime(timestamp: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return timestamp;
  return `${formatDate(timestamp)} ${formatClock(timestamp)}`;
}

const pad = (value: number, length = 2): string => String(value).padStart(length, '0');

export function formatDate(timestamp: string): string {
  const date = new Date(timestamp);
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** Formats the time of day: `22:05:12.585`. */
export function formatClock(timestamp: string): string {
  const date = new Date(timestamp);
  const seconds = `${pad(date.getSeconds())}.${pad(date.getMilliseconds(), 3)}`;
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${seconds}`;
}

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
];

/** Formats a duration by its two largest units: `2 d 3 h`, `45 s`. @param ms from 0 */
export function formatSpan(ms: number): string {
  let rest = ms;
  const parts = UNITS.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? [] : [`${count} ${unit}`];
  });
  return parts.length === 0 ? formatDuration(ms) : parts.slice(0, 2).join(' ');
}

/** Formats bytes: `512 B`, `1.6 kB`, `12 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${size.toFixed(size < 10 ? 1 : 0)} ${unit}`;
}

/** Returns the noun for a number of things: `val` for 1, `vals` for 2. */
export const formatNoun = (count: number, plural: string): string => (count === 1 ? toNoun(plural) : plural);

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Writes milliseconds as a duration that the emulator reads: `1m`. */
export function toDuration(ms: number): string {
  const [unit, size] = UNITS.find(([, length]) => ms >= length && ms % length === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
}

/** Formats how long ago a timestamp is: `12 m ago`, `in 3 h`, `now`. @param now milliseconds since 1970 */
export function formatAge(timestamp: string, now: number): string {
  const age = now - Date.parse(timestamp);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(age) >= length) ?? [];
  if (unit === undefined || size === undefined) return 'now';
  const count = Math.floor(Math.abs(age) / size);
  return age < 0 ? `in ${count} ${unit}` : `${count} ${unit} ago`;
}

/** Formats a value as one line of text: JSON, cut to a length. */
export function formatValue(value: unknown, length = 120): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const line = text.replace(/\s+/g, ' ');
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

export const toPrettyJson = (value: unknown): string => JSON.stringify(value, undefined, 2) ?? '';
