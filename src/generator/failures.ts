import type { Input } from '../fixtures/schema.js';
import type { Rng } from '../lib/rng.js';
import { type Ago, DAY, HOUR, MINUTE } from './calendar.js';
import type { GeneratorContext } from './context.js';
import { interpolate } from './text.js';
import { formatRef, type GeneratedVal, getTemplateValues, importsVal } from './val.js';

/** Probability that a run has one of the errors of its template. */
const ERROR_RATE = 0.012;
const TIMEOUT_RATE = 0.0012;
const TIMEOUT = { error: 'Evaluation timed out after 10 s', ms: 10_000 };

/** The error of a run, and its duration if the failure decides it. */
interface Failure extends Pick<Input<'runs'>, 'error'> {
  readonly ms?: number;
}

/** A period in which runs of a val fail. */
interface FailureWindow {
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
 * Plans when runs fail: due to a bug, due to a bug of an import, during an outage of a service, or at random. Returns a
 * function that gives the failure of a run, if any.
 * @param vals imported vals before their importers
 */
export function planFailures(vals: readonly GeneratedVal[], context: GeneratorContext) {
  const rng = context.rng.fork('failures');
  const bugs = new Map<GeneratedVal, readonly FailureWindow[]>();
  for (const val of vals) bugs.set(val, listBugs(val, bugs, rng));
  const hosts = new Set(vals.flatMap(({ template }) => template.upstream ?? []));
  const outages = new Map([...hosts].map((host) => [host, planOutages(host, context.runsSince, rng)]));
  return (val: GeneratedVal, ago: Ago, rng: Rng): Failure | undefined => {
    const windows = [...(bugs.get(val) ?? []), ...(outages.get(val.template.upstream ?? '') ?? [])];
    const window = windows.find(({ from, to, rate }) => ago <= from && ago > to && rng.bool(rate));
    if (window) {
      const { error, namesVal, source = val } = window;
      const ms = error.endsWith('timed out') ? { ms: TIMEOUT.ms } : {};
      return { error: namesVal ? nameVal(error, source) : error, ...ms };
    }
    if (val.template.errors && rng.bool(ERROR_RATE)) return drawTemplateError(val, rng);
    return rng.bool(TIMEOUT_RATE) ? TIMEOUT : undefined;
  };
}

/** Lists the bugs in each version of the val, and those of its imports at the time. */
function listBugs(val: GeneratedVal, bugs: ReadonlyMap<GeneratedVal, readonly FailureWindow[]>, rng: Rng) {
  return val.versions.flatMap(({ created: from, code, hasBug, params }, index) => {
    const to = val.versions[index + 1]?.created ?? 0;
    const windows: FailureWindow[] = [];
    if (hasBug && val.template.bug) {
      const error = interpolate(val.template.bug.error, getTemplateValues(val, params));
      const own = rng.fork(`${formatRef(val)}?v=${index}`);
      windows.push({ from, to, error, source: val, rate: own.bool(0.7) ? 1 : 0.8, namesVal: own.bool(0.65) });
    }
    for (const imported of val.imports.values()) {
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

/** Draws one of the errors that any run of the val can have. */
export function drawTemplateError(val: GeneratedVal, rng: Rng): Failure {
  const { errors } = val.template;
  if (!errors) return TIMEOUT;
  const error = interpolate(rng.pick(errors), getTemplateValues(val, val.latest.params));
  return { error: rng.bool() ? nameVal(error, val) : error };
}

/** An error that names the val that threw it. */
const nameVal = (error: string, { author, name }: GeneratedVal) => ({
  message: error.replace(/^[A-Z][A-Za-z]*Error: /, ''),
  val: `${author.username}.${name}`,
});
