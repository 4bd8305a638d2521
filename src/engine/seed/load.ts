import type { Fields, Loading, Row, Work } from '../definition/context.js';
import type { AnyDefinition } from '../definition/define.js';
import { type Definitions, findTimeKey, getRecordId, setRecords } from '../definition/definitions.js';
import { FixtureError, type Problem } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import { finish, inSteps, type Steps, sortInSteps } from '../lib/steps.js';
import type { Instant } from '../lib/time.js';
import { deriveId, emptyState, fork, type Settings, type State } from '../state/state.js';
import type { OnProgress, RawFixtures } from './read.js';
import { RecordBuilder } from './record-builder.js';
import { eachRow, type ValidatedCollection, type ValidatedFixtures, validateFixtures } from './validate.js';

/** Approximate memory of a loaded record in bytes. */
export const RECORD_MEMORY = 1_200;

export interface LoadedFixtures {
  readonly state: State;
  /**
   * Loads the same fixtures into another state, with relative times that count from `now`. Undefined for fixtures without
   * relative times.
   * @throws FixtureError when the times no longer fit together
   */
  readonly loadAgain: ((now: Instant) => State) | undefined;
}

export interface LoadOptions {
  readonly onProgress?: OnProgress | undefined;
  /** Default: of a program */
  readonly work?: Work | undefined;
  /** Called with the path and the id of each record that a row becomes. */
  readonly onRecord?: ((path: string, id: string) => void) | undefined;
}

interface LoadTarget {
  readonly definitions: Definitions;
  readonly settings: Settings;
}

/**
 * Loads fixtures into a new state.
 * @param now the time from which relative times count
 * @throws FixtureError with all problems
 */
export function* loadFixtures(
  raw: RawFixtures,
  target: LoadTarget,
  now: Instant,
  { work = { isRequest: false }, ...listeners }: LoadOptions = {},
): Steps<LoadedFixtures> {
  const problems = [...raw.problems];
  const validated = yield* validateFixtures(raw, target.definitions, problems);
  const loader = yield* build(validated, work, problems, target, now, listeners);
  const loadAgain = (later: Instant): State => finish(build(validated, work, [], target, later)).sets;
  return { state: loader.sets, loadAgain: loader.hasRelativeTimes ? loadAgain : undefined };
}

/** @throws FixtureError with these problems and those that it finds */
function* build(
  validated: ValidatedFixtures,
  work: Work,
  problems: readonly Problem[],
  target: LoadTarget,
  now: Instant,
  { onProgress, onRecord }: LoadOptions = {},
): Steps<FixtureLoader> {
  const count = ({ records }: ValidatedCollection<object>): number => records.length;
  const total = [...validated.values()].reduce((sum, collection) => sum + count(collection), 0);
  let done = 0;
  const report = () => onProgress?.({ step: 'loading', done, total, unit: 'records' });
  const loader = new FixtureLoader(validated, work, target, now, (path, id) => {
    onRecord?.(path, id);
    if (++done % 1_000 === 0) report();
  });
  for (const definition of target.definitions.all) {
    yield* loader.load(definition);
    report();
  }
  loader.checkInvalidRecords(new Set(problems.map(({ path }) => path)));
  const all = [...problems, ...loader.problems];
  if (all.length > 0) throw new FixtureError(all);
  return loader;
}

/** Builds the collections one after another: each refers to those before it. */
class FixtureLoader extends RecordBuilder implements Loading {
  readonly #validated: ValidatedFixtures;
  readonly onRecord: (path: string, id: string) => void;
  /** The paths of the unique values of the collection that is loaded. */
  #taken = new Map<string, string>();

  constructor(
    validated: ValidatedFixtures,
    work: Work,
    { settings, definitions }: LoadTarget,
    now: Instant,
    onRecord: (path: string, id: string) => void,
  ) {
    const draft = fork({ ...emptyState(settings, definitions), loadedAt: now });
    super(draft, work, now, (name) => deriveId(settings, name));
    this.onRecord = onRecord;
    this.#validated = validated;
    for (const [name, { invalid }] of validated) {
      for (const { record } of invalid) this.markInvalid(name, toFields(record));
    }
  }

