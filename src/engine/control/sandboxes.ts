import { type Static, Type } from 'typebox';
import { DataError, OptionsError } from '../lib/errors.js';
import { ForkScore, ForkScoresSchema, ForksSchema, openForks, scoreForks, selectForks } from '../sandbox/forks.js';
import { At } from '../sandbox/history-entries.js';
import { type Sandbox, sandboxUrl } from '../sandbox/sandbox.js';
import { Owner, SandboxRecord } from '../sandbox/sandbox-record.js';
import { Seed } from '../sandbox/seed.js';
import { Url } from '../schema/common.js';
import { having, record, strictObject } from '../schema/schema.js';
import type { parseSession } from '../session/open-session.js';
import { badRequest } from '../state/errors.js';
import { type ControlEmulator, controlRoute } from './route.js';
import { Caller } from './state.js';

const openedSandbox = record('Sandbox', { name: Type.String(), url: Url });
export interface OpenedSandbox extends Static<typeof openedSandbox> {}
const OpenedSandbox = Type.Unsafe<OpenedSandbox>(openedSandbox);

const closedSandboxes = strictObject({ closed: Type.Integer() });
export interface ClosedSandboxes extends Static<typeof closedSandboxes> {}
const ClosedSandboxes = Type.Unsafe<ClosedSandboxes>(closedSandboxes);

const forks = record('Forks', {
  forks: Type.Array(
    record('OpenedFork', {
      name: Type.String(),
      url: Url,
      users: Type.Optional(Type.Array(Caller, { description: 'With `tokens`: the users with their tokens' })),
    }),
  ),
});
export interface Forks extends Static<typeof forks> {}
const Forks = Type.Unsafe<Forks>(forks);

const forkScores = record('ForkScores', {
  passed: Type.Integer(),
  mean: Type.Number({ description: 'Of the scores' }),
  scores: Type.Array(ForkScore),
});
export interface ForkScores extends Static<typeof forkScores> {}
const ForkScores = Type.Unsafe<ForkScores>(forkScores);

const SandboxBody = strictObject(
  {
    name: Type.Optional(Type.String()),
    title: Type.Optional(Type.String({ description: 'Title of a test, to make a new name of: `test_fail[500]`' })),
    keep: Type.Optional(Type.Boolean({ description: 'Whether the data folder (--data) keeps it. Default: false' })),
    owner: Type.Optional(Owner),
    fixtures: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'Seed data of a new sandbox. Default: as the default sandbox',
        },
      ),
    ),
    session: Type.Optional(Type.String({ description: 'Content of a session file, which becomes a new sandbox' })),
  },
  {
    title: 'NewSandbox',
    default: {},
    not: Type.Union([
      having('name', 'title'),
      having('fixtures', 'session'),
      having('keep', 'fixtures'),
      having('keep', 'session'),
    ]),
    expected: 'either name or title, and one of keep, fixtures and session',
  },
);

type Opened = Static<typeof OpenedSandbox>;

/** Creates a sandbox of fixtures. @throws OptionsError for wrong fixtures */
function* openFixtures({ sandboxes }: ControlEmulator, opened: Opened, fixtures: object, owner?: string) {
  const seed = yield* sandboxes.host.loader.loadInSteps(fixtures, { isRequest: true });
  sandboxes.openNew({ name: opened.name, seed }, owner);
  return opened;
}

/** Creates a sandbox of a session. @throws OptionsError for a session that cannot be read */
function* openSession(
  parse: typeof parseSession,
  { sandboxes }: ControlEmulator,
  opened: Opened,
  session: string,
  owner?: string,
) {
  try {
    const { seed, ...stored } = yield* parse(session, sandboxes.default.store.state.definitions, opened.name);
    sandboxes.openNew({ ...stored, seed: Seed.withFixedTimes(seed) }, owner);
    return opened;
  } catch (error) {
    if (error instanceof DataError) throw new OptionsError([{ path: 'session', message: error.message }]);
    throw error;
  }
}

const ForkBody = strictObject(
  { name: Type.Optional(Type.String({ description: 'Default: a new name' })), at: At, owner: Type.Optional(Owner) },
  { title: 'Fork', default: {} },
);

