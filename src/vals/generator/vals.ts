import { makeWeightedSampler } from '#engine/lib/rng.js';
import { mapInSteps, type Steps } from '#engine/lib/steps.js';
import { type Ago, DAY, HOUR, MINUTE } from './calendar.js';
import type { GeneratorContext } from './context.js';
import { LIBRARY } from './context.js';
import type { Person } from './people.js';
import { drawParams, interpolate, type Values } from './text.js';
import type { ParamValue, Slot, Template } from './themes.js';
import { type GeneratedVal, importsVal, makeDraft, renderText, writeHistory } from './val.js';

/** HTTP vals that are older than this have the older runtime. */
const NEW_RUNTIME: Ago = 150 * DAY;
const MAX_NAME_LENGTH = 48;
/** Maximum number of vals that are considered per import. */
const MAX_PROVIDERS = 200;

/** How likely an author is to use a template. */
const WEIGHTS = { ownTheme: 3, otherTheme: 0.1, common: 0.22, scratch: 0.45 };

/** The properties of all vals before the first is written. Only the standard library has given templates. */
type Plan = Pick<GeneratedVal, 'author' | 'created'> & { readonly template?: Template };

/** Creates the vals of all people, oldest first. */
export function makeVals(people: readonly Person[], context: GeneratorContext): Steps<GeneratedVal[]> {
  const rng = context.rng.fork('vals');
  const { common, scratch, standard, templates } = context.data;
  const library = context.hasLibrary ? people.find(({ username }) => username === LIBRARY) : undefined;
  /** The vals that others can import. */
  const providers = new Map<Slot, readonly GeneratedVal[]>();
  const takenNames = new Set<string>();
  const usesByAuthor = new Map<Person, Map<Template, number>>();
  return mapInSteps(planVals(), writeVal);

  function planVals(): Plan[] {
    const sampleAuthor = makeWeightedSampler(people, ({ activity }) => activity);
    const plans: Plan[] = library
      ? standard.map((template, index) => ({ author: library, created: library.joined - index * HOUR, template }))
      : [];
    while (plans.length < context.size.vals) {
      const author = sampleAuthor(rng) ?? people[0];
      if (!author) break;
      plans.push({ author, created: context.timeAt(rng.next(), 30 * MINUTE, author.joined) });
    }
    return plans.sort((a, b) => b.created - a.created);
  }

  function writeVal({ author, created, template: given }: Plan): GeneratedVal {
    const template = given ?? chooseTemplate(author);
    const params = new Map<string, ParamValue>();
    drawParams(template.params ?? {}, params, { ...context, rng }, created);
    const name = chooseName(author.username, rng.shuffle(template.names), params, takenNames);
    const imports = chooseImports(template, author);
    const privacy =
      given || rng.bool(template.provides ? 0.88 : 0.64) ? 'public' : rng.bool(0.35) ? 'unlisted' : 'private';
    const popularity =
      privacy === 'public' ? (template.popularity ?? 1) * rng.longTail(1) * Math.sqrt(author.reach) : 0;
    const draft = makeDraft({ author, name, template, imports, created, popularity });
    const { versions, latest } = writeHistory(draft, params, { ...context, rng });
    const hasReadme = given || rng.bool(privacy === 'private' ? 0.1 : template.provides ? 0.75 : 0.5);
    const isOldHttp = template.type === 'http' && rng.bool(created > NEW_RUNTIME ? 0.8 : 0.08);
    const val: GeneratedVal = {
      ...draft,
      imports,
      type: template.type === 'http' && !isOldHttp ? 'httpnext' : template.type,
      privacy,
      importers: [],
      versions,
      latest,
      nextVersion: latest.number + (rng.bool(0.03) ? 2 : 1),
      readme:
        hasReadme && template.readme !== undefined
          ? addCompany(renderText(template.readme, draft, latest), author)
          : null,
    };
    const { provides } = template;
    if (provides) providers.set(provides, limitProviders([...(providers.get(provides) ?? []), val]));
    for (const imported of imports.values()) if (importsVal(latest.code, imported)) imported.importers.push(val);
    return val;
  }

  /** Mentions the company of the caller in the readmes of every third author. */
  function addCompany(readme: string, author: Person): string {
    const { company } = context;
    const isAtWork = company !== undefined && author !== library && people.indexOf(author) % 3 === 0;
    return isAtWork ? `${readme}\n\nMaintained at ${company}.` : readme;
  }

  /** Chooses a template that suits the author and that they have seldom used. */
  function chooseTemplate(author: Person): Template {
    const uses = usesByAuthor.get(author) ?? new Map<Template, number>();
    usesByAuthor.set(author, uses);
    const possible = templates.filter(({ needs = [] }) =>
      needs.every((slot) => providers.get(slot)?.some((val) => isReadable(val, author))),
    );
    const weigh = (template: Template) => {
      const times = uses.get(template) ?? 0;
      return getWeight(template, author) / (1 + times * times);
    };
    const template = makeWeightedSampler(possible, weigh)(rng);
    if (!template) throw new Error('Every template needs another val');
    uses.set(template, (uses.get(template) ?? 0) + 1);
    return template;
  }

  function getWeight(template: Template, { themes }: Person): number {
    if (themes.some((theme) => theme.templates.includes(template))) return WEIGHTS.ownTheme;
    if (common.includes(template)) return WEIGHTS.common;
    return scratch.includes(template) ? WEIGHTS.scratch : WEIGHTS.otherTheme;
  }

  /** Chooses the imports of a new val. Vals with many importers attract more. */
  function chooseImports({ needs = [], uses = [] }: Template, author: Person): Map<Slot, GeneratedVal> {
    const imports = new Map<Slot, GeneratedVal>();
    for (const slot of [...needs, ...uses]) {
      if (!needs.includes(slot) && rng.bool(0.25)) continue;
      const candidates = (providers.get(slot) ?? []).filter((val) => isReadable(val, author));
      const weigh = (val: GeneratedVal) =>
        (1 + 2 * val.importers.length) * Math.max(0.2, val.popularity) * (val.author === author ? 6 : 1);
      const provider = makeWeightedSampler(candidates, weigh)(rng);
      if (provider) imports.set(slot, provider);
    }
    return imports;
  }
}

