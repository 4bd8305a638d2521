import { invalidRequest, listNames } from './errors.rules.js';

/** The parameters of a query or a form. An empty one is absent. */
export interface Parameters {
  /** Undefined also for one that is there twice: see `assertOnce`. */
  get(name: string): string | undefined;
  all(name: string): readonly string[];
  /** The values of `resource`, which may be repeated. */
  readonly resources: readonly string[];
}

export const readParameters = (sent: URLSearchParams): Parameters => ({
  resources: sent.getAll('resource').filter(Boolean),
  all: (name) => sent.getAll(name),
  get(name) {
    const [first, second] = sent.getAll(name);
    return second === undefined ? first || undefined : undefined;
  },
});

/** @throws LoginError for parameters that are there twice */
export function assertOnce(parameters: Parameters, names: readonly string[]): void {
  const twice = names.filter((name) => parameters.all(name).length > 1);
  if (twice.length === 0) return;
  throw invalidRequest(`${listNames(twice)} parameter${twice.length > 1 ? 's' : ''} must not be provided twice`);
}

/** @throws LoginError for parameters that are absent */
export function expectParameters(parameters: Parameters, ...names: readonly string[]): string[] {
  const missing = names.filter((name) => parameters.get(name) === undefined);
  if (missing.length > 0) {
    throw invalidRequest(`missing required parameter${missing.length > 1 ? 's' : ''} ${listNames(missing)}`);
  }
  return names.map((name) => parameters.get(name) ?? '');
}
