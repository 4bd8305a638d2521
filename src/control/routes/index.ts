import { Type } from 'typebox';
import type { Route } from '../../api/route.js';
import { Url } from '../../api/schemas/common.js';
import { formatSession } from '../../journal/session.js';
import { NotFoundError } from '../../lib/errors.js';
import { NDJSON } from '../../lib/media-types.js';
import { record, strictObject } from '../../lib/schema.js';
import { badRequest } from '../../model/errors.js';
import { ClockStatus } from '../../sandbox/clock.js';
import { At } from '../../sandbox/history.js';
import { Owner, SandboxRecord, sandboxUrl } from '../../sandbox/sandboxes.js';
import { readDocument } from '../documents.js';
import type { EventFeed } from '../events.js';
import { type ControlContext, controlRoute } from '../route.js';
import { requestRoutes } from './requests.js';
import { stateRoutes } from './state.js';
import { statusRoutes } from './status.js';

const ClockBody = strictObject(
  {
    freeze: Type.Optional(
      Type.Union([Type.String(), Type.Literal(true)], {
        expected: 'a timestamp, or true',
        description: 'Stop the clock at a timestamp, or at the current time (true)',
      }),
    ),
    set: Type.Optional(Type.String({ description: 'Set the time; the clock stays frozen or running' })),
    advance: Type.Optional(
      Type.Union([Type.String(), Type.Number()], {
        expected: 'a duration, or milliseconds',
        description: 'Move the clock forward by a duration such as 10m, or milliseconds',
      }),
    ),
    resume: Type.Optional(
      Type.Literal(true, { expected: 'true', description: 'Let the clock run from the time that it shows' }),
    ),
  },
  {
    title: 'ClockChange',
    minProperties: 1,
    maxProperties: 1,
    expected: 'exactly one of freeze, set, advance and resume',
  },
);

const OpenedSandbox = record('Sandbox', { name: Type.String(), url: Url });

const SandboxBody = strictObject(
  {
    name: Type.Optional(Type.String()),
    title: Type.Optional(Type.String({ description: 'Title of a test, to make a new name of: `test_fail[500]`' })),
    keep: Type.Optional(Type.Boolean({ description: 'Whether the data folder (--data) keeps it. Default: false' })),
    owner: Type.Optional(Owner),
  },
  {
    title: 'NewSandbox',
    default: {},
    not: Type.Object({ name: Type.Unknown(), title: Type.Unknown() }),
    expected: 'either name or title, not both',
  },
);

const ForkBody = strictObject(
  { name: Type.Optional(Type.String({ description: 'Default: a new name' })), at: At, owner: Type.Optional(Owner) },
  { title: 'Fork', default: {} },
);

const Document = Type.Object(
  { openapi: Type.String(), servers: Type.Array(Type.Object({ url: Type.String() })) },
  { title: 'OpenApiDocument', additionalProperties: true },
);

