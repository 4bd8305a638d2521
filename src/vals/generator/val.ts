import type { Privacy, ValType } from '#vals/service/service.collection.js';
import { type Ago, DAY, HOUR, MINUTE, SECOND } from './calendar.js';
import type { GeneratorContext } from './context.js';
import type { Person } from './people.js';
import { capitalize, drawParams, render, type Values } from './text.js';
import type { ParamValue, Slot, Template } from './themes.js';

/** What code imports: a val, or a file of the same project by its path. */
export interface Imported {
  readonly author: Pick<Person, 'username'>;
  readonly name: string;
  /** Default: the type of the val */
  readonly url?: string;
}

/** The properties of a val before its first version. */
export interface ValDraft {
  readonly author: Person;
  readonly name: string;
  readonly template: Template;
  readonly imports: ReadonlyMap<Slot, Imported>;
  /** What its texts can name apart from parameters: itself, its author and its imports. */
  readonly names: Values;
  readonly created: Ago;
  /** Relative number of likes and requests. */
  readonly popularity: number;
}

/** A val of the dataset, with all its versions. */
export interface GeneratedVal extends ValDraft {
  readonly imports: ReadonlyMap<Slot, GeneratedVal>;
  readonly type: ValType;
  readonly privacy: Privacy;
  /** Vals whose latest version imports this one, oldest first. */
  readonly importers: GeneratedVal[];
  /** Oldest first. */
  readonly versions: readonly GeneratedVersion[];
  readonly latest: GeneratedVersion;
  readonly nextVersion: number;
  readonly readme: string | null;
}

export interface Variant {
  readonly stage: number;
  readonly hasBug: boolean;
  readonly params: Values;
}

export interface GeneratedVersion extends Variant {
  readonly number: number;
  readonly created: Ago;
  readonly code: string;
}

export const formatRef = ({ author, name }: Imported): string => `${author.username}/${name}`;

const getModuleUrl = (val: Imported): string => val.url ?? `https://esm.town/v/${formatRef(val)}`;

export const importsVal = (code: string, val: GeneratedVal): boolean => code.includes(`"${getModuleUrl(val)}"`);

export const getVersionAt = ({ versions, latest }: GeneratedVal, ago: Ago): GeneratedVersion =>
  versions.findLast(({ created }) => created >= ago) ?? versions[0] ?? latest;

export const renderCode = (draft: ValDraft, variant: Variant): string =>
  renderText(draft.template.code.replaceAll(/import \{ (%\w+)% \}/g, 'import { $1.import% }'), draft, variant);

export function renderText(text: string, draft: ValDraft, { stage, hasBug, params }: Variant): string {
  const { isChatty } = draft.author.style;
  const flags = new Set([...draft.imports.keys(), ...(hasBug ? ['bug'] : []), ...(isChatty ? ['chatty'] : [])]);
  return render(text, getTemplateValues(draft, params), { flags, stage });
}

/** Makes the draft of a val, or of a file of a project. */
export const makeDraft = (draft: Omit<ValDraft, 'names'>): ValDraft => ({ ...draft, names: listNames(draft) });

function listNames({ author, name, template, imports }: Omit<ValDraft, 'names'>): Values {
  const names = new Map<string, ParamValue>([
    ['self', name],
    ['user', author.username],
  ]);
  const taken = imports.size > 0 ? listWords(template, author).add(name) : new Set<string>();
  for (const [slot, val] of imports) {
    const alias = chooseAlias(slot, val, taken);
    names.set(slot, alias);
    names.set(`${slot}.url`, getModuleUrl(val));
    names.set(`${slot}.import`, alias === val.name ? alias : `${val.name} as ${alias}`);
  }
  return names;
}

/** Lists the words of the code of a template. */
function listWords({ code }: Template, { style }: Person): Set<string> {
  const text = code
    .replaceAll(/^[^|\n]*\|/gm, '')
    .replaceAll(/%([\w.]+)%/g, (_, key: string) => String(style.values.get(key) ?? ''));
  return new Set(text.match(/\w+/g));
}

/** Chooses the name of an import: the name of the val, or another one if the code already has that name. */
function chooseAlias(slot: Slot, { name }: Imported, taken: ReadonlySet<string>): string {
  const aliases = [name, slot === 'email' ? 'sendEmail' : slot, `my${capitalize(slot)}`];
  return aliases.find((alias) => !taken.has(alias)) ?? name;
}

/** All values that the texts of a template can name. */
export const getTemplateValues = ({ author, names }: ValDraft, params: Values): Map<string, ParamValue> =>
  new Map([...author.style.values, ...params, ...names]);

/** Minimum time between two versions. */
const GAP = 20 * SECOND;

type Edit = { readonly ago: Ago; readonly kind: 'edit' | 'bug' | 'fix' };

/** Creates the versions of a val, oldest first. Each is an edit of the previous one. */
export function writeHistory(val: ValDraft, params: Values, context: GeneratorContext) {
  const { rng } = context;
  const { template, created } = val;
  const first = { stage: rng.bool(0.45) ? 0 : rng.int(0, template.stages), hasBug: false, params };
  let latest: GeneratedVersion = { ...first, number: 0, created, code: renderCode(val, first) };
  const versions = [latest];
  // An edit never restores earlier code; only a fix does.
  const seen = new Set([latest.code]);
  for (const { ago, kind } of planEdits(val, context).sort((a, b) => b.ago - a.ago)) {
    const next = applyEdit(template, latest, kind, context);
    if (!next || ago === 0 || latest.created - ago < GAP) continue;
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
function planEdits({ template, created, popularity }: ValDraft, { rng, timeAt, runsSince }: GeneratorContext): Edit[] {
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
  // A bug without a fix is fixed now.
  const fix = isAbandoned ? 0 : Math.max(0, bug - delay);
  const others = edits.filter(({ ago }) => ago > bug + GAP || ago < fix - GAP);
  return [...others, { ago: bug, kind: 'bug' }, { ago: fix, kind: 'fix' }];
}

/** Applies an edit. Undefined if there is nothing to change. */
function applyEdit(template: Template, variant: Variant, kind: Edit['kind'], context: GeneratorContext) {
  const { stages, tweaks = [], params = {}, bug } = template;
  const { rng } = context;
  const { stage, hasBug } = variant;
  if (kind === 'fix') return hasBug ? { ...variant, hasBug: false } : undefined;
  let next: Variant | undefined;
  if (stage < stages && (rng.bool(0.65) || tweaks.length === 0)) {
    next = { ...variant, stage: stage + 1 };
  } else if (tweaks.length > 0) {
    const name = rng.pick(tweaks);
    const changed = new Map(variant.params);
    drawParams({ [name]: params[name] ?? '' }, changed, context);
    next = { ...variant, params: changed };
  }
  if (kind === 'edit') return next;
  const broken = { ...(next ?? variant), hasBug: true };
  return broken.stage < (bug?.from ?? 0) ? undefined : broken;
}
