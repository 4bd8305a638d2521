import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { routes } from '#vals/service/all.routes.js';
import {
  failOn,
  findFailedExamples,
  findUndescribedTags,
  findUnlistedErrors,
  findUnlistedRoutes,
} from '../../scripts/openapi/check.js';
import { folderOf } from '../engine/fixtures/loading.js';

// `npm run docs` reports these.
const [me] = routes.filter(({ name }) => name === 'GET /v1/me');
if (!me) throw new Error('There is no route GET /v1/me.');

test('a route of a file outside the index is reported', () => {
  const source = "route(\n  'GET',\n  '/v1/unlisted',\n  'Count', {}); route('GET', '/v1/me', '', {})";
  const folder = folderOf({ 'stats.routes.ts': source });

  expect(findUnlistedRoutes(routes, pathToFileURL(`${folder}/`))).toEqual([
    'GET /v1/unlisted: add the list of routes of src/vals/stats.routes.ts to src/vals/service/service.routes.ts.',
  ]);
  expect(findUnlistedRoutes(routes)).toEqual([]);
  // The routes of blobs have a path for each store, which the source does not spell out.
  const spelled = routes.filter(({ path }) => !/\/blob\b/.test(path));
  expect(findUnlistedRoutes([])).toHaveLength(spelled.length);
});

test('a tag without a description is reported', () => {
  expect(findUndescribedTags([me], () => 'stats', { me: 'The caller' })).toEqual([
    'GET /v1/me: describe the tag "stats" in `tags` of scripts/openapi/index.ts.',
  ]);
});

test('a failing example request and an unlisted error are reported', () => {
  const example = (status: number) => ({ request: {}, status, headers: new Headers(), body: { message: 'No' } });
  const examples = new Map([
    [
      me.name,
      new Map([
        [404, example(404)],
        [200, example(200)],
      ]),
    ],
  ]);

  expect(findFailedExamples([me], examples)).toEqual([
    expect.stringMatching(
      /^GET \/v1\/me: the example request gets 404, expected 200: \{"message":"No"\}\. Give the route/,
    ),
  ]);
  expect(findUnlistedErrors([me], examples, () => [401])).toEqual([
    'GET /v1/me: add 404 to its `errors`; a request gets it.',
  ]);
  expect(findUnlistedErrors([me], examples, () => [401, 404])).toEqual([]);
});

test('one message has all problems', () => {
  expect(() => failOn(['one.', 'two.'])).toThrow('Incomplete routes:\n  one.\n  two.');
  expect(() => failOn([])).not.toThrow();
});
