export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value has keys only: no regular expression, map or date, also of another realm. */
export const isKeyed = (value: unknown): value is Record<string, unknown> =>
  Object.prototype.toString.call(value) === '[object Object]';

/** Copies an object without its undefined values, which JSON Schema does not know. Other values stay as they are. */
export const omitUndefined = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) : value;

/** Freezes a value of JSON with all that is in it, and returns it. Bytes stay as they are, since nothing freezes them. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) return value;
  Object.freeze(value);
  for (const field of Object.values(value)) deepFreeze(field);
  return value;
}

/** A matcher of a test runner: `expect.any(String)`. */
export interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean;
  toAsymmetricMatcher?(): string;
  readonly sample?: unknown;
}

export const isAsymmetricMatcher = (value: unknown): value is AsymmetricMatcher =>
  isObject(value) && typeof value.asymmetricMatch === 'function';

/** Maximum levels of JSON in requests and records. Recursive functions, JSON.stringify among them, fail for some thousand. */
export const MAX_JSON_DEPTH = 500;

export const isDeeperThan = (limit: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (limit === 0 || Object.values(value).some((field) => isDeeperThan(limit - 1, field)));

/** An input whose keys may be absent or undefined. */
export type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };
