import { type Static, Type } from 'typebox';
import { Page, Paging, page, toBounds, Window } from '#engine/api/pagination.js';
import { ApiError, BodyError } from '#engine/lib/errors.js';
import { toTimestamp } from '#engine/lib/time.js';
import { AnyJson, Choice, Id, Nullable, Timestamp, uuid } from '#engine/schema/common.js';
import { record } from '#engine/schema/schema.js';
import type { Range } from '#engine/store/collection.js';
import { type Context, route } from '#vals/lib/route.schema.js';
import { RUN_SOURCES, type Run, type User, type Val } from '#vals/service/service.collection.js';
import { Author, authorView } from '#vals/users/users.schema.js';
import { getAuthor } from '#vals/vals/val-records.collection.js';
import { getOwnVal, getVal } from '#vals/vals/vals.rules.js';
import { Privacy, ValPath } from '#vals/vals/vals.schema.js';
import { cancelRun, getOwnRun, listRunsByAuthor, listRunsByVal } from './runs.rules.js';

const RunSource = Choice(RUN_SOURCES, { title: 'RunSource' });
const SOURCE = `(${RUN_SOURCES.join('|')})`;

const RunQuery = Type.Object({
  ...Paging,
  ...Window,
  error: Type.Optional(Type.Boolean({ description: 'Only failed runs (true) or successful ones (false)' })),
  source: Type.Optional(
    Type.String({
      pattern: `^${SOURCE}(,${SOURCE})*$`,
      commaSeparated: RunSource,
      description: 'Only runs with one of these sources, separated by commas',
    }),
  ),
});

const base = {
  id: Id,
  error: Type.Union([Type.String(), Type.Object({}), Type.Null()], {
    title: 'RunError',
    description: 'null for a success',
  }),
  parentId: Type.String({ format: 'uuid', description: 'The run that started this one, or its own id' }),
  runStartAt: Timestamp,
  runEndAt: Type.Union([Timestamp, Type.Null()], { description: 'null while the run is active' }),
  val: record('RunVal', {
    id: Id,
    name: Type.String(),
    author: Author,
    author_id: Id,
    username: Nullable(Type.String()),
    public: Type.Boolean(),
    privacy: Privacy,
    version: Type.Integer({ minimum: 0 }),
  }),
};

const BaseRun = record('Run', base);

const FullRun = record('FullRun', {
  ...base,
  emails: Type.Array(AnyJson),
  logs: Type.Array(AnyJson),
  returnValue: AnyJson,
  args: Type.Array(AnyJson),
});

const RunPath = Type.Object({ run_id: uuid('Id of a run') });
const EvaluationPath = Type.Object({ ...ValPath.properties, evaluation_id: uuid('Id of a run') });
const Cancellation = record('Cancellation', {
  found: Type.Boolean({ description: 'Whether the val had an unfinished run with this id' }),
});

const runView = (run: Run, val: Val, author: User) => ({
  id: run.id,
  error: run.error,
  parentId: run.parentId,
  runStartAt: toTimestamp(run.runStartAt),
  runEndAt: run.runEndAt === null ? null : toTimestamp(run.runEndAt),
  val: {
    id: val.id,
    name: val.name,
    author: authorView(author),
    author_id: author.id,
    username: author.username,
    public: val.privacy === 'public',
    privacy: val.privacy,
    version: run.version,
  },
});

const fullRunView = (run: Run, val: Val, author: User) => ({
  ...runView(run, val, author),
  emails: [...run.emails],
  logs: [...run.logs],
  returnValue: run.returnValue,
  args: [...run.args],
});

/** Serializes a page of runs with the requested sources. */
function runPage(context: Context & { readonly query: Static<typeof RunQuery> }, runs: Range<Run>) {
  const { state, query, links, json } = context;
  const sources = query.source?.split(',');
  const found = sources ? filter(runs, (run) => sources.includes(run.source)) : runs;
  return page(found, query, links, (run) =>
    json(runView, run, context, () => [getVal(state, run), getAuthor(state, run)]),
  );
}

