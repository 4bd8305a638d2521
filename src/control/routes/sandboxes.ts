import * as z from 'zod';
import { noBody } from '../../contract/route.js';
import { controlRoute } from '../route.js';
import { sandboxUrl } from '../sandbox.js';
import { UnknownNameError } from '../unknown-name.js';

const SandboxRecord = z.strictObject({ name: z.string(), url: z.url() });

export const sandboxRoutes = [
  controlRoute({
    method: 'GET',
    path: '/_emulator/sandboxes',
    summary: 'The sandboxes beside the main one',
    request: {},
    status: 200,
    answer: z.array(SandboxRecord),
    errors: [403],
    handle: ({ sandboxes, origin }) => sandboxes.all.map(({ name }) => ({ name, url: sandboxUrl(origin, name) })),
  }),
  controlRoute({
    method: 'POST',
    path: '/_emulator/sandboxes',
    summary: 'Make a sandbox, or find the one of this name',
    request: { body: z.strictObject({ name: z.string().optional() }).default({}) },
    status: 201,
    answer: SandboxRecord,
    errors: [400, 403, 503],
    example: { body: { name: 'demo' } },
    handle({ sandboxes, origin, body }) {
      const { name } = sandboxes.open(body.name);
      return { name, url: sandboxUrl(origin, name) };
    },
  }),
  controlRoute({
    method: 'DELETE',
    path: '/_emulator/sandboxes/{name}',
    summary: 'Drop a sandbox',
    request: { params: z.object({ name: z.string().describe('Name of a sandbox') }) },
    status: 204,
    answer: noBody,
    errors: [403, 404],
    handle({ sandboxes, params: { name } }) {
      if (!sandboxes.drop(name)) throw new UnknownNameError(`There is no sandbox ${JSON.stringify(name)}.`);
    },
  }),
];
