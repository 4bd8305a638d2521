import type { ValidateFunction } from 'ajv';
import type { Static, TSchema } from 'typebox';
import { createAjv, type ValidationMode } from './ajv.js';

/** An error of Ajv, of which messages are made. */
export interface SchemaError {
  readonly keyword: string;
  /** Where the value is: `/vals/0/name`. */
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  /** With the option `verbose`: the schema with the keyword, and the value. */
  readonly parentSchema?: Readonly<Record<string, unknown>>;
  readonly data?: unknown;
}

/** A type guard that fills in defaults and leaves its errors in `errors`. */
export interface Validator<T> {
  (value: unknown): value is T;
  errors?: null | SchemaError[];
}

/** Returns the validator of a schema, compiled on first use. The bundles have it compiled by the build (scripts/validators.js). */
export function compile<T extends TSchema>(schema: T, mode: ValidationMode): Validator<Static<T>> {
  let compiled: ValidateFunction<Static<T>> | undefined;
  const validate: Validator<Static<T>> = (value: unknown): value is Static<T> => {
    compiled ??= createAjv(mode).compile<Static<T>>(schema);
    const isValid = compiled(value);
    validate.errors = compiled.errors ?? null;
    return isValid;
  };
  return validate;
}
