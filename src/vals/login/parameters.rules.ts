import { invalidRequest, listNames } from './errors.rules.js';

/** The parameters of a query or a form. An empty one is absent. */
export interface Parameters {
  get(name: string): string | undefined;
  all(name: string): readonly string[];
}

/** @throws LoginError for a parameter that is there twice. @param repeated which may be */
export function readParameters(sent: URLSearchParams, repeated: readonly string[] = []): Parameters {
  const twice = [...new Set(sent.keys())].filter((name) => !repeated.includes(name) && sent.getAll(name).length > 1);
  if (twice.length > 0) {
    throw invalidRequest(`${listNames(twice)} parameter${twice.length > 1 ? 's' : ''} must not be provided twice`);
  }
  return { get: (name) => sent.get(name) || undefined, all: (name) => sent.getAll(name) };
}

/** @throws LoginError for parameters that are absent */
export function expectParameters(parameters: Parameters, ...names: readonly string[]): string[] {
  const missing = names.filter((name) => parameters.get(name) === undefined);
  if (missing.length > 0) {
    throw invalidRequest(`missing required parameter${missing.length > 1 ? 's' : ''} ${listNames(missing)}`);
  }
  return names.map((name) => parameters.get(name) ?? '');
}
