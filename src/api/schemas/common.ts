import { Type } from 'typebox';

/** An id in a path: any version of UUID, ignoring case. */
export const uuid = (description: string) => Type.String({ format: 'uuid', description });

export const Id = Type.String({ format: 'uuid' });
export const Timestamp = Type.String({ format: 'date-time' });
export const Url = Type.String({ format: 'uri' });

export const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

export const AnyJson = Type.Unknown({ description: 'Any JSON value' });
