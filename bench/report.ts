/** Prints a figure, and whether it holds its bound. One that misses it makes the exit code 1. */
export function report(
  what: string,
  value: number,
  sense: 'least' | 'most' | 'none',
  bound: number,
  raw: string,
): void {
  const isMet = sense === 'none' || (sense === 'least' ? value >= bound : value <= bound);
  if (!isMet) process.exitCode = 1;
  const verdict = sense === 'none' ? '' : ` (at ${sense} ${bound}) ${isMet ? 'ok' : 'MISSED'}`;
  console.log(`${what}: ${value.toFixed(2)}${verdict}; ${raw}`);
}

export const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 3 : 0)} ms`;
export const rate = (value: number): string => `${Math.round(value)}/s`;
