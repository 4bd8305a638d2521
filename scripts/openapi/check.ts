import { readdirSync, readFileSync } from 'node:fs';
import type { Route } from '#engine/api/route.js';
import type { Examples } from './examples.js';

const ROUTES = new URL('../../src/vals/', import.meta.url);

/** Describes the routes that a file of `src/vals` defines, but `src/vals/service/service.routes.ts` does not list. */
export const findUnlistedRoutes = (routes: readonly Route[], folder = ROUTES): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.routes.ts'))
    .flatMap((file) => {
      const source = readFileSync(new URL(file, folder), 'utf8');
      const defined = [...source.matchAll(/\broute\(\s*'([A-Z]+)',\s*'([^']+)'/g)];
      return defined
        .map(([, method, path]) => `${method} ${path}`)
        .filter((name) => !routes.some((route) => route.name === name))
        .map((name) => `${name}: add the list of routes of src/vals/${file} to src/vals/service/service.routes.ts.`);
    });

/** Describes the routes whose tag has no description. */
export const findUndescribedTags = (
  routes: readonly Route<never>[],
  getTag: (route: Route<never>) => string,
  tags: Readonly<Record<string, string>>,
): string[] =>
  routes
    .filter((route) => !Object.hasOwn(tags, getTag(route)))
    .map((route) => `${route.name}: describe the tag "${getTag(route)}" in \`tags\` of scripts/openapi/index.ts.`);

/** Describes the routes whose first example request, which should succeed, fails. */
export const findFailedExamples = (routes: readonly Route<never>[], examples: Examples): string[] =>
  routes.flatMap(({ name, status }) => {
    const [first] = examples.get(name)?.values() ?? [];
    if (first === undefined || first.status === status) return [];
    return [
      `${name}: the example request gets ${first.status}, expected ${status}: ${JSON.stringify(first.body)}. ` +
        'Give the route an `example`; for a new path parameter, a value in `sampleParams` of scripts/openapi/example-requests.ts.',
    ];
  });

/** Describes the errors that a route responds with, but its `errors` do not list. */
export const findUnlistedErrors = (
  routes: readonly Route<never>[],
  examples: Examples,
  listCommonErrors: (route: Route<never>) => readonly number[],
): string[] =>
  routes.flatMap((route) => {
    const conditional = route.isConditional ? [304, 412] : [];
    const listed = [route.status, ...conditional, ...route.errors, ...listCommonErrors(route)];
    return [...(examples.get(route.name)?.keys() ?? [])]
      .filter((status) => !listed.includes(status))
      .map((status) => `${route.name}: add ${status} to its \`errors\`; a request gets it.`);
  });

/** Errors that no example request can get: of large bodies, of full memory, and of chaos and views that cannot be read. */
const UNREACHED = /^\w+ \/_emulator.* 413$| 507$|esm\/.* 501$|(?:chaos|sqlite\/.*) 422$/;

/** Describes the errors that a route lists, but no example request gets. */
export const findUnreachedErrors = (
  routes: readonly Route<never>[],
  examples: Examples,
  listCommonErrors: (route: Route<never>) => readonly number[],
): string[] =>
  routes
    .filter(({ name }) => examples.has(name))
    .flatMap((route) =>
      [...route.errors, ...listCommonErrors(route)]
        .filter((status) => !examples.get(route.name)?.has(status) && !UNREACHED.test(`${route.name} ${status}`))
        .map(
          (status) =>
            `${route.name}: no example request gets ${status}, one of its \`errors\`. Remove it, or add a request to scripts/openapi/example-requests.ts.`,
        ),
    );

/** @throws Error that lists all problems */
export function failOn(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`Incomplete routes:\n${problems.map((each) => `  ${each}`).join('\n')}`);
}
