import { toNoun } from '#engine/definition/nouns.js';
import type { Rng } from '#engine/lib/rng.js';
import { OF_A_SANDBOX, OPERATIONS, type Operation, RECORDS, type Schema } from './operations.js';
import { BODIES, NASTY, NO_ID, SKIPPED, VALUES, type Values } from './values.js';

/** A random request to an operation. */
export interface RandomRequest {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Undefined for none. */
  readonly body: unknown;
  /** Undefined for none. */
  readonly token: string | undefined;
  /** With its params filled in, without its query. */
  readonly path: string;
}

export interface GeneratorOptions {
  /** Default: {@link OF_A_SANDBOX} */
  readonly operations?: readonly Operation[] | undefined;
  /** Probability of an invalid or malicious value for each key. Default: 0.02 */
  readonly nasty?: number | undefined;
  /** The only keys and values of requests. Default: all that the schemas allow, with some from `values.ts` */
  readonly only?: { readonly values: Values; readonly bodies: Values } | undefined;
}

/** How often an operation is drawn: writes of the API most of all. */
function weigh({ id, method, isControl }: Operation): number {
  if (id === 'reset' || id === 'reseed') return 1;
  // One of them takes everything away that a caller has.
  if (id === 'deleteRecord' || id === 'restoreSnapshot' || id === 'rewind') return 4;
  // Faults show more kinds of responses than anything else.
  if (id === 'armFault') return 120;
  return (isControl ? 10 : 30) * (method === 'GET' ? 1 : 2);
}

/** The collections of which the values of a parameter are, where its name and path do not say so. */
const COLLECTIONS: Readonly<Record<string, string>> = {
  '/v1/vals': 'vals',
  '/v2/vals': 'projects',
  evaluation_id: 'runs',
  org_id: 'organizations',
  orgId: 'organizations',
};
/** Values that are remembered for each key. */
const MEMORY = 24;

/** Characters of a text in a query: Node refuses a request line beyond 16 KiB, which only a socket has. */
const LONGEST_IN_QUERY = 2_000;

const withShortTexts = (query: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query).map(([key, value]) => [
      key,
      typeof value === 'string' ? value.slice(0, LONGEST_IN_QUERY) : value,
    ]),
  );

/** Draws requests from the schemas of the operations, and from the values that responses have shown. */
export class RequestGenerator {
  #rng: Rng;
  readonly #only: GeneratorOptions['only'];
  readonly #nasty: number;
  readonly #operations: readonly Operation[];
  /** By key, and by the path of the collection that a path parameter chooses from. */
  readonly #known = new Map<string, unknown[]>();
  #made = 0;
  #learned = 0;

  constructor(rng: Rng, { operations = OF_A_SANDBOX, nasty = 0.02, only }: GeneratorOptions = {}) {
    this.#rng = rng;
    this.#only = only;
    this.#nasty = nasty;
    this.#operations = operations.flatMap((each) => Array<Operation>(weigh(each)).fill(each));
  }

  /** Learns the records of an export, which are those that fixtures name. */
  learnState(state: object): this {
    for (const [collection, records] of Object.entries(state)) {
      for (const record of Array.isArray(records) ? records : []) {
        this.#learnItem(`/_emulator/records/${collection}`, record);
        for (const [place, each] of Object.entries(COLLECTIONS))
          if (each === collection) this.#remember(place, record.id);
        this.#learnKeys(record);
      }
    }
    return this;
  }

  /** Learns what the response to a request has. */
  learn({ path, operation }: RandomRequest, status: number, body: unknown): void {
    if (status >= 300 || typeof body !== 'object' || body === null) return;
    const { adds } = operation;
    const shown = adds === undefined ? body : Object(body)[adds];
    const listed = Array.isArray(shown) ? shown : Array.isArray(Object(shown).data) ? Object(shown).data : [shown];
    const name = adds === undefined ? findItemParam(operation) : 'id';
    for (const item of listed.slice(0, 5)) {
      if (name !== undefined) this.#learnItem(adds === undefined ? path : `${path}/${adds}`, item, name);
      this.#learnKeys(item);
    }
  }

