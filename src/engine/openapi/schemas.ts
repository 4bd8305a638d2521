import type { TProperties, TSchema } from 'typebox';
import { isObject } from '../lib/objects.js';
import { DURATION_PATTERN } from '../lib/time.js';

/** A schema of an OpenAPI document: JSON Schema, draft 2020-12. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The pattern of TypeBox for the keys of a record. */
const ANY_KEY = '^.*$';

/** What a schema has if it is one of objects. */
export interface ObjectSchema {
  readonly properties?: TProperties;
  readonly required?: unknown;
}

/** Converts the schemas of routes to schemas of a document. Schemas with a title become components. */
export class SchemaConverter {
  readonly #components = new Map<string, JsonSchema>();

  /** The components so far, in alphabetical order. */
  get components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Converts a schema and all schemas in it. Returns a reference for a schema with a title. */
  convert(schema: TSchema): JsonSchema {
    const keywords: [string, unknown][] = Object.entries(schema);
    const converted = keywords.map(([keyword, value]) => this.#convertKeyword(keyword, value, schema));
    const { title, description, default: value, ...rest }: JsonSchema = Object.assign({}, ...converted);
    // They may differ where the same component is used.
    const own = {
      ...(description === undefined ? {} : { description }),
      ...(value === undefined ? {} : { default: value }),
    };
    return { ...(typeof title === 'string' ? this.#refer(title, rest) : rest), ...own };
  }

  /** Converts the schema of a parameter, with its style. Text that is a list by its annotation becomes an array. */
  convertParameter(schema: TSchema): JsonSchema {
    const { commaSeparated, description }: JsonSchema = { ...schema };
    if (commaSeparated === undefined) return this.convert(schema);
    const items = this.#convertNested(commaSeparated);
    return { description, style: 'form', explode: false, type: 'array', minItems: 1, items };
  }

  #refer(title: string, schema: JsonSchema): JsonSchema {
    const known = this.#components.get(title);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new TypeError(`Duplicate title "${title}": use another title for each schema`);
    }
    this.#components.set(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  }

  #convertKeyword(keyword: string, value: unknown, schema: TSchema): JsonSchema {
    switch (keyword) {
      // Our annotations, for messages, tools and parameters, and a keyword that `items` replaces.
      case 'expected':
      case 'contentSchema':
      case 'commaSeparated':
      case 'additionalItems':
        return {};
      case 'properties':
        return this.#convertProperties(value);
      case 'required': {
        const required = listRequired(schema);
        return required.length === 0 ? {} : { required };
      }
      case 'anyOf':
        return { anyOf: this.#convertList(value) };
      case 'items':
        // TypeBox writes tuples as earlier drafts have them.
        return Array.isArray(value)
          ? { prefixItems: this.#convertList(value), items: false }
          : { items: this.#convertNested(value) };
      case 'additionalProperties':
        return { additionalProperties: isObject(value) ? this.#convertNested(value) : value };
      case 'patternProperties':
        return { additionalProperties: this.#convertValues(value)[ANY_KEY] };
      case 'format':
        if (value === 'fixture-duration') return { pattern: `^${DURATION_PATTERN}$` };
        return { format: value === 'fixture-url' ? 'uri' : value };
      case 'enum':
        // Generators of clients need the type as well.
        return { type: Array.isArray(value) && value.includes(null) ? ['string', 'null'] : 'string', enum: value };
      default:
        return { [keyword]: value };
    }
  }

  /** Generators of clients take an object without properties for an empty one, unless it allows others. */
  #convertProperties(value: unknown): JsonSchema {
    const properties = this.#convertValues(value);
    return Object.keys(properties).length === 0 ? { additionalProperties: true } : { properties };
  }

  #convertNested(value: unknown): JsonSchema {
    if (isObject(value)) return this.convert(value);
    throw new TypeError(`Invalid schema ${JSON.stringify(value)}: use an object`);
  }

  #convertList(values: unknown): JsonSchema[] {
    return Array.isArray(values) ? values.map((value) => this.#convertNested(value)) : [];
  }

  #convertValues(values: unknown): Record<string, JsonSchema> {
    return Object.fromEntries(
      Object.entries(Object(values)).map(([name, value]) => [name, this.#convertNested(value)]),
    );
  }
}

/** Lists the properties that a client must send. One with a default is optional. */
export function listRequired({ required, properties }: ObjectSchema): string[] {
  return Array.isArray(required) ? required.filter((name) => !hasDefault(properties?.[name])) : [];
}

export const hasDefault = (schema: unknown): boolean => isObject(schema) && 'default' in schema;
