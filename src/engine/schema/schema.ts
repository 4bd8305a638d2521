import { type Static, type TObjectOptions, type TProperties, type TSchema, Type } from 'typebox';

export const strictObject = <P extends TProperties>(properties: P, options: TObjectOptions = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false });

/** Selects the last N. @param description of the key */
export const lastOf = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description }));

/** JSON in a text of a URL. A tool takes the value itself. */
export const JsonText = (contentSchema: TSchema & { readonly description?: string }) =>
  Type.String({ description: `${contentSchema.description}, as JSON`, contentSchema });

/** An object that has some keys, for `not` and `anyOf`. Strict mode asks for their schemas. */
export const having = (...keys: readonly string[]) =>
  Type.Object(Object.fromEntries(keys.map((key) => [key, Type.Unknown()])));

/** A named object without further keys. @param title its name in the OpenAPI document */
export const record = <P extends TProperties>(title: string, properties: P) => strictObject(properties, { title });

/** An object with values of one schema by any key. The pattern `^.*$` would match no key with a line separator. */
export const mapOf = <S extends TSchema>(values: S, options: object = {}) =>
  Type.Unsafe<Record<string, Static<S>>>({ type: 'object', additionalProperties: values, ...options });
