import { formatNumber } from '../lib/format.js';

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** The part of the value that failed. */
  readonly failed?: number;
}

const HEIGHT = 80;
const WIDTH = 480;
const GAP = 2;

/** A small chart of bars; the part that failed is red. The text says the same. */
export function BarChart({ bars, label }: { readonly bars: readonly Bar[]; readonly label: string }) {
  const largest = Math.max(1, ...bars.map(({ value }) => value));
  const width = WIDTH / Math.max(1, bars.length);
  const scale = (value: number) => (value / largest) * (HEIGHT - 2);
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {bars.map(({ label: name, value, failed = 0 }, index) => (
        <g key={name} transform={`translate(${index * width} 0)`}>
          <title>{`${name}: ${formatNumber(value)}${failed > 0 ? `, ${formatNumber(failed)} failed` : ''}`}</title>
          <rect class="hover" x={0} y={0} width={width} height={HEIGHT} />
          <rect
            class="bar"
            x={GAP / 2}
            y={HEIGHT - scale(value)}
            width={Math.max(1, width - GAP)}
            height={scale(value)}
          />
          <rect
            class="failed"
            x={GAP / 2}
            y={HEIGHT - scale(failed)}
            width={Math.max(1, width - GAP)}
            height={scale(failed)}
          />
        </g>
      ))}
    </svg>
  );
}

/** Shares of a whole, each with its number. */
export function Shares({ values }: { readonly values: Readonly<Record<string, number>> }) {
  const entries = Object.entries(values).sort(([, a], [, b]) => b - a);
  const largest = Math.max(1, ...entries.map(([, value]) => value));
  return (
    <ul class="shares">
      {entries.map(([name, value]) => (
        <li key={name}>
          <span>{name}</span>
          <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
            <rect class="bar" x="0" y="0" width={(value / largest) * 100} height="6" rx="1" />
          </svg>
          <span class="number">{formatNumber(value)}</span>
        </li>
      ))}
    </ul>
  );
}
