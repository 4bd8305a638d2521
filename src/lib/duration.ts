const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1e3, m: 60e3, h: 3_600e3, d: 86_400e3, w: 604_800e3 };

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
