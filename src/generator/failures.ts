import type { Rng } from '../lib/rng.js';
import { type Ago, DAY, HOUR, MINUTE } from './calendar.js';
import { interpolate } from './text.js';
import { formatRef, type GeneratedVal, type GeneratorContext, getTemplateValues, importsVal } from './val.js';

/** A period in which runs of a val fail. */
export interface FailureWindow {
  readonly from: Ago;
  readonly to: Ago;
  readonly error: string;
  /** The val that throws: the val itself or an import; undefined for an outage of a service. */
  readonly source?: GeneratedVal;
  /** Probability that a run fails. */
  readonly rate: number;
  /** Whether the error names the val that throws; otherwise it is a plain text. */
  readonly namesVal: boolean;
}

/**
 * Plans the periods in which vals fail: due to a bug, due to a bug of an import, or during an outage of a service.
 * @param vals imported vals before their importers
 */
export function planFailures(vals: readonly GeneratedVal[], context: GeneratorContext) {
  const rng = context.rng.fork('failures');
  const bugs = new Map<GeneratedVal, readonly FailureWindow[]>();
  for (const val of vals) bugs.set(val, listBugs(val, bugs, rng));
  const hosts = new Set(vals.flatMap(({ template }) => template.upstream ?? []));
  const outages = new Map([...hosts].map((host) => [host, planOutages(host, context.runsSince, rng)]));
  return (val: GeneratedVal): readonly FailureWindow[] => [
    ...(bugs.get(val) ?? []),
    ...(outages.get(val.template.upstream ?? '') ?? []),
  ];
}

/** Lists the bugs in each version of the val, and those of its imports at the time. */
function listBugs(val: GeneratedVal, bugs: ReadonlyMap<GeneratedVal, readonly FailureWindow[]>, rng: Rng) {
  return val.versions.flatMap(({ created: from, code, variant }, index) => {
    const to = val.versions[index + 1]?.created ?? 0;
    const windows: FailureWindow[] = [];
    if (variant.bug && val.template.bug) {
      const error = interpolate(val.template.bug.error, getTemplateValues(val, variant.params));
      const own = rng.fork(`${formatRef(val)}?v=${index}`);
      windows.push({ from, to, error, source: val, rate: own.bool(0.7) ? 1 : 0.8, namesVal: own.bool(0.65) });
    }
    for (const { val: imported } of val.imports.values()) {
      if (!importsVal(code, imported)) continue;
      for (const window of bugs.get(imported) ?? []) {
        const overlap = { from: Math.min(from, window.from), to: Math.max(to, window.to) };
        if (overlap.from > overlap.to) windows.push({ ...window, ...overlap, rate: 0.95, namesVal: true });
      }
    }
    return windows;
  });
}

function planOutages(host: string, runsSince: Ago, rng: Rng): FailureWindow[] {
  const own = rng.fork(`outages of ${host}`);
  const errors = [
    `503 Service Unavailable from ${host}`,
    `TypeError: error sending request for url (https://${host}/)`,
    `${host} timed out`,
  ];
  return Array.from({ length: own.int(1, 1 + Math.ceil(runsSince / (20 * DAY))) }, () => {
    const from = own.int(HOUR, runsSince);
    const to = Math.max(0, from - own.int(12 * MINUTE, 3 * HOUR));
    return { from, to, error: own.pick(errors), rate: 0.9, namesVal: own.bool() };
  });
}
