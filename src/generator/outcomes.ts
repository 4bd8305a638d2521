import type { Input } from '../fixtures/schema.js';
import type { Rng } from '../lib/rng.js';
import type { JsonValue } from '../model/schema.js';
import type { Ago } from './calendar.js';
import { compileParams, type ParamValues, type Sources } from './param-specs.js';
import type { RunShape } from './template.js';
import { interpolate, matchesConditions } from './text.js';
import { formatRef, type GeneratedVal, getTemplateValues } from './val.js';

/** The duration and the data of a run that succeeds. */
export interface RunOutcome extends Pick<Input<'runs'>, 'args' | 'logs' | 'returnValue' | 'emails'> {
  readonly ms: number;
}

/** Returns a function that draws the outcomes of the runs of a val. */
export function compileOutcomes(val: GeneratedVal, sources: Sources) {
  const values = getTemplateValues(val, val.latest.variant.params);
  const location = String(values.get('place') ?? formatRef(val));
  const shapes = val.template.runs.map((shape) => ({
    when: shape.when ?? '',
    draw: compileShape(shape, values, sources, location),
  }));
  return (stage: number, rng: Rng, ago: Ago): RunOutcome => {
    const possible = shapes.filter(({ when }) => matchesConditions(when, { stage, flags: new Set() }));
    return rng.pick(possible).draw(rng, ago);
  };
}

function compileShape(shape: RunShape, known: ParamValues, sources: Sources, location: string) {
  const sample = compileParams({ ms: shape.ms ?? '4..60', ...shape.params }, sources, location);
  const { args, logs, returns, emails, emailsIfBelow: [value = '', limit] = [] } = shape;
  const values = new Map(known);
  const fill = (json: JsonValue) => fillJson(json, values);
  return (rng: Rng, ago: Ago): RunOutcome => {
    sample(rng, values, ago);
    const sendsEmails = limit === undefined || Number(values.get(value)) < Number(values.get(limit));
    return {
      ms: Number(values.get('ms')),
      ...(args && { args: args.map(fill) }),
      ...(logs && { logs: logs.map(fill) }),
      ...(returns !== undefined && { returnValue: fill(returns) }),
      ...(emails && sendsEmails && { emails: emails.map(fill) }),
    };
  };
}

/** Replaces names by values. A text that consists of one `%name%` becomes that value, so that numbers remain numbers. */
function fillJson(json: JsonValue, values: ParamValues): JsonValue {
  if (typeof json === 'string') {
    const value = values.get(/^%([\w.]+)%$/.exec(json)?.[1] ?? '');
    return typeof value === 'number' ? value : interpolate(json, values);
  }
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map((item) => fillJson(item, values));
  return Object.fromEntries(Object.entries(json).map(([name, field]) => [name, fillJson(field, values)]));
}
