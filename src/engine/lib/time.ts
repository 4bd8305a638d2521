/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

/** An instant, or an offset in milliseconds from now. */
export type Time = { readonly instant: Instant } | { readonly offset: number };

/** The input of {@link parseTime}, for messages. */
export const TIME_EXAMPLES =
  'an RFC 3339 timestamp such as "2024-06-11T22:05:12Z", or a time before now such as "-10m" or "-2d"';

/** Longer durations lead to years of more than four digits. */
const MAX_DURATION_DAYS = 36_525;
export const TOO_FAR = `at most ${MAX_DURATION_DAYS}d, a hundred years`;

export const isTooLong = (duration: number): boolean => duration > MAX_DURATION_DAYS * 86_400_000;
export const isTooFar = (time: Time): boolean => 'offset' in time && isTooLong(Math.abs(time.offset));

/** The years of a timestamp have four digits. */
export const EARLIEST: Instant = Date.parse('0000-01-01T00:00:00Z');
export const LATEST: Instant = Date.parse('9999-12-31T23:59:59.999Z');

const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)[Tt\s](\d\d):([0-5]\d):(\d\d)(\.\d+)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)$/;

/** What {@link toTimestamp} formats, for a day that each month has: nearly all times of records. `Date.parse` is faster, but knows more. */
const PLAIN_TIMESTAMP = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/**
 * Parses a timestamp with a time zone. Undefined for any other text.
 * Source: RFC 3339, with the separators and offsets that the `date-time` format of Ajv accepts.
 */
export const parseInstant = (text: string): Instant | undefined =>
  PLAIN_TIMESTAMP.test(text) ? Date.parse(text) : parseAnyInstant(text);

function parseAnyInstant(text: string): Instant | undefined {
  const [matched, year, month, day, hour, minute, second, fraction = '', sign, zoneHour = 0, zoneMinute = 0] =
    TIMESTAMP.exec(text) ?? [];
  if (matched === undefined) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const isOnCalendar = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  const isOnClock = Number(hour) <= 23 && Number(zoneHour) <= 23 && Number(zoneMinute) <= 59;
  // A leap second is the end of the second before it.
  if (!isOnCalendar || !isOnClock || Number(second) > 60) return undefined;
  const offset = Number(zoneHour) * 60 + Number(zoneMinute);
  const minutes = Number(minute) + (sign === '-' ? offset : -offset);
  date.setUTCHours(Number(hour), minutes, Number(second), Number(fraction.slice(1, 4).padEnd(3, '0')));
  const instant = date.getTime();
  return instant >= EARLIEST && instant <= LATEST ? instant : undefined;
}

/** Parses a timestamp, or a date, whose time is 00:00 UTC. Undefined for any other text. */
export const parseDateOrInstant = (text: string): Instant | undefined =>
  parseInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);

/** Parses a time as fixtures write it: `2024-06-11T22:05:12Z`, `-10m`. Undefined for any other text. */
export function parseTime(text: string): Time | undefined {
  const sign = text.charAt(0);
  if (sign === '-' || sign === '+') {
    const offset = parseDuration(text.slice(1));
    return offset === undefined ? undefined : { offset: sign === '-' ? -offset : offset };
  }
  const instant = /\s/.test(text) ? undefined : parseInstant(text);
  return instant === undefined ? undefined : { instant };
}

/** Formats an instant as the API does: RFC 3339, UTC, milliseconds. */
export const toTimestamp = (instant: Instant): string => new Date(instant).toISOString();

/** Formats an offset in milliseconds from now as fixtures write it: `-3d4h12m5.123s`, `+0s`. */
export const formatOffset = (offset: number): string =>
  offset === 0 ? '+0s' : `${offset < 0 ? '-' : '+'}${formatDuration(Math.abs(offset))}`;

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1e3, m: 60e3, h: 3_600e3, d: 86_400e3, w: 604_800e3 };

/** The texts that {@link parseDuration} parses, as a regular expression. */
export const DURATION_PATTERN = '(\\d+(\\.\\d+)?(ms|[smhdw]))+';

/** The input of {@link parseDuration}, for messages. */
export const DURATION_EXAMPLES = '"90s", "10m", "2d" or "1d12h" (units ms, s, m, h, d, w)';

/** Parses a duration such as `10m` or `1d12h` to milliseconds. Undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  let total = 0;
  let end = 0;
  for (const [part, amount, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdw])/gy)) {
    total += Number(amount) * (UNITS[unit] ?? 0);
    end += part.length;
  }
  return end > 0 && end === text.length ? Math.round(total) : undefined;
}

/** Converts a duration such as `10m` to milliseconds. A number is milliseconds already. Undefined for any other text. */
export const toMilliseconds = (duration: string | number): number | undefined =>
  typeof duration === 'string' ? parseDuration(duration) : duration;

/** Parses a duration such as `2s`, or digits alone as milliseconds. Undefined for any other text. */
export const parseMilliseconds = (text: string): number | undefined =>
  /^\d+$/.test(text) ? Number(text) : parseDuration(text);

/** Formats a duration as fixtures write it: `2h5m`, `340ms`. */
export function formatDuration(milliseconds: number): string {
  const rounded = Math.round(milliseconds);
  if (rounded < 1e3) return `${rounded}ms`;
  const parts = {
    d: Math.floor(rounded / 86_400e3),
    h: Math.floor((rounded % 86_400e3) / 3_600e3),
    m: Math.floor((rounded % 3_600e3) / 60e3),
    s: (rounded % 60e3) / 1e3,
  };
  return Object.entries(parts).reduce((text, [unit, count]) => (count > 0 ? `${text}${count}${unit}` : text), '');
}

/** Formats of fixtures, in addition to the formats of JSON Schema. */
export const FORMATS = {
  'fixture-time': (text: string): boolean => parseTime(text) !== undefined,
  // The format `uri` of Ajv is slow for long data URLs, and rejects letters beyond ASCII.
  'fixture-url': isUrl,
  'fixture-duration': (text: string): boolean => parseDuration(text) !== undefined,
} as const;

/** `URL.canParse` of Node 20 rejects letters beyond ASCII once it is optimized. */
function isUrl(text: string): boolean {
  try {
    return new URL(text).href !== '';
  } catch {
    return false;
  }
}
