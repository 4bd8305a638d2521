import { Rng } from '#engine/lib/rng.js';
import { makeContext } from '#vals/generator/context.js';
import { resolveSize } from '#vals/generator/options.js';
import { chooseStyle, type Person } from '#vals/generator/people.js';
import { drawParams } from '#vals/generator/text.js';
import { loadThemes, type ParamValue, type Slot, type Template } from '#vals/generator/themes.js';
import { type GeneratedVal, makeDraft, type ValDraft, type Variant } from '#vals/generator/val.js';
import { chooseName } from '#vals/generator/vals.js';

const { templates, standard, styles } = loadThemes();

export const TEMPLATES: readonly Template[] = [...templates, ...standard];

/** A version of a val that a template allows. */
export interface TemplateCase {
  readonly name: string;
  readonly draft: ValDraft;
  readonly variant: Variant;
}

/** Every template at every stage, with and without its bug and its optional imports, in all styles. */
export function listTemplateCases(): TemplateCase[] {
  const rng = new Rng('variants');
  const { sources } = makeContext(resolveSize({}));
  const names = new Set<string>();
  const all: TemplateCase[] = [];
  for (const [index, template] of TEMPLATES.entries()) {
    const slotLists = [template.needs ?? [], [...(template.needs ?? []), ...(template.uses ?? [])]];
    for (let stage = 0; stage <= template.stages; stage++) {
      for (const hasBug of template.bug && stage >= (template.bug.from ?? 0) ? [false, true] : [false]) {
        for (const slots of slotLists) {
          const params = new Map<string, ParamValue>();
          drawParams(template.params ?? {}, params, { rng, sources });
          const author = makePerson(rng);
          const name = chooseName(author.username, rng.shuffle(template.names), params, names);
          const imports = new Map(slots.map((slot) => [slot, makeImport(slot, rng)]));
          const title = `${index}-${all.length}-${name}-${stage}${hasBug ? '-bug' : ''}${imports.size}`;
          all.push({
            name: title,
            draft: makeDraft({ author, name, template, imports, created: 0, popularity: 1 }),
            variant: { stage, hasBug, params },
          });
        }
      }
    }
  }
  return all;
}

const makePerson = (rng: Rng): Person => ({
  username: `ada${rng.int(0, 999_999)}`,
  email: 'ada@example.com',
  bio: null,
  profileImageUrl: null,
  tier: 'free',
  joined: 0,
  themes: [],
  style: chooseStyle(rng, styles),
  activity: 1,
  reach: 1,
});

function makeImport(slot: Slot, rng: Rng): GeneratedVal {
  const template = rng.pick(TEMPLATES.filter(({ provides }) => provides === slot));
  return {
    author: makePerson(rng),
    name: rng.pick(template.names),
    template,
    type: 'script',
    privacy: 'public',
    created: 0,
    imports: new Map(),
    names: new Map(),
    importers: [],
    popularity: 1,
    versions: [],
    latest: { number: 0, created: 0, code: '', stage: 0, hasBug: false, params: new Map() },
    nextVersion: 1,
    readme: null,
  };
}

/** Formats the name of a test. */
export const formatTitle = (template: Template): string => `${template.type} ${template.names[0]}`;
