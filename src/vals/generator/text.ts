import { hashToUnitInterval } from '#engine/lib/ids.js';
import type { Rng } from '#engine/lib/rng.js';
import { type Ago, DAY, getDay, getHour } from './calendar.js';
import type { ParamSpecs, ParamValue, Sources } from './themes.js';

/** Values of parameters and other names, by name. */
export type Values = ReadonlyMap<string, ParamValue>;

/** The values of the conditions in the margin of a template. */
type Conditions = { readonly flags: ReadonlySet<string>; readonly stage: number };

/**
 * Renders the text of a template. Each line begins with a margin, ended by `|`, that lists conditions: `2+` for stage 2
 * and later, `<2` for earlier stages, `cached` for a flag that is set, `!cached` for one that is not. A line is
 * included if all of them hold. `%city%` is a value, `%City%` the value as part of an identifier, `%city-%` as part of
 * a URL. `~` and `#{` stand for a backtick and `${`, which would need escapes in a template literal.
 */
export function render(template: string, values: Values, conditions: Conditions): string {
  const lines: string[] = [];
  for (const line of template.split('\n')) {
    const bar = line.indexOf('|');
    if (bar < 0 || !matchesConditions(line.slice(0, bar), conditions)) continue;
    const text = line.slice(bar + 1);
    // No blank lines at the start, and no two in a row.
    if (text !== '' || (lines.at(-1) ?? '') !== '') lines.push(text);
  }
  return interpolate(lines.join('\n').trimEnd().replaceAll('~', '`').replaceAll('#{', '${'), values);
}

export const matchesConditions = (margin: string, { flags, stage }: Conditions): boolean =>
  margin.split(/\s+/).every((condition) => {
    if (condition === '') return true;
    if (condition.endsWith('+')) return stage >= Number.parseInt(condition, 10);
    if (condition.startsWith('<')) return stage < Number(condition.slice(1));
    return condition.startsWith('!') ? !flags.has(condition.slice(1)) : flags.has(condition);
  });

/** Replaces each `%name%` by its value, recursively. */
export function interpolate(text: string, values: Values): string {
  if (!text.includes('%')) return text;
  return text.replace(/%([a-zA-Z][\w.]*)(-?)%/g, (_, name: string, inUrl: string) => {
    const exact = values.get(name);
    const value = exact ?? values.get(name.charAt(0).toLowerCase() + name.slice(1));
    if (value === undefined) throw new Error(`The template has no value for %${name}%`);
    const known = interpolate(String(value), values);
    const filled = exact === undefined ? splitWords(known).map(capitalize).join('') : known;
    return inUrl === '' ? filled : toSlug(filled);
  });
}

/** Splits a text into its words of ASCII letters and digits, without accents. */
const splitWords = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .match(/[a-zA-Z0-9]+/g) ?? [];

export const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `Lemon tree` as `lemon-tree`. */
export const toSlug = (text: string): string => splitWords(text).join('-').toLowerCase();

/**
 * Draws the values of parameters and stores them in the map.
 * @param ago the time of the draw
 * @param location the same location has the same warm and cold days
 */
export function drawParams(
  specs: ParamSpecs,
  values: Map<string, ParamValue>,
  { rng, sources }: { readonly rng: Rng; readonly sources: Sources },
  ago: Ago = 0,
  location = '',
): void {
  for (const [name, spec] of Object.entries(specs)) {
    if (!spec.startsWith('@')) {
      values.set(name, drawValue(spec, rng, ago, location));
      continue;
    }
    const items = sources[spec.slice(1)];
    if (!items) throw new Error(`The parameter "${name}" names an unknown source: ${spec}`);
    const item = rng.pick(items);
    const { name: text, ...fields } = typeof item === 'string' ? { name: item } : item;
    values.set(name, text);
    for (const [field, value] of Object.entries(fields)) values.set(`${name}.${field}`, value);
  }
}

const RANGE = /^([~^]?)(-?\d+(?:\.(\d+))?)\.\.(-?\d+(?:\.(\d+))?)(?:\*(\d+))?$/;

function drawValue(spec: string, rng: Rng, ago: Ago, location: string): ParamValue {
  const [isRange, course, first, firstDecimals = '', last, lastDecimals = '', step = '1'] = RANGE.exec(spec) ?? [];
  if (isRange === undefined) {
    const option = rng.pick(spec.split('|'));
    return /^-?\d+(?:\.\d+)?$/.test(option) ? Number(option) : option;
  }
  const unit = Number(`1e${Math.max(firstDecimals.length, lastDecimals.length)}`);
  const [from = 0, to = 0] = [first, last].map((bound) => Math.round((Number(bound) * unit) / Number(step)));
  if (course === '') return (rng.int(from, to) * Number(step)) / unit;
  const fraction = course === '~' ? followDay(location, ago, rng) : 1 - Math.min(1, ago / (60 * DAY));
  return Math.round(from + (to - from) * fraction) / unit;
}

/** From 0 to 1: highest in the afternoon; some days are warmer than others. */
function followDay(location: string, ago: Ago, rng: Rng): number {
  const [day, hour] = [getDay(ago), getHour(ago)];
  const sinceWarmest = Math.abs(hour - 15) / 12;
  const curve = sinceWarmest > 1 ? 2 - sinceWarmest : sinceWarmest;
  const getWarmth = (of: number) => hashToUnitInterval(`${location} ${of}`);
  const base = getWarmth(day) + (getWarmth(day + 1) - getWarmth(day)) * (hour / 24);
  return 0.5 * base + 0.45 * (1 - curve) + 0.05 * rng.next();
}