export const sandboxRoutes = [
  controlRoute('GET', '/_emulator/sandboxes', 'List the sandboxes other than the default one', {
    id: 'listSandboxes',
    response: Type.Array(SandboxRecord),
    handle: ({ emulator, request }) => emulator.sandboxes.list(request.origin),
  }),
  controlRoute('POST', '/_emulator/sandboxes', 'Create a sandbox, or find the one of this name', {
    id: 'openSandbox',
    body: SandboxBody,
    response: OpenedSandbox,
    errors: [400, 403, 422, 503],
    example: { body: { name: 'demo', owner: 'job-17' } },
    handle({ emulator, request: { origin }, body }) {
      const { sandboxes, storage } = emulator;
      const { title, keep, owner, fixtures, session } = body;
      if (keep && !storage) {
        throw badRequest('body/keep: the emulator has no data folder; start it with --data, or the option data');
      }
      const { name = sandboxes.newName(title) } = body;
      const opened = { name, url: sandboxUrl(origin, name) };
      if (session !== undefined) {
        return import('../session/open-session.js').then(({ parseSession }) =>
          openSession(parseSession, emulator, opened, session, owner),
        );
      }
      if (fixtures) return openFixtures(emulator, opened, fixtures, owner);
      sandboxes.open(name, { keep, owner });
      return opened;
    },
  }),
  controlRoute('POST', '/_emulator/fork', 'Create a sandbox with the state of this one', {
    id: 'forkSandbox',
    tool: 'fork',
    body: ForkBody,
    status: 201,
    response: OpenedSandbox,
    errors: [400, 403, 404, 422, 503],
    example: { body: { name: 'copy', at: 'r1' } },
    handle({ emulator, sandbox, request: { origin }, body }) {
      const { name } = emulator.sandboxes.fork(sandbox, body.name, body.at, body.owner);
      return { name, url: sandboxUrl(origin, name) };
    },
  }),
  controlRoute('POST', '/_emulator/forks', 'Create sandboxes with a state, each with a snapshot of it', {
    id: 'forkSandboxes',
    body: ForksSchema,
    status: 201,
    response: Forks,
    errors: [400, 403, 404, 422, 503],
    example: { body: { count: 1, prefix: 'try', ttl: '10m' } },
    *handle({ emulator: { sandboxes, makeId }, sandbox, request: { origin }, body }) {
      const forks = yield* openForks(sandboxes, sandbox, body, false, makeId);
      const describe = (fork: Sandbox) => ({ name: fork.name, url: sandboxUrl(origin, fork.name) });
      return { forks: forks.map((fork) => ({ ...describe(fork), ...(body.tokens && { users: fork.users }) })) };
    },
  }),
  controlRoute('POST', '/_emulator/forks/score', 'Score sandboxes against an expected difference, and close them', {
    id: 'scoreForks',
    body: ForkScoresSchema,
    response: ForkScores,
    errors: [400, 403, 404, 422],
    example: { body: { prefix: 'example', before: 'commit:start', allow: ['*'] } },
    *handle({ emulator: { sandboxes }, body: { prefix, names, ...options } }) {
      if (prefix === undefined && names === undefined) throw badRequest('body: expected either prefix or names');
      const selected = names ?? selectForks(sandboxes, prefix ?? '', options.before);
      const scores = yield* scoreForks(sandboxes, selected, options, false);
      const mean = scores.reduce((sum, { score }) => sum + score, 0) / Math.max(1, scores.length);
      return { passed: scores.filter(({ pass }) => pass).length, mean, scores };
    },
  }),
  controlRoute('DELETE', '/_emulator/sandboxes', 'Close the sandboxes whose name begins with a prefix', {
    id: 'closeSandboxes',
    query: strictObject({ prefix: Type.Optional(Type.String({ description: 'Default: all named sandboxes' })) }),
    response: ClosedSandboxes,
    errors: [400, 403],
    example: { query: { prefix: 'job7-' } },
    handle: ({ emulator, query }) => ({ closed: emulator.sandboxes.closeAll(query.prefix) }),
  }),
  controlRoute('DELETE', '/_emulator/sandboxes/{name}', 'Close a sandbox', {
    id: 'closeSandbox',
    params: Type.Object({ name: Type.String({ description: 'Name of a sandbox' }) }),
    errors: [403, 404],
    handle: ({ emulator: { sandboxes }, params: { name } }) => sandboxes.close(sandboxes.get(name)),
  }),
];
