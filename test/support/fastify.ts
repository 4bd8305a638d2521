import Fastify, { type FastifyInstance } from 'fastify';
import { routes } from '#vals/service/all.routes.js';

/** How the real service, a Fastify 4, differs from one without options. Each has a request that shows it. */
export const SETTINGS = {
  // Source: early versions of the SDK, which send a slash at the end.
  'A slash at the end of a path is ignored': { method: 'GET', url: '/v1/me/' },
  // Source: keys of blobs, which have up to 512 characters and are one segment of a path.
  'A segment of a path may be long': { method: 'GET', url: `/v1/alias/${'x'.repeat(300)}` },
  // Source: the documents since June 2024, without the bodies of raw code that earlier ones have.
  'Plain text is not a body': { method: 'POST', url: '/v1/vals', headers: { 'content-type': 'text/plain' }, body: 'x' },
  // Source: the standard library, which sends emails without a type, and blobs with the type of their content.
  'Emails and blobs have any type': {
    method: 'POST',
    url: '/v1/blob/a',
    headers: { 'content-type': 'a/b' },
    body: 'x',
  },
} as const;
export type Setting = keyof typeof SETTINGS;

/** Fastify reads paths as `/v1/vals/:val_id`. */
const toPattern = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/**
 * Creates a Fastify 4 with the routes and the schemas of the emulator. A request that it accepts is a 200: what it decides is
 * routing, parsing and validation.
 * @param without a setting that it does not have
 */
export function createOracle(without?: Setting): FastifyInstance {
  const has = (setting: Setting) => setting !== without;
  const oracle = Fastify({
    ...(has('A slash at the end of a path is ignored') && { ignoreTrailingSlash: true }),
    ...(has('A segment of a path may be long') && { maxParamLength: 16_384 }),
    // Annotations of the schemas, which only the documents read.
    ajv: { customOptions: { keywords: ['commaSeparated', 'expected'] } },
  });
  if (has('Plain text is not a body')) oracle.removeContentTypeParser('text/plain');
  for (const { bodyType, bodyLimit, method, path, params, query, body } of routes) {
    const schema = { ...(params && { params }), ...(query && { querystring: query }), ...(body && { body }) };
    const limit = bodyLimit === undefined ? {} : { bodyLimit };
    // A plugin has parsers of its own.
    oracle.register(async (plugin) => {
      if (bodyType && has('Emails and blobs have any type')) {
        plugin.removeAllContentTypeParsers();
        if (bodyType === 'bytes') plugin.addContentTypeParser('*', { parseAs: 'buffer' }, async () => undefined);
        else plugin.addContentTypeParser('*', { parseAs: 'string' }, plugin.getDefaultJsonParser('error', 'error'));
      }
      plugin.route({ method, url: toPattern(path), schema, ...limit, handler: async () => ({}) });
    });
  }
  return oracle;
}
