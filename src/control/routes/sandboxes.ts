import { Type } from 'typebox';
import { Url } from '../../api/schemas/common.js';
import { NotFoundError } from '../../lib/errors.js';
import { record, strictObject } from '../../lib/schema.js';
import { controlRoute } from '../route.js';

const SandboxRecord = record('Sandbox', { name: Type.String(), url: Url });

/** Returns the base URL of a sandbox. */
export const sandboxUrl = (origin: string, name: string): string =>
  name === '' ? origin : `${origin}/_sandbox/${name}`;

export const sandboxRoutes = [
  controlRoute('GET', '/_emulator/sandboxes', 'List the sandboxes other than the default one', {
    response: Type.Array(SandboxRecord),
    handle: ({ sandboxes, origin }) => sandboxes.all.map(({ name }) => ({ name, url: sandboxUrl(origin, name) })),
  }),
  controlRoute('POST', '/_emulator/sandboxes', 'Create a sandbox, or find the one of this name', {
    body: strictObject({ name: Type.Optional(Type.String()) }, { default: {} }),
    response: SandboxRecord,
    errors: [400, 403, 503],
    example: { body: { name: 'demo' } },
    handle({ sandboxes, origin, body }) {
      const { name } = sandboxes.open(body.name);
      return { name, url: sandboxUrl(origin, name) };
    },
  }),
  controlRoute('DELETE', '/_emulator/sandboxes/{name}', 'Close a sandbox', {
    params: Type.Object({ name: Type.String({ description: 'Name of a sandbox' }) }),
    errors: [403, 404],
    handle({ sandboxes, params: { name } }) {
      const sandbox = sandboxes.find(name);
      if (!sandbox) throw new NotFoundError(`There is no sandbox ${JSON.stringify(name)}.`);
      sandboxes.close(sandbox);
    },
  }),
];
