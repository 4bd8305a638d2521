import type { Fields } from '../definition/context.js';
import { getDefinition, getRecords } from '../definition/definitions.js';
import { toNoun } from '../definition/nouns.js';
import type { Problem } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import type { State } from '../state/state.js';

/** Errors that come with a suggestion: each compares all names. */
const MAX_SUGGESTIONS = 20;
const ANY = '*';

/** Finds the records that other records refer to, and reports unknown ones. */
export class ReferenceResolver {
  readonly problems: Problem[] = [];
  readonly #state: State;
  readonly #known = new Map<string, object>();
  /** Names and ids of records with errors, by collection. */
  readonly #invalid = new Map<string, Set<string>>();
  #suggestions = 0;

  constructor(state: State) {
    this.#state = state;
  }

  report(path: string, message: string): undefined {
    this.problems.push({ path, message });
  }

  /** Marks a record with errors. A reference that may mean this record is not a second error. */
  markInvalid(collection: string, fields: Fields): void {
    const names = this.#invalid.get(collection) ?? new Set();
    this.#invalid.set(collection, names);
    names.add(this.#getNaming(collection)?.alias(fields) ?? ANY);
    if (typeof fields.id === 'string') names.add(fields.id.toLowerCase());
  }

  find(collection: string, reference: string, path: string): object | undefined {
    const record = this.peek(collection, reference);
    if (record) return record;
    const invalid = this.#invalid.get(collection) ?? new Set();
    const naming = this.#getNaming(collection);
    const aliases = naming?.aliases(this.#state, reference) ?? [reference.toLowerCase()];
    if ([ANY, ...aliases].some((name) => invalid.has(name))) return undefined;
    const isBounded = ++this.#suggestions <= MAX_SUGGESTIONS;
    const closest = isBounded ? naming?.suggest(this.#state, reference, invalid) : '';
    const advice = closest || (naming?.usage ?? '');
    return this.report(path, `there is no ${toNoun(collection)} ${formatValue(reference)}.${advice}`);
  }

  /** Finds a record without a report. */
  peek(collection: string, reference: string): object | undefined {
    const key = `${collection} ${reference}`;
    const known = this.#known.get(key);
    if (known) return known;
    const naming = this.#getNaming(collection);
    const found = naming
      ? naming.find(this.#state, reference)
      : getRecords(this.#state, collection).get(reference.toLowerCase());
    if (found) this.#known.set(key, found);
    return found;
  }

  #getNaming(collection: string) {
    return getDefinition(this.#state.definitions, collection).naming;
  }
}
