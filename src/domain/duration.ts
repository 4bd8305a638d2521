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
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhdw]))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdw])/g)) {
    total += Number(amount) * (UNITS[unit] ?? 0);
  }
  return Math.round(total);
}
