import { type TObjectOptions, type TProperties, Type } from 'typebox';

export const strictObject = <P extends TProperties>(properties: P, options: TObjectOptions = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false });

/** A named object without further keys. @param title its name in the OpenAPI document */
export const record = <P extends TProperties>(title: string, properties: P) => strictObject(properties, { title });