  /** @param rng draws this and all later requests. Default: as before */
  next(rng = this.#rng): RandomRequest {
    this.#rng = rng;
    return this.to(this.#rng.pick(this.#operations));
  }

  /** Draws a request to an operation. */
  to(operation: Operation): RandomRequest {
    const params: Record<string, string> = {};
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string, index: number) => {
      const before = operation.path.slice(0, index - 1).replace(/\{(\w+)\}/g, (_, each: string) => params[each] ?? '');
      params[name] = this.#param(operation, name, before);
      return encodeURIComponent(params[name]);
    });
    const drawn = withShortTexts(this.#object(operation, operation.query));
    // Without it, the default sandbox of a cluster refuses, and no other one.
    const query = operation.query.properties?.confirm ? { ...drawn, confirm: true } : drawn;
    const body = this.#body(operation, params);
    const { adds } = operation;
    return { operation, params, query, path, body: adds === undefined ? body : { [adds]: body }, token: this.#token() };
  }

  #token(): string | undefined {
    if (this.#rng.bool(0.04)) return this.#rng.bool() ? undefined : 'unknown token';
    // The first one has most of the records of the fixtures.
    const first = this.#rng.bool(0.3) ? this.#known.get('token')?.[0] : undefined;
    return String(first ?? this.#recall('token') ?? 'unknown token');
  }

  #param(operation: Operation, name: string, before: string): string {
    const schema = operation.params.properties?.[name] ?? {};
    const isAnywhere = COLLECTIONS[before] === undefined && !(this.#only && this.#own(operation, name));
    const known = this.#recall(before) ?? (isAnywhere ? this.#recall(name) : undefined);
    const isKnown = known !== undefined && this.#rng.bool(0.92);
    const value = toText(isKnown ? known : this.#value(operation, name, schema));
    // No URL contains these.
    return /^\.{0,2}$/.test(value) || !value.isWellFormed() ? 'x' : value;
  }

  #body(operation: Operation, params: Readonly<Record<string, string>>): unknown {
    const { id, body, bodyType, isControl } = operation;
    const whole = (this.#only?.bodies ?? BODIES)[id];
    if (bodyType === 'bytes') return this.#rng.pick(whole ?? ['', '{"a":1}', '"ä"', '\0\u00ff']);
    if (!body) return undefined;
    if (!this.#only && this.#rng.bool(this.#nasty / 2)) return this.#rng.pick(NASTY);
    if (whole) return this.#rng.pick(whole);
    if (id === 'reseed') return this.#seed();
    const record = isControl ? RECORDS[params.collection ?? ''] : undefined;
    return this.#value(operation, '', record ?? body);
  }

  /** Seed data: users and their vals. */
  #seed(): object {
    const names = ['ada', 'bob', 'cleo', 'dan', 'eve', 'fay'].slice(0, this.#rng.int(3, 6));
    return {
      users: names.map((username) => ({ username, token: `${username} token` })),
      vals: names.map((author) => ({ author, name: 'val0', code: '1' })),
    };
  }

  /** Draws a value that fits a schema, or nearly. */
  #value(operation: Operation, key: string, given: Schema, depth = 0): unknown {
    const rng = this.#rng;
    const own = this.#own(operation, key);
    if (own && this.#only) return rng.pick(own);
    if (!this.#only && rng.bool(this.#nasty)) return rng.pick(NASTY);
    const { allOf, anyOf, ...rest } = given;
    const schema: Schema = allOf ? { ...rest, ...allOf[0] } : anyOf ? rng.pick(anyOf) : given;
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return rng.pick(schema.enum);
    if (own && rng.bool(0.9)) return rng.pick(own);
    if (schema.anyOf || schema.allOf) return this.#value(operation, key, schema, depth);
    const type = Array.isArray(schema.type) ? rng.pick(schema.type) : schema.type;
    if (type === 'object' || (type === undefined && schema.properties))
      return this.#object(operation, schema, depth, key);
    if (type === 'array') {
      const length = depth > 3 ? 0 : rng.int(key === '' ? 1 : 0, 3);
      return Array.from({ length }, () => this.#value(operation, toNoun(key), schema.items ?? {}, depth + 1));
    }
    if (type === 'integer' || type === 'number') return this.#number(schema);
    if (type === 'boolean') return rng.bool();
    if (type === 'null') return null;
    if (type === 'string') return this.#text(key, schema);
    // Any JSON.
    return rng.pick([null, 'a', 1, true, { a: [] }, [1, 'b']]);
  }

  #own(operation: Operation, key: string): readonly unknown[] | undefined {
    const values = this.#only?.values ?? VALUES;
    return values[`${operation.id}.${key}`] ?? values[key];
  }

  #object(operation: Operation, schema: Schema, depth = 0, key = ''): Record<string, unknown> {
    const rng = this.#rng;
    const properties = (!schema.properties && RECORDS[key]?.properties) || schema.properties || {};
    const isDrawn = (each: string) => (this.#only ? this.#own(operation, each) !== undefined : !SKIPPED.has(each));
    const keys = Object.keys(properties).filter(isDrawn);
    const required = new Set(schema.required?.filter((each) => Object(properties[each]).default === undefined));
    const optional = keys.filter((each) => !required.has(each));
    const share = Math.min(0.5, 2 / Math.max(1, optional.length));
    const some = keys.filter((each) => rng.bool(required.has(each) ? 0.98 : share));
    const chosen = schema.maxProperties === 1 ? [rng.pick(keys)] : some;
    return Object.fromEntries(
      chosen.map((each) => [each, this.#value(operation, each, properties[each] ?? {}, depth + 1)]),
    );
  }

  #number({ minimum, maximum = 999 }: Schema): number {
    const rng = this.#rng;
    if (rng.bool(0.05)) return rng.pick([-1, 0, 1.5, maximum + 1]);
    return Math.min(maximum, (minimum ?? 0) + rng.int(0, rng.pick([1, 3, 3, 20, 400])));
  }

  #text(key: string, { format, pattern = '' }: Schema): string {
    const rng = this.#rng;
    const known = this.#recall(key);
    if (typeof known === 'string' && rng.bool(0.75)) return known;
    if (format === 'uuid' || pattern.includes('{12}')) return rng.bool(0.8) ? this.#newId() : NO_ID;
    if (format === 'date-time') return rng.pick(['2024-06-11T22:00:00Z', '2024-06-10T00:00:00+02:00']);
    if (format === 'fixture-time') return `-${rng.int(0, 90)}m`;
    if (format === 'fixture-duration') return `${rng.int(1, 90)}s`;
    if (format === 'fixture-url') return 'https://example.com/a.png';
    return `${toNoun(key) || 'a'}${rng.int(0, 8)}`.replaceAll(/[^a-zA-Z0-9_]/g, '_');
  }

  #newId = () => `20000000-0000-4000-8000-${String(this.#made++).padStart(12, '0')}`;

  /** Learns the item that a path has, or that it lists. */
  #learnItem(path: string, item: unknown, param = 'id'): void {
    const { [param]: named, id, name, key } = Object(item);
    const value = named ?? id ?? name ?? key;
    if (value === undefined) return;
    this.#remember(path, value);
    const noun = toNoun(path.split('/').at(-1) ?? '');
    if (id !== undefined) for (const each of [`${noun}_id`, `${noun}Id`]) this.#remember(each, id);
  }

  #learnKeys(item: unknown): void {
    for (const [key, value] of Object.entries(Object(item))) {
      if (key !== 'id' && typeof value === 'string' && value.length < 200) this.#remember(key, value);
    }
  }

  #remember(place: string, value: unknown): void {
    const values = this.#known.get(place) ?? [];
    this.#known.set(place, values);
    if (value === undefined || values.includes(value)) return;
    values[values.length < MEMORY ? values.length : this.#learned++ % MEMORY] = value;
  }

  #recall(place: string): unknown {
    const values = this.#known.get(place) ?? [];
    return values.length === 0 ? undefined : this.#rng.pick(values);
  }
}

/** The parameter that chooses from what an operation lists or adds to. Undefined if it is about one item. */
function findItemParam({ path }: Operation): string | undefined {
  if (path.endsWith('}')) return undefined;
  const item = OPERATIONS.find((each) => each.path.startsWith(`${path}/{`) && each.path.endsWith('}'));
  return item?.path.slice(path.length + 2, -1) ?? 'id';
}

export const toText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
