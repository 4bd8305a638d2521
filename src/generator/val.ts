import type { Rng } from '../lib/rng.js';
import type { Privacy, ValType } from '../model/schema.js';
import type { Ago, Calendar } from './calendar.js';
import type { ParamValue, ParamValues, Sources } from './param-specs.js';
import type { Person } from './people.js';
import type { Template } from './template.js';
import { render } from './text.js';
import type { Slot } from './themes/slots.js';

/** What all parts of a dataset share. Each part draws from its own fork of the generator. */
export interface GeneratorContext {
  readonly rng: Rng;
  readonly calendar: Calendar;
  readonly sources: Sources;
  /** The time of the oldest run: bugs are visible only in runs. */
  readonly runsSince: Ago;
}

/** What is decided about a val before its first version. */
export interface ValDraft {
  readonly author: Person;
  readonly name: string;
  readonly template: Template;
  /** The imported vals, with their names in the code of this one. */
  readonly imports: ReadonlyMap<Slot, { readonly val: GeneratedVal; readonly alias: string }>;
}

/** A val of the dataset, with all its versions. */
export interface GeneratedVal extends ValDraft {
  readonly type: ValType;
  readonly privacy: Privacy;
  readonly created: Ago;
  /** Vals whose latest version imports this one, oldest first. */
  readonly importers: GeneratedVal[];
  /** Relative number of likes and requests. */
  readonly popularity: number;
  /** Oldest first. */
  readonly versions: readonly GeneratedVersion[];
  readonly latest: GeneratedVersion;
  readonly nextVersion: number;
  readonly readme: string | null;
}

export interface GeneratedVersion {
  readonly number: number;
  readonly created: Ago;
  readonly code: string;
  readonly variant: Variant;
}

/** What decides the code of a version. */
export interface Variant {
  readonly stage: number;
  /** Whether it has the bug of its template. */
  readonly bug: boolean;
  readonly params: ParamValues;
}

/** Formats a reference as fixtures write it. */
export const formatRef = ({ author, name }: Pick<ValDraft, 'author' | 'name'>): string => `${author.username}/${name}`;

const getModuleUrl = (val: GeneratedVal): string => `https://esm.town/v/${formatRef(val)}`;

export const importsVal = (code: string, val: GeneratedVal): boolean => code.includes(`"${getModuleUrl(val)}"`);

export const getVersionAt = ({ versions, latest }: GeneratedVal, ago: Ago): GeneratedVersion =>
  versions.findLast(({ created }) => created >= ago) ?? versions[0] ?? latest;

export const renderCode = (draft: ValDraft, variant: Variant): string =>
  renderVariant(draft, variant, draft.template.code.replaceAll(/import \{ (%\w+)% \}/g, 'import { $1.import% }'));

export const renderReadme = (draft: ValDraft, variant: Variant): string | null =>
  draft.template.readme === undefined ? null : renderVariant(draft, variant, draft.template.readme);

function renderVariant(draft: ValDraft, { stage, bug, params }: Variant, template: string): string {
  const { chatty } = draft.author.style;
  const flags = new Set([...draft.imports.keys(), ...(bug ? ['bug'] : []), ...(chatty ? ['chatty'] : [])]);
  return render(template, { values: getTemplateValues(draft, params), flags, stage });
}

/** All values that the texts of a template can name. */
export function getTemplateValues({ author, name, imports }: ValDraft, params: ParamValues): Map<string, ParamValue> {
  const values = new Map<string, ParamValue>([
    ...author.style.values,
    ...params,
    ['self', name],
    ['user', author.username],
  ]);
  for (const [slot, { val, alias }] of imports) {
    values.set(slot, alias);
    values.set(`${slot}.url`, getModuleUrl(val));
    values.set(`${slot}.import`, alias === val.name ? alias : `${val.name} as ${alias}`);
  }
  return values;
}

/** Chooses the name of an import: the name of the val, or another one if the code already has that name. */
export function chooseAlias(slot: Slot, imported: GeneratedVal, importer: Omit<ValDraft, 'imports'>): string {
  const { author, name, template } = importer;
  const code = template.code
    .replaceAll(/^[^|\n]*\|/gm, '')
    .replaceAll(/%([\w.]+)%/g, (_, key: string) => String(author.style.values.get(key) ?? ''));
  const taken = new Set(code.match(/\w+/g)).add(name);
  const others = [slot === 'email' ? 'sendEmail' : slot, `my${slot.charAt(0).toUpperCase()}${slot.slice(1)}`];
  return [imported.name, ...others].find((alias) => !taken.has(alias)) ?? imported.name;
}