  collection(name: string): ValidatedCollection<object> {
    return this.#validated.get(name) ?? { path: name, records: [], invalid: [] };
  }

  rows(name: string): Iterable<Row<object>> {
    return eachRow(this.collection(name));
  }

  hasInvalid(name: string): boolean {
    return this.collection(name).invalid.length > 0;
  }

  *eachReference(collection: string) {
    for (const { name, schema, references } of this.sets.definitions.all) {
      const field = Object.keys(references).find((key) => {
        const { to, orTo } = references[key] ?? {};
        return to === collection || orTo === collection;
      });
      const timeKey = findTimeKey(schema);
      if (field === undefined || timeKey === undefined) continue;
      for (const { record } of this.rows(name)) {
        const fields = toFields(record);
        yield { reference: String(fields[field]), time: String(fields[timeKey]) };
      }
    }
  }

  reserve(path: string, kind: string, value: string): boolean {
    const first = this.#taken.get(`${kind} ${value}`);
    if (first === undefined) this.#taken.set(`${kind} ${value}`, path);
    else this.report(path, `the ${kind} ${formatValue(value)} is taken by ${first}; expected another one.`);
    return first === undefined;
  }

  put(name: string, records: readonly object[]): void {
    const definition = this.sets.definitions.byName.get(name);
    if (definition) setRecords(this.sets, name, definition.collect(records));
  }

  *load(definition: AnyDefinition): Steps<void> {
    this.#taken = new Map();
    yield* definition.load ? definition.load(this) : this.#build(definition);
  }

  /** Builds a collection of records that refer to other ones. */
  *#build(definition: AnyDefinition): Steps<void> {
    const { name, build, collect, owner = '', prepare, references, twin } = definition;
    for (const { record } of prepare ? this.rows(name) : []) yield* prepare?.(record, this.work, this.now) ?? [];
    const ordinals = new Map<object | undefined, number>();
    const empty = collect([]);
    const target = references[owner]?.to;
    const rows: (Row<object> & { readonly id: string })[] = [];
    yield* inSteps(this.rows(name), (row) => {
      const owned = target === undefined ? undefined : this.peek(target, String(toFields(row.record)[owner]));
      const ordinal = ordinals.get(owned) ?? 0;
      ordinals.set(owned, ordinal + 1);
      const record = build?.(this, row, ordinal);
      if (!record) return;
      const id = getRecordId(empty, record);
      rows.push({ record, path: row.path, id });
      this.onRecord(row.path, id);
    });
    // A collection sorts them again, which takes no time then.
    const sorted = yield* sortInSteps(rows, (a, b) => compareTexts(a.id, b.id));
    const collected = collect(sorted.map(({ record }) => record));
    // Fewer records: some have the same identity.
    if (collected.size < rows.length) this.#reportTwins(rows, twin);
    setRecords(this.sets, name, collected);
  }

  #reportTwins(rows: readonly { readonly id: string; readonly path: string }[], twin: AnyDefinition['twin']): void {
    const taken = new Map<string, string>();
    for (const { id, path } of rows) {
      const first = taken.get(id);
      if (!twin) this.reserve(`${path}.id`, 'id', id);
      else if (first === undefined) taken.set(id, path);
      else this.problems.push(twin.inFixtures(path, first));
    }
  }

  /** Reports the unknown references of invalid records. @param reported paths that have a problem already */
  checkInvalidRecords(reported: ReadonlySet<string>): void {
    const targets = new Map(
      this.sets.definitions.all.flatMap(({ references }) =>
        Object.entries(references).map(([field, { to, orTo }]) => [field, orTo === undefined ? to : undefined]),
      ),
    );
    for (const { path, record } of [...this.#validated.values()].flatMap(({ invalid }) => invalid)) {
      for (const [field, reference] of Object.entries(toFields(record))) {
        const target = targets.get(field);
        if (typeof reference !== 'string' || target === undefined || reported.has(`${path}.${field}`)) continue;
        this.find(target, reference, `${path}.${field}`);
      }
    }
  }
}

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

const toFields = (record: unknown): Fields => Object(record);
