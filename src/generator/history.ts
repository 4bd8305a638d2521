import { type Ago, DAY, HOUR, MINUTE, SECOND } from './calendar.js';
import { compileParams, type ParamValues } from './param-specs.js';
import { type GeneratedVersion, type GeneratorContext, renderCode, type ValDraft, type Variant } from './val.js';

/** Minimum time between two versions. */
const GAP = 20 * SECOND;

interface NewVal extends ValDraft {
  readonly created: Ago;
  readonly params: ParamValues;
  readonly popularity: number;
}

interface Edit {
  readonly ago: Ago;
  readonly kind: 'edit' | 'bug' | 'fix';
}

/** Creates the versions of a val, oldest first. Each is an edit of the previous one. */
export function writeHistory(val: NewVal, context: GeneratorContext) {
  const { rng } = context;
  const stage = rng.bool(0.45) ? 0 : rng.int(0, val.template.stages);
  const variant = { stage, bug: false, params: val.params };
  let latest: GeneratedVersion = { number: 0, created: val.created, code: renderCode(val, variant), variant };
  const versions = [latest];
  // An edit never restores earlier code; only a fix does.
  const seen = new Set([latest.code]);
  for (const { ago, kind } of planEdits(val, context)) {
    const next = applyEdit(val, latest.variant, kind, context);
    if (!next || latest.created - ago < GAP) continue;
    const code = renderCode(val, next);
    if (code === latest.code || (kind === 'edit' && seen.has(code))) continue;
    seen.add(code);
    // A gap in the numbers stands for a deleted version.
    latest = { number: latest.number + (rng.bool(0.05) ? 2 : 1), created: ago, code, variant: next };
    versions.push(latest);
  }
  return { versions, latest };
}

/** Plans the edits of a val, and when a bug appears and is fixed, oldest first. */
function planEdits({ template, created, popularity }: NewVal, { rng, calendar, runsSince }: GeneratorContext): Edit[] {
  const edits: Edit[] = [];
  const count = Math.floor(1.2 / (rng.next() + 0.06) - 0.5);
  for (let ago = created, left = count; left > 0; left--) {
    // Either shortly after the last edit, or at any time since the creation, so that edits do not cluster at the end.
    ago = rng.bool(0.55) ? ago - rng.int(MINUTE / 2, 50 * MINUTE) : calendar.between(rng, 0, created);
    if (ago >= 2 * MINUTE) edits.push({ ago, kind: 'edit' });
  }
  const sort = (all: Edit[]) => all.sort((a, b) => b.ago - a.ago);
  if (!template.bug || created < 6 * HOUR || !rng.bool(0.4)) return sort(edits);
  const isRecent = rng.bool(0.65);
  const oldest = isRecent ? Math.max(3 * HOUR, Math.min(created - HOUR, runsSince * 0.9, 9 * DAY)) : created - HOUR;
  const bug = calendar.between(rng, 2 * HOUR, oldest);
  // Popular vals are fixed sooner; unpopular ones sometimes never.
  const isAbandoned = popularity < 1 && !template.provides && rng.bool(0.2);
  const longestDelay = (template.provides ? 16 * HOUR : 140 * HOUR) / (1 + popularity);
  const delay = Math.round(15 * MINUTE + rng.next() * rng.next() * longestDelay);
  const fix = isAbandoned ? 0 : Math.max(0, bug - delay);
  const others = edits.filter(({ ago }) => ago > bug + GAP || ago < fix - GAP);
  return sort([...others, { ago: bug, kind: 'bug' }, ...(fix > 0 ? [{ ago: fix, kind: 'fix' } as const] : [])]);
}

/** Applies an edit. Undefined if there is nothing to change. */
function applyEdit(
  { template: { stages, tweaks = [], params = {}, bug } }: ValDraft,
  variant: Variant,
  kind: Edit['kind'],
  { rng, sources }: GeneratorContext,
): Variant | undefined {
  if (kind === 'fix') return variant.bug ? { ...variant, bug: false } : undefined;
  let next: Variant | undefined;
  if (variant.stage < stages && (rng.bool(0.65) || tweaks.length === 0)) {
    next = { ...variant, stage: variant.stage + 1 };
  } else if (tweaks.length > 0) {
    const name = rng.pick(tweaks);
    const changed = new Map(variant.params);
    compileParams({ [name]: params[name] ?? '' }, sources)(rng, changed, 0);
    next = { ...variant, params: changed };
  }
  if (kind === 'edit') return next;
  const broken = { ...(next ?? variant), bug: true };
  return broken.stage < (bug?.from ?? 0) ? undefined : broken;
}
