import * as z from 'zod';
import { components } from './components.js';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Writes schemas down as an OpenAPI document has them, and gathers those that have a name. */
export class SchemaWriter {
  readonly #named = new Map<string, JsonSchema>();

  /** The schemas with a name that were met so far, in alphabetical order. */
  get named(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** @param io whether the schema is about what is sent to the emulator, or about what it answers */
  write(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { $schema: _, ...written } = z.toJSONSchema(schema, {
      io,
      metadata: components,
      unrepresentable: 'any',
      override: tidy,
    });
    const text = JSON.stringify(written).replaceAll('"#/$defs/', '"#/components/schemas/');
    const { $defs = {}, ...rest }: JsonSchema = JSON.parse(text);
    for (const [name, definition] of Object.entries($defs)) {
      if (name.startsWith('__')) throw new TypeError(`a schema that is used twice has no name: ${text}`);
      this.#named.set(name, definition);
    }
    return rest;
  }
}

function tidy({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  // Descriptions are kept there; our own registry has names alone.
  Object.assign(jsonSchema, z.globalRegistry.get(zodSchema));
  // The format says it all, in a word.
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  // Keys of a record are strings: of any JSON object that is true.
  delete jsonSchema.propertyNames;
  // What integers are bound by in any case.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}
