import { makeWeightedSampler, type Rng } from '../lib/rng.js';
import type { Person } from './people.js';
import type { Template } from './template.js';
import type { Slot } from './themes/slots.js';
import { type GeneratedVal, importsVal } from './val.js';

/** Maximum number of providers that are considered per slot. */
const MAX_PROVIDERS = 200;

/** The vals that others can import, by slot. Vals with many importers attract more. */
export class ProviderRegistry {
  readonly #providers = new Map<Slot, GeneratedVal[]>();

  /** Whether this author can import a provider of each slot. */
  hasAll(slots: readonly Slot[], author: Person): boolean {
    return slots.every((slot) => this.#providers.get(slot)?.some((val) => isReadable(val, author)));
  }

  /** Chooses what a new val imports. */
  chooseImports({ needs = [], uses = [] }: Template, author: Person, rng: Rng): Map<Slot, GeneratedVal> {
    const imports = new Map<Slot, GeneratedVal>();
    for (const slot of [...needs, ...uses]) {
      if (!needs.includes(slot) && rng.bool(0.25)) continue;
      const candidates = (this.#providers.get(slot) ?? []).filter((val) => isReadable(val, author));
      const weigh = (val: GeneratedVal) =>
        (1 + 2 * val.importers.length) * Math.max(0.2, val.popularity) * (val.author === author ? 6 : 1);
      const provider = makeWeightedSampler(candidates, weigh)(rng);
      if (provider) imports.set(slot, provider);
    }
    return imports;
  }

  add(val: GeneratedVal): void {
    const { provides } = val.template;
    if (provides) this.#providers.set(provides, limit([...(this.#providers.get(provides) ?? []), val]));
    for (const { val: imported } of val.imports.values()) {
      if (importsVal(val.latest.code, imported)) imported.importers.push(val);
    }
  }
}

const isReadable = ({ privacy, author }: GeneratedVal, person: Person) => privacy === 'public' || author === person;

/** Keeps the most imported and the newest vals. */
function limit(vals: GeneratedVal[]): GeneratedVal[] {
  if (vals.length < MAX_PROVIDERS) return vals;
  const older = vals.slice(0, -MAX_PROVIDERS / 4).sort((a, b) => b.importers.length - a.importers.length);
  return [...older.slice(0, MAX_PROVIDERS / 4), ...vals.slice(-MAX_PROVIDERS / 4)];
}
