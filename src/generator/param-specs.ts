import { hashToUnitInterval } from '../lib/ids.js';
import type { Rng } from '../lib/rng.js';
import { type Ago, DAY, getDay, getHour } from './calendar.js';

/**
 * Parameters of a template or a run, by name, each with a specification of its random values.
 *
 * - `'oats|rye'`: one of the alternatives. A text without `|` stands for itself.
 * - `'5..20'`: a whole number. `'-3..12.5'`: a number with as many decimals as its bounds.
 * - `'10..60*5'`: a multiple of 5.
 * - `'~4..17'`: follows the time of day, as the temperature does. `'^20..80'`: rises over two months.
 * - `'@place'`: an item of that source. `%name.field%` gives its fields.
 */
export type ParamSpecs = Readonly<Record<string, string>>;

export type ParamValue = string | number;
export type ParamValues = ReadonlyMap<string, ParamValue>;

/** Items by source: texts, or objects with a name and further fields. */
export type Sources = Readonly<Record<string, readonly (string | SourceItem)[]>>;
type SourceItem = Readonly<Record<string, ParamValue>> & { readonly name: string };

/** Draws values for a point in time and stores them in the map. */
export type ParamSampler = (rng: Rng, values: Map<string, ParamValue>, ago: Ago) => void;

/** @param location the same location has the same warm and cold days */
export function compileParams(specs: ParamSpecs, sources: Sources, location = ''): ParamSampler {
  const samplers = Object.entries(specs).map(([name, spec]) =>
    spec.startsWith('@')
      ? compileSource(name, sources[spec.slice(1)] ?? [])
      : compileValue(name, spec, followDay(location)),
  );
  return (rng, values, ago) => {
    for (const sample of samplers) sample(rng, values, ago);
  };
}

function compileSource(name: string, items: Sources[string]): ParamSampler {
  if (items.length === 0) throw new Error(`Empty source for parameter "${name}"`);
  return (rng, values) => {
    const item = rng.pick(items);
    const { name: text, ...fields } = typeof item === 'string' ? { name: item } : item;
    values.set(name, text);
    for (const [field, value] of Object.entries(fields)) values.set(`${name}.${field}`, value);
  };
}

/** From 0 to 1, by time. */
type Course = (rng: Rng, ago: Ago) => number;

const RANGE = /^([~^]?)(-?\d+(?:\.(\d+))?)\.\.(-?\d+(?:\.(\d+))?)(?:\*(\d+))?$/;

function compileValue(name: string, spec: string, followDay: Course): ParamSampler {
  const [isRange, course, first, firstDecimals = '', last, lastDecimals = '', step = '1'] = RANGE.exec(spec) ?? [];
  if (isRange === undefined) {
    const options = spec.split('|').map((option) => (/^-?\d+(?:\.\d+)?$/.test(option) ? Number(option) : option));
    return (rng, values) => values.set(name, rng.pick(options));
  }
  const unit = Number(`1e${Math.max(firstDecimals.length, lastDecimals.length)}`);
  const [from = 0, to = 0] = [first, last].map((bound) => Math.round((Number(bound) * unit) / Number(step)));
  if (course === '') return (rng, values) => values.set(name, (rng.int(from, to) * Number(step)) / unit);
  const getFraction = course === '~' ? followDay : followMonths;
  return (rng, values, ago) => values.set(name, Math.round(from + (to - from) * getFraction(rng, ago)) / unit);
}

/** Highest in the afternoon; some days are warmer than others. */
function followDay(location: string): Course {
  const getWarmth = (day: number) => hashToUnitInterval(`${location} ${day}`);
  return (rng, ago) => {
    const [day, hour] = [getDay(ago), getHour(ago)];
    const sinceWarmest = Math.abs(hour - 15) / 12;
    const curve = sinceWarmest > 1 ? 2 - sinceWarmest : sinceWarmest;
    const base = getWarmth(day) + (getWarmth(day + 1) - getWarmth(day)) * (hour / 24);
    return 0.5 * base + 0.45 * (1 - curve) + 0.05 * rng.next();
  };
}

const followMonths: Course = (_, ago) => 1 - Math.min(1, ago / (60 * DAY));
