import type { ParamValues } from './param-specs.js';

/** What decides how a template is rendered. */
export interface RenderContext {
  readonly values: ParamValues;
  readonly flags: ReadonlySet<string>;
  readonly stage: number;
}

/**
 * Renders the text of a template. Each line begins with a margin, ended by `|`, that lists conditions: `2+` for stage 2
 * and later, `<2` for earlier stages, `cached` for a flag that is set, `!cached` for one that is not. A line is
 * included if all of them hold. `%city%` is a value, `%City%` the value as part of an identifier, `%city-%` as part of
 * a URL. `~` and `#{` stand for a backtick and `${`, which would need escapes in a template literal.
 */
export function render(template: string, context: RenderContext): string {
  const lines: string[] = [];
  for (const line of template.split('\n')) {
    const bar = line.indexOf('|');
    if (bar < 0 || !matchesConditions(line.slice(0, bar), context)) continue;
    const text = line.slice(bar + 1);
    // No blank lines at the start, and no two in a row.
    if (text !== '' || (lines.at(-1) ?? '') !== '') lines.push(text);
  }
  return interpolate(lines.join('\n').trimEnd().replaceAll('~', '`').replaceAll('#{', '${'), context.values);
}

/** Whether all conditions of a margin hold. */
export const matchesConditions = (margin: string, { flags, stage }: Omit<RenderContext, 'values'>): boolean =>
  margin.split(/\s+/).every((condition) => {
    if (condition === '') return true;
    if (condition.endsWith('+')) return stage >= Number.parseInt(condition, 10);
    if (condition.startsWith('<')) return stage < Number(condition.slice(1));
    return condition.startsWith('!') ? !flags.has(condition.slice(1)) : flags.has(condition);
  });

/** Replaces each `%name%` by its value, recursively. */
export const interpolate = (text: string, values: ParamValues): string =>
  text.includes('%')
    ? text.replace(/%([a-zA-Z][\w.]*)(-?)%/g, (_, name: string, inUrl: string) => {
        const value = getText(name, values);
        return inUrl === '' ? value : toSlug(value);
      })
    : text;

function getText(name: string, values: ParamValues): string {
  const exact = values.get(name);
  if (exact !== undefined) return interpolate(String(exact), values);
  const value = values.get(name.charAt(0).toLowerCase() + name.slice(1));
  if (value === undefined) throw new Error(`The template has no value for %${name}%`);
  return toPascalCase(interpolate(String(value), values));
}

const removeAccents = (text: string) => text.normalize('NFD').replace(/[\u0300-\u036f'’]/g, '');

/** `lemon tree` as `LemonTree`. */
const toPascalCase = (text: string): string =>
  removeAccents(text)
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** `Lemon tree` as `lemon-tree`. */
export const toSlug = (text: string): string =>
  removeAccents(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