const isReadable = ({ privacy, author }: GeneratedVal, person: Person) => privacy === 'public' || author === person;

/** Keeps the most imported and the newest vals. */
function limitProviders(vals: readonly GeneratedVal[]): readonly GeneratedVal[] {
  if (vals.length < MAX_PROVIDERS) return vals;
  const older = vals.slice(0, -MAX_PROVIDERS / 4).sort((a, b) => b.importers.length - a.importers.length);
  return [...older.slice(0, MAX_PROVIDERS / 4), ...vals.slice(-MAX_PROVIDERS / 4)];
}

/** Chooses a name that is unique for the author, ignoring case, and adds it to the `taken` ones. */
export function chooseName(username: string, templates: readonly string[], params: Values, taken: Set<string>): string {
  const names = templates.map((template) => toValName(template, params));
  const [first = 'untitled'] = names;
  for (let attempt = 0; ; attempt++) {
    const name = names[attempt] ?? `${first.slice(0, MAX_NAME_LENGTH - 6)}${attempt - names.length + 2}`;
    const key = `${username}/${name.toLowerCase()}`;
    if (taken.has(key)) continue;
    taken.add(key);
    return name;
  }
}

function toValName(template: string, params: Values): string {
  const name = interpolate(template, params).replaceAll(/[^a-zA-Z0-9_]/g, '');
  const cased = template.startsWith('%')
    ? name.replace(/^(?:[A-Z]+(?=[A-Z][a-z])|[A-Z])/, (first) => first.toLowerCase())
    : name;
  return (/^[a-zA-Z]/.test(cased) ? cased : `my${cased}`).slice(0, MAX_NAME_LENGTH);
}
