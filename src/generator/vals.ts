import { makeWeightedSampler, type Rng } from '../lib/rng.js';
import { type Ago, DAY, HOUR, MINUTE } from './calendar.js';
import { writeHistory } from './history.js';
import { compileParams, type ParamValue, type ParamValues } from './param-specs.js';
import { LIBRARY, type Person } from './people.js';
import { ProviderRegistry } from './providers.js';
import type { Template } from './template.js';
import { interpolate } from './text.js';
import { COMMON, SCRATCH, STANDARD, TEMPLATES } from './themes/index.js';
import { chooseAlias, type GeneratedVal, type GeneratorContext, renderReadme } from './val.js';

/** HTTP vals that are older than this have the older runtime. */
const NEW_RUNTIME: Ago = 150 * DAY;
const MAX_NAME_LENGTH = 48;

/** How likely an author is to use a template. */
const WEIGHTS = { ownTheme: 3, otherTheme: 0.1, common: 0.22, scratch: 0.45 };

const USER_TEMPLATES = TEMPLATES.filter((template) => !STANDARD.includes(template));

interface Plan {
  readonly author: Person;
  readonly created: Ago;
  /** Given for the standard library; chosen for others. */
  readonly template?: Template;
}

/** Creates the vals of all people, oldest first. */
export function makeVals(count: number, people: readonly Person[], hasLibrary: boolean, context: GeneratorContext) {
  const { calendar, sources } = context;
  const rng = context.rng.fork('vals');
  const library = hasLibrary ? people.find(({ username }) => username === LIBRARY) : undefined;
  const providers = new ProviderRegistry();
  const takenNames = new Set<string>();
  const chooseTemplate = makeTemplateChooser(providers);
  return planVals().map(writeVal);

  function planVals(): Plan[] {
    const sampleAuthor = makeWeightedSampler(people, ({ activity }) => activity);
    const plans: Plan[] = library
      ? STANDARD.map((template, index) => ({ author: library, created: library.joined - index * HOUR, template }))
      : [];
    while (plans.length < count) {
      const author = sampleAuthor(rng) ?? people[0];
      if (!author) break;
      plans.push({ author, created: calendar.between(rng, 30 * MINUTE, author.joined) });
    }
    return plans.sort((a, b) => b.created - a.created);
  }

  function writeVal({ author, created, template: given }: Plan): GeneratedVal {
    const template = given ?? chooseTemplate(author, rng);
    const params = new Map<string, ParamValue>();
    compileParams(template.params ?? {}, sources)(rng, params, created);
    const name = chooseName(author, rng.shuffle(template.names), params, takenNames);
    const imported = providers.chooseImports(template, author, rng);
    const imports = new Map(
      [...imported].map(([slot, val]) => [slot, { val, alias: chooseAlias(slot, val, { author, name, template }) }]),
    );
    const draft = { author, name, template, imports, created };
    const privacy =
      given || rng.bool(template.provides ? 0.88 : 0.64) ? 'public' : rng.bool(0.35) ? 'unlisted' : 'private';
    const popularity =
      privacy === 'public' ? (template.popularity ?? 1) * rng.longTail(1) * Math.sqrt(author.reach) : 0;
    const { versions, latest } = writeHistory({ ...draft, params, popularity }, { ...context, rng });
    const hasReadme = given || rng.bool(privacy === 'private' ? 0.1 : template.provides ? 0.75 : 0.5);
    const isOldHttp = template.type === 'http' && rng.bool(created > NEW_RUNTIME ? 0.8 : 0.08);
    const val: GeneratedVal = {
      ...draft,
      type: template.type === 'http' && !isOldHttp ? 'httpnext' : template.type,
      privacy,
      importers: [],
      popularity,
      versions,
      latest,
      nextVersion: latest.number + (rng.bool(0.03) ? 2 : 1),
      readme: hasReadme ? renderReadme(draft, latest.variant) : null,
    };
    providers.add(val);
    return val;
  }
}

/** Returns a function that chooses templates which suit an author and which they have seldom used. */
function makeTemplateChooser(providers: ProviderRegistry) {
  const usesByAuthor = new Map<Person, Map<Template, number>>();
  return (author: Person, rng: Rng): Template => {
    const uses = usesByAuthor.get(author) ?? new Map<Template, number>();
    usesByAuthor.set(author, uses);
    const possible = USER_TEMPLATES.filter(({ needs = [] }) => providers.hasAll(needs, author));
    const weigh = (template: Template) => {
      const times = uses.get(template) ?? 0;
      return getWeight(template, author) / (1 + times * times);
    };
    const template = makeWeightedSampler(possible, weigh)(rng);
    if (!template) throw new Error('Every template needs another val');
    uses.set(template, (uses.get(template) ?? 0) + 1);
    return template;
  };
}

function getWeight(template: Template, { themes }: Person): number {
  if (themes.some(({ templates }) => templates.includes(template))) return WEIGHTS.ownTheme;
  if (COMMON.includes(template)) return WEIGHTS.common;
  return SCRATCH.includes(template) ? WEIGHTS.scratch : WEIGHTS.otherTheme;
}

/** Chooses a name that is unique for the author, ignoring case. @param taken gets the name */
export function chooseName(
  { username }: Person,
  templates: readonly string[],
  params: ParamValues,
  taken: Set<string>,
): string {
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

function toValName(template: string, params: ParamValues): string {
  const name = interpolate(template, params).replaceAll(/[^a-zA-Z0-9_]/g, '');
  const cased = template.startsWith('%')
    ? name.replace(/^(?:[A-Z]+(?=[A-Z][a-z])|[A-Z])/, (first) => first.toLowerCase())
    : name;
  return (/^[a-zA-Z]/.test(cased) ? cased : `my${cased}`).slice(0, MAX_NAME_LENGTH);
}
