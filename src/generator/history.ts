import { type Ago, DAY, HOUR, MINUTE, SECOND } from './calendar.js';
import type { GeneratorContext } from './context.js';
import { drawParams } from './text.js';
import type { Template } from './themes/template.js';
import { type GeneratedVal, type GeneratedVersion, renderCode, type ValDraft, type Variant } from './val.js';

/** Minimum time between two versions. */
const GAP = 20 * SECOND;

type NewVal = ValDraft & Pick<GeneratedVal, 'created' | 'popularity'>;

interface Edit {
  readonly ago: Ago;
  readonly kind: 'edit' | 'bug' | 'fix';
}

/** Creates the versions of a val, oldest first. Each is an edit of the previous one. */
export function writeHistory(val: NewVal, params: Variant['params'], context: GeneratorContext) {
  const { rng } = context;
  const { template, created } = val;
  const first = { stage: rng.bool(0.45) ? 0 : rng.int(0, template.stages), hasBug: false, params };
  let latest: GeneratedVersion = { ...first, number: 0, created, code: renderCode(val, first) };
  const versions = [latest];
  // An edit never restores earlier code; only a fix does.
  const seen = new Set([latest.code]);
  for (const { ago, kind } of planEdits(val, context).sort((a, b) => b.ago - a.ago)) {
    const next = applyEdit(template, latest, kind, context);
    if (!next || latest.created - ago < GAP) continue;
    const code = renderCode(val, next);
    if (code === latest.code || (kind === 'edit' && seen.has(code))) continue;
    seen.add(code);
    // A gap in the numbers stands for a deleted version.
    latest = { ...next, number: latest.number + (rng.bool(0.05) ? 2 : 1), created: ago, code };
    versions.push(latest);
  }
  return { versions, latest };
}

/** Plans the edits of a val, and when a bug appears and is fixed. */
function planEdits({ template, created, popularity }: NewVal, { rng, timeAt, runsSince }: GeneratorContext): Edit[] {
  const edits: Edit[] = [];
  const count = Math.floor(1.2 / (rng.next() + 0.06) - 0.5);
  for (let ago = created, left = count; left > 0; left--) {
    // Either shortly after the last edit, or at any time since the creation, so that edits do not cluster at the end.
    ago = rng.bool(0.55) ? ago - rng.int(MINUTE / 2, 50 * MINUTE) : timeAt(rng.next(), 0, created);
    if (ago >= 2 * MINUTE) edits.push({ ago, kind: 'edit' });
  }
  if (!template.bug || created < 6 * HOUR || !rng.bool(0.4)) return edits;
  const isRecent = rng.bool(0.65);
  const oldest = isRecent ? Math.max(3 * HOUR, Math.min(created - HOUR, runsSince * 0.9, 9 * DAY)) : created - HOUR;
  const bug = timeAt(rng.next(), 2 * HOUR, oldest);
  // Popular vals are fixed sooner; unpopular ones sometimes never.
  const isAbandoned = popularity < 1 && !template.provides && rng.bool(0.2);
  const longestDelay = (template.provides ? 16 * HOUR : 140 * HOUR) / (1 + popularity);
  const delay = Math.round(15 * MINUTE + rng.next() * rng.next() * longestDelay);
  const fix = isAbandoned ? 0 : Math.max(0, bug - delay);
  const others = edits.filter(({ ago }) => ago > bug + GAP || ago < fix - GAP);
  const fixes: Edit[] = fix > 0 ? [{ ago: fix, kind: 'fix' }] : [];
  return [...others, { ago: bug, kind: 'bug' }, ...fixes];
}

/** Applies an edit. Undefined if there is nothing to change. */
function applyEdit(
  { stages, tweaks = [], params = {}, bug }: Template,
  { stage, hasBug, params: values }: Variant,
  kind: Edit['kind'],
  context: GeneratorContext,
): Variant | undefined {
  const { rng } = context;
  if (kind === 'fix') return hasBug ? { stage, hasBug: false, params: values } : undefined;
  let next: Variant | undefined;
  if (stage < stages && (rng.bool(0.65) || tweaks.length === 0)) {
    next = { stage: stage + 1, hasBug, params: values };
  } else if (tweaks.length > 0) {
    const name = rng.pick(tweaks);
    const changed = new Map(values);
    drawParams({ [name]: params[name] ?? '' }, changed, context);
    next = { stage, hasBug, params: changed };
  }
  if (kind === 'edit') return next;
  const broken = { ...(next ?? { stage, params: values }), hasBug: true };
  return broken.stage < (bug?.from ?? 0) ? undefined : broken;
}