/** The operations that change or read a sandbox as a whole. `records.ts` has those of its records. */
export const sandboxRoutes: readonly Route<ControlContext>[] = [
  ...statusRoutes,
  ...stateRoutes,
  ...requestRoutes,
  controlRoute('GET', '/_emulator/events', 'Follow what happens in the sandbox, by Server-Sent Events', {
    id: 'streamEvents',
    description:
      'The response stays open. A client that connects again sends the id of its last event as `Last-Event-ID`.',
    response: Type.Unsafe<EventFeed>(Type.String({ description: 'Events in the format of Server-Sent Events' })),
    mediaType: 'text/event-stream',
    handle: ({ follow }) => follow(),
  }),
  controlRoute('GET', '/_emulator/session', 'Record the sandbox as a session file, without tokens', {
    id: 'recordSession',
    description: 'Seed data, snapshots, history and journal, for `val-emulator start --session`.',
    response: Type.String({ description: 'One line per record of the file' }),
    mediaType: NDJSON,
    handle: ({ sandbox }) => formatSession(sandbox, sandbox.clock.now.getTime()),
  }),
  controlRoute('GET', '/_emulator/clock', 'Read the clock', {
    id: 'getClock',
    response: ClockStatus,
    handle: ({ sandbox }) => sandbox.clock.read(),
  }),
  controlRoute('PUT', '/_emulator/clock', 'Freeze, set, advance or resume the clock', {
    id: 'changeClock',
    body: ClockBody,
    response: ClockStatus,
    errors: [400, 403, 422],
    example: { body: { advance: '10m' } },
    handle({ sandbox: { clock }, body: { freeze, set, advance } }) {
      if (freeze !== undefined) return clock.freeze(freeze === true ? undefined : freeze);
      if (set !== undefined) return clock.set(set);
      return advance === undefined ? clock.resume() : clock.advance(advance);
    },
  }),
  controlRoute('GET', '/_emulator/sandboxes', 'List the sandboxes other than the default one', {
    id: 'listSandboxes',
    response: Type.Array(SandboxRecord),
    handle: ({ sandboxes, origin }) => sandboxes.list(origin),
  }),
  controlRoute('POST', '/_emulator/sandboxes', 'Create a sandbox, or find the one of this name', {
    id: 'openSandbox',
    body: SandboxBody,
    response: OpenedSandbox,
    errors: [400, 403, 503],
    example: { body: { name: 'demo', owner: 'job-17' } },
    handle({ sandboxes, storage, origin, body }) {
      const { title, keep, owner } = body;
      if (keep && !storage) {
        throw badRequest('body/keep: there is no data folder; start the emulator with --data, or the option data');
      }
      const { name } = sandboxes.open(title === undefined ? body.name : sandboxes.newName(title), { keep, owner });
      return { name, url: sandboxUrl(origin, name) };
    },
  }),
  controlRoute('POST', '/_emulator/fork', 'Create a sandbox with the state of this one, now or after a commit', {
    id: 'forkSandbox',
    body: ForkBody,
    status: 201,
    response: OpenedSandbox,
    errors: [400, 403, 404, 422, 503],
    example: { body: { name: 'copy', at: 'r1' } },
    handle({ sandbox, sandboxes, origin, body }) {
      const { name } = sandboxes.fork(sandbox, body.name, body.at, body.owner);
      return { name, url: sandboxUrl(origin, name) };
    },
  }),
  controlRoute('DELETE', '/_emulator/sandboxes', 'Close the sandboxes whose name begins with a prefix', {
    id: 'closeSandboxes',
    query: strictObject({ prefix: Type.Optional(Type.String({ description: 'Default: all named sandboxes' })) }),
    response: strictObject({ closed: Type.Integer() }),
    errors: [400, 403],
    example: { query: { prefix: 'job7-' } },
    handle: ({ sandboxes, query }) => ({ closed: sandboxes.closeAll(query.prefix) }),
  }),
  controlRoute('DELETE', '/_emulator/sandboxes/{name}', 'Close a sandbox', {
    id: 'closeSandbox',
    params: Type.Object({ name: Type.String({ description: 'Name of a sandbox' }) }),
    errors: [403, 404],
    handle({ sandboxes, params: { name } }) {
      const sandbox = sandboxes.find(name);
      if (!sandbox) throw new NotFoundError(`There is no sandbox ${JSON.stringify(name)}.`);
      sandboxes.close(sandbox);
    },
  }),
  controlRoute('GET', '/_emulator/openapi.json', 'Get the OpenAPI document of the emulated API', {
    id: 'getOpenApi',
    response: Document,
    handle: ({ base, origin, specOnly }) => readDocument(specOnly ? 'openapi-spec-only' : 'openapi', base, origin),
  }),
  controlRoute('GET', '/_emulator/openapi-control.json', 'Get the OpenAPI document of the control API', {
    id: 'getControlOpenApi',
    response: Document,
    handle: ({ base, origin }) => readDocument('openapi-control', base, origin),
  }),
];
