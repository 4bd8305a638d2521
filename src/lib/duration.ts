const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1e3, m: 60e3, h: 3_600e3, d: 86_400e3, w: 604_800e3 };
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|[smhdw]))+$/;

/** The input of {@link parseDuration}, for messages. */
export const DURATION_EXAMPLES = '"90s", "10m", "2d" or "1d12h" (units ms, s, m, h, d, w)';

/** Parses a duration such as `10m` or `1d12h` to milliseconds. Undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)([a-z]+)/g)];
  return Math.round(parts.reduce((total, [, amount, unit = '']) => total + Number(amount) * (UNITS[unit] ?? 0), 0));
}
