import * as z from 'zod';

/** Schemas that the API documents name. A registry of our own: the global one belongs to everybody in the process. */
export const components = z.registry<{ readonly id: string }>();

/** The schema, by this name in the API documents. */
export const named = <T extends z.ZodType>(id: string, schema: T): T => {
  components.add(schema, { id });
  return schema;
};