function* filter<T>(items: Iterable<T>, matches: (item: T) => boolean): Generator<T> {
  for (const item of items) if (matches(item)) yield item;
}

export const runRoutes = [
  route('GET', '/v1/me/runs', 'List runs of the current user', {
    id: 'listMyRuns',
    description: 'Returns the runs of all vals of the caller, the latest start first.',
    auth: 'required',
    scope: 'val:read',
    query: RunQuery,
    response: Page('RunPage', BaseRun),
    errors: [400, 401, 403],
    rules: {
      specification: ['list: Runs of the caller, by error, limit, offset, since and until.'],
      record: [
        'all-vals: The list contains the runs of all vals of the caller.',
        'filters: error selects failed (true) or successful (false) runs; source selects runs by how they were started.',
        'window: since is exclusive, until inclusive; both apply to the start of a run.',
        'shape: A run has the shape of 2023. Later that year the service removed this operation, and it published no other shape.',
      ],
      chosen: [
        'order: The latest start comes first, as in every list.',
        'parent: The parentId of a run without a parent is the id of the run, since clients require an id.',
      ],
    },
    handle(context) {
      const { state, caller, query } = context;
      return runPage(context, listRunsByAuthor(state, caller, query.error, toBounds(query)));
    },
  }),
  route('GET', '/v1/vals/{val_id}/runs', 'List runs of a val', {
    id: 'listValRuns',
    description: 'Returns the runs of one val of the caller, the latest start first.',
    auth: 'required',
    scope: 'val:read',
    params: ValPath,
    query: RunQuery,
    response: Page('RunPage', BaseRun),
    errors: [400, 401, 403, 404],
    rules: {
      specification: ['list: Runs of a val, by limit and offset, for callers with a token.'],
      record: ['filters: error, source, since and until work as in the list of all runs.'],
      chosen: [
        "author: Only the author of the val can list its runs, as in the list of all runs; another user's val is a 404.",
        'order: The latest start comes first, as in every list.',
      ],
    },
    handle(context) {
      const { state, caller, params, query } = context;
      const val = getOwnVal(state, params.val_id, caller);
      return runPage(context, listRunsByVal(state, val, query.error, toBounds(query)));
    },
  }),
  route('GET', '/v1/runs/{run_id}', 'Get a run by id', {
    id: 'getRun',
    finds: 'runs',
    description:
      'Adds emails, logs, return value and arguments to what lists of runs show. Only the author of the val can read it.',
    unofficial: true,
    auth: 'required',
    scope: 'val:read',
    params: RunPath,
    response: FullRun,
    errors: [400, 401, 403, 404],
    rules: {
      record: ['keys: In addition to the keys in lists, a run has its emails, logs, return value and arguments.'],
      chosen: [
        "author: Only the author of the val can read its runs, as in lists; a run of another user's val is a 404.",
      ],
    },
    handle({ state, caller, params }) {
      const run = getOwnRun(state, params.run_id, caller);
      return fullRunView(run, getVal(state, run), getAuthor(state, run));
    },
  }),
  route('POST', '/v1/vals/{val_id}/evaluations/{evaluation_id}/cancel', 'Cancel an evaluation of a val', {
    id: 'cancelEvaluation',
    description: 'Ends an unfinished run of a val of the caller now. An evaluation is a run.',
    unofficial: true,
    auth: 'required',
    scope: 'val:write',
    params: EvaluationPath,
    response: Cancellation,
    errors: [400, 401, 403, 404],
    errorBodies: { 404: Type.String() },
    rules: {
      record: [
        'found: The response says whether the evaluation was found.',
        'text-404: The body of a 404 is a JSON string.',
      ],
      chosen: [
        'run: An evaluation is a run, which ends now. One that has ended is not found.',
        "author: Only the author of the val can cancel its runs; another user's val is a 404.",
      ],
    },
    handle({ state, caller, params, now }) {
      try {
        const val = getOwnVal(state, params.val_id, caller);
        return { found: cancelRun(state, val, params.evaluation_id, now) };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        throw new BodyError(error.status, error.message, error.message, undefined, error);
      }
    },
  }),
];
