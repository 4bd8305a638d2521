import { type TSchemaOptions, Type } from 'typebox';

/** An id in a path: any version of UUID, ignoring case. */
export const uuid = (description: string) => Type.String({ format: 'uuid', description });

export const Id = Type.String({ format: 'uuid' });
export const Timestamp = Type.String({ format: 'date-time' });
export const Url = Type.String({ format: 'uri' });

export const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

/** One of some texts. The type lets Ajv coerce a list of one text. */
export const Choice = <const T extends string>(values: readonly T[], options: TSchemaOptions) =>
  Type.Enum([...values], { type: 'string', ...options });

export const AnyJson = Type.Unknown({ description: 'Any JSON value' });
