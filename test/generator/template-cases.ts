import { makeFakers, makeSources } from '../../src/generator/faker.js';
import { compileParams, type ParamValue } from '../../src/generator/param-specs.js';
import { chooseStyle, type Person } from '../../src/generator/people.js';
import type { Template } from '../../src/generator/template.js';
import { TEMPLATES } from '../../src/generator/themes/index.js';
import type { Slot } from '../../src/generator/themes/slots.js';
import { chooseAlias, type GeneratedVal, type ValDraft, type Variant } from '../../src/generator/val.js';
import { chooseName } from '../../src/generator/vals.js';
import { Rng } from '../../src/lib/rng.js';

/** A version of a val that a template allows. */
export interface TemplateCase {
  readonly name: string;
  readonly draft: ValDraft;
  readonly variant: Variant;
}

/** Every template at every stage, with and without its bug and its optional imports, in all styles. */
export function listTemplateCases(): TemplateCase[] {
  const rng = new Rng('variants');
  const sources = makeSources(makeFakers(rng).english);
  const names = new Set<string>();
  const all: TemplateCase[] = [];
  for (const [index, template] of TEMPLATES.entries()) {
    const slotLists = [template.needs ?? [], [...(template.needs ?? []), ...(template.uses ?? [])]];
    for (let stage = 0; stage <= template.stages; stage++) {
      for (const bug of template.bug && stage >= (template.bug.from ?? 0) ? [false, true] : [false]) {
        for (const slots of slotLists) {
          const params = new Map<string, ParamValue>();
          compileParams(template.params ?? {}, sources)(rng, params, 0);
          const author = makePerson(rng);
          const name = chooseName(author, rng.shuffle(template.names), params, names);
          const head = { author, name, template };
          const imports = new Map(slots.map((slot) => [slot, makeImport(slot, head, rng)]));
          const title = `${index}-${name}-${stage}${bug ? '-bug' : ''}${imports.size}`;
          all.push({ name: title, draft: { ...head, imports }, variant: { stage, bug, params } });
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
  style: chooseStyle(rng),
  activity: 1,
  reach: 1,
});

function makeImport(
  slot: Slot,
  head: Omit<ValDraft, 'imports'>,
  rng: Rng,
): { readonly val: GeneratedVal; readonly alias: string } {
  const template = rng.pick(TEMPLATES.filter(({ provides }) => provides === slot));
  const val: GeneratedVal = {
    author: makePerson(rng),
    name: rng.pick(template.names),
    template,
    type: 'script',
    privacy: 'public',
    created: 0,
    imports: new Map(),
    importers: [],
    popularity: 1,
    versions: [],
    latest: { number: 0, created: 0, code: '', variant: { stage: 0, bug: false, params: new Map() } },
    nextVersion: 1,
    readme: null,
  };
  return { val, alias: chooseAlias(slot, val, head) };
}

/** Formats the name of a test. */
export const formatTitle = (template: Template): string => `${template.type} ${template.names[0]}`;
