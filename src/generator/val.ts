import type { Privacy, ValType } from '../model/schema.js';
import type { Ago } from './calendar.js';
import type { Person } from './people.js';
import { capitalize, render } from './text.js';
import type { Slot } from './themes/slots.js';
import type { ParamValue, Template } from './themes/template.js';

/** What is decided about a val before its first version. */
export interface ValDraft {
  readonly author: Person;
  readonly name: string;
  readonly template: Template;
  readonly imports: ReadonlyMap<Slot, GeneratedVal>;
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

/** What decides the code of a version. */
export interface Variant {
  readonly stage: number;
  /** Whether it has the bug of its template. */
  readonly hasBug: boolean;
  readonly params: ReadonlyMap<string, ParamValue>;
}

export interface GeneratedVersion extends Variant {
  readonly number: number;
  readonly created: Ago;
  readonly code: string;
}

/** Formats a reference as fixtures write it. */
export const formatRef = ({ author, name }: Pick<ValDraft, 'author' | 'name'>): string => `${author.username}/${name}`;

const getModuleUrl = (val: GeneratedVal): string => `https://esm.town/v/${formatRef(val)}`;

export const importsVal = (code: string, val: GeneratedVal): boolean => code.includes(`"${getModuleUrl(val)}"`);

export const getVersionAt = ({ versions, latest }: GeneratedVal, ago: Ago): GeneratedVersion =>
  versions.findLast(({ created }) => created >= ago) ?? versions[0] ?? latest;

export const renderCode = (draft: ValDraft, variant: Variant): string =>
  renderText(draft.template.code.replaceAll(/import \{ (%\w+)% \}/g, 'import { $1.import% }'), draft, variant);

/** Renders a text of the template of a val. */
export function renderText(text: string, draft: ValDraft, { stage, hasBug, params }: Variant): string {
  const { isChatty } = draft.author.style;
  const flags = new Set([...draft.imports.keys(), ...(hasBug ? ['bug'] : []), ...(isChatty ? ['chatty'] : [])]);
  return render(text, getTemplateValues(draft, params), { flags, stage });
}

/** All values that the texts of a template can name. */
export function getTemplateValues(draft: ValDraft, params: Variant['params']): Map<string, ParamValue> {
  const { author, name, imports } = draft;
  const values = new Map([...author.style.values, ...params]).set('self', name).set('user', author.username);
  for (const [slot, val] of imports) {
    const alias = chooseAlias(slot, val, draft);
    values.set(slot, alias);
    values.set(`${slot}.url`, getModuleUrl(val));
    values.set(`${slot}.import`, alias === val.name ? alias : `${val.name} as ${alias}`);
  }
  return values;
}

/** Chooses the name of an import: the name of the val, or another one if the code already has that name. */
function chooseAlias(slot: Slot, imported: GeneratedVal, { author, name, template }: ValDraft): string {
  const code = template.code
    .replaceAll(/^[^|\n]*\|/gm, '')
    .replaceAll(/%([\w.]+)%/g, (_, key: string) => String(author.style.values.get(key) ?? ''));
  const taken = new Set(code.match(/\w+/g)).add(name);
  const aliases = [imported.name, slot === 'email' ? 'sendEmail' : slot, `my${capitalize(slot)}`];
  return aliases.find((alias) => !taken.has(alias)) ?? imported.name;
}
