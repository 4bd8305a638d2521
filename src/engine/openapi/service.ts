import { ErrorBody, ErrorWithProblems } from '../api/errors.js';
import type { Route } from '../api/route.js';
import { packageVersion } from '../platform/package.js';
import { createDocument } from './document.js';
import type { OpenApiDocument } from './types.js';

interface Described {
  readonly name: string;
  readonly routes: readonly Route[];
  readonly controlRoutes: readonly Route<never>[];
}

const isGet = ({ method }: Route<never>) => method === 'GET';

/** Describes the API of a service, or its control API. */
export function describeService({ name, routes, controlRoutes }: Described, kind: string): OpenApiDocument {
  const isApi = kind !== 'control';
  return createDocument({
    title: isApi ? name : `Control API of the service ${name}`,
    version: packageVersion(),
    description: isApi ? `The service ${name} as val-emulator emulates it.` : 'The control API of the emulator.',
    server: '',
    routes: isApi ? routes : controlRoutes,
    isApi,
    getTag: ({ path }) =>
      path.split('/').find((part) => part !== '' && part !== '_emulator' && !part.startsWith('{')) ?? name,
    tags: {},
    listCommonErrors: (route) => [
      ...(isApi ? [401, 429] : []),
      ...[400, 404, 503],
      ...(isGet(route) ? [] : [413, 415]),
    ],
    getErrorBody: (status) =>
      isApi || status < 400 || (status > 400 && status !== 422) ? ErrorBody : ErrorWithProblems,
    findExample: () => undefined,
  });
}
