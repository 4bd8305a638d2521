export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Copies an object without its undefined values, which JSON Schema does not know. Other values stay as they are. */
export const omitUndefined = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) : value;

/** An input whose keys may be absent or undefined. */
export type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };
