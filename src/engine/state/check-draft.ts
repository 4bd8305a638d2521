import type { AnyDefinition } from '../definition/define.js';
import { getRecordId, getRecords } from '../definition/definitions.js';
import type { Problem } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import { Collection } from '../store/collection.js';
import type { Draft, State } from './state.js';

/**
 * Checks the parts of a draft that a handler has changed: a program in JavaScript may assign any value.
 * @throws TypeError for a part that is no longer a collection of its definition, and for a wrong record
 */
export function checkDraft(before: State, draft: Draft): void {
  for (const name in before) {
    const old: unknown = Reflect.get(before, name);
    const found: unknown = Reflect.get(draft, name);
    if (found === old) continue;
    const message = old instanceof Collection ? findWrongCollection(old, found) : findWrongPart(old, found);
    if (message !== undefined) throw new TypeError(`state.${name}: ${message}`);
    const definition = before.definitions.byName.get(name);
    if (!definition) continue;
    const put = definition.checkPut ? checkRecords(before, draft, definition) : [];
    const problems = [...put, ...checkDeleted(before, draft, name)];
    if (problems.length > 0) throw new TypeError(problems.map(({ path, message }) => `${path}: ${message}`).join('\n'));
  }
}

function findWrongCollection(old: Collection<object>, found: unknown): string | undefined {
  if (old.isLike(found)) return undefined;
  const shown = found instanceof Collection ? 'another collection' : formatValue(found);
  return `found ${shown}; expected the collection, as its put and delete return it.`;
}

function findWrongPart(old: unknown, found: unknown): string | undefined {
  if (typeof old !== 'number') return 'a handler cannot change it: only collections and nextSerial.';
  return Number.isSafeInteger(found) ? undefined : `found ${formatValue(found)}; expected a whole number.`;
}

/** Checks that nothing refers to the records that a handler has deleted. Costs in proportion to the change. */
function* checkDeleted(before: State, draft: Draft, collection: string): Generator<Problem> {
  const records = getRecords(before, collection);
  for (const { before: deleted, after } of getRecords(draft, collection).diff(records)) {
    if (deleted === undefined || after !== undefined) continue;
    const id = getRecordId(records, deleted);
    for (const { name, reference } of draft.definitions.referring.get(collection) ?? []) {
      const others = getRecords(draft, name);
      for (const other of reference.find(others, id)) {
        const message = `deleted, but ${name}[${formatValue(getRecordId(others, other))}] refers to it; delete that as well.`;
        yield { path: `state.${collection}[${formatValue(id)}]`, message };
        // One is enough to find the rest.
        break;
      }
    }
  }
}

/** Checks the records that a handler has put, and what they refer to. Costs in proportion to the change. */
function* checkRecords(before: State, draft: Draft, definition: AnyDefinition): Generator<Problem> {
  const { name, checkPut, references } = definition;
  const records = getRecords(draft, name);
  for (const { after } of records.diff(getRecords(before, name))) {
    if (after === undefined) continue;
    const path = `state.${name}[${formatValue(getRecordId(records, after))}]`;
    yield* checkPut?.(after, path) ?? [];
    for (const [field, { to, orTo = to, id }] of Object.entries(references)) {
      const reference = id(after);
      const naming = draft.definitions.byName.get(to)?.naming;
      const other = draft.definitions.byName.get(orTo)?.naming;
      if (!reference || !naming || naming.find(draft, reference) || other?.find(draft, reference)) continue;
      const hint = naming.suggest(draft, reference, []);
      yield { path: `${path}.${field}`, message: `there is no record ${formatValue(reference)} in ${to}.${hint}` };
    }
  }
}
