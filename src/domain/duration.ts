const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** For messages: what {@link parseDuration} reads. */
export const DURATION_EXAMPLES = '"90s", "10m", "2d" or "1d12h" (units ms, s, m, h, d, w)';

/** A length of time such as `10m` or `1d12h`, in milliseconds; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  let total = 0;
  let at = 0;
  do {
    const end = endOfNumber(text, at);
    const unit = text.startsWith('ms', end) ? 'ms' : text.charAt(end);
    const size = UNITS[unit];
    if (end === at || size === undefined) return undefined;
    total += Number(text.slice(at, end)) * size;
    at = end + unit.length;
  } while (at < text.length);
  return Math.round(total);
}

/** Where a number such as `10` or `1.5` ends that begins at `start`; `start` itself when there is none. */
function endOfNumber(text: string, start: number): number {
  const whole = endOfDigits(text, start);
  if (whole === start || text.charAt(whole) !== '.') return whole;
  const end = endOfDigits(text, whole + 1);
  return end === whole + 1 ? whole : end;
}

function endOfDigits(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) >= ZERO && text.charCodeAt(at) <= NINE) at++;
  return at;
}

const ZERO = 48;
const NINE = 57;
