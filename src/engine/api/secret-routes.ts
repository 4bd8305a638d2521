import { isObject } from '../lib/objects.js';
import type { Route } from './route.js';

/** A route whose requests have values that are never shown again. */
export interface SecretRoute {
  readonly path: string;
  /** The keys of such values: `value`. */
  readonly keys: readonly string[];
  /** The keys that may be recorded. */
  readonly openKeys: readonly string[];
}

export const listSecretRoutes = (routes: readonly Pick<Route, 'path' | 'body' | 'openKeys'>[]): SecretRoute[] =>
  routes.flatMap(({ path, body, openKeys }) => {
    if (openKeys === undefined) return [];
    const properties: unknown = Object(body).properties;
    const keys = Object.keys(isObject(properties) ? properties : {}).filter((key) => !openKeys.includes(key));
    return [{ path, keys, openKeys }];
  });
