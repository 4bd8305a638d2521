import { Type } from 'typebox';
import { record, strictObject } from '../../lib/schema.js';
import { toTimestamp } from '../../lib/time.js';
import { PRIVACIES, RUN_SOURCES, type Run, type User, type Val } from '../../model/schema.js';
import { Paging, Window } from '../pagination.js';
import { AnyJson, Id, Nullable, Timestamp, uuid } from './common.js';
import { Author, authorView } from './users.js';

const sources = `(${RUN_SOURCES.join('|')})`;

/** Query parameters of lists of runs. */
export const RunQuery = Type.Object({
  ...Paging,
  ...Window,
  error: Type.Optional(Type.Boolean({ description: 'Only failed runs (true) or successful ones (false)' })),
  source: Type.Optional(
    Type.String({
      pattern: `^${sources}(,${sources})*$`,
      description: 'Only runs with one of these sources, separated by commas',
    }),
  ),
});

const base = {
  id: Id,
  error: Type.Union([Type.String(), Type.Object({}), Type.Null()], { description: 'null for a success' }),
  parentId: Type.String({ format: 'uuid', description: 'The run that started this one, or its own id' }),
  runStartAt: Timestamp,
  runEndAt: Type.Union([Timestamp, Type.Null()], { description: 'null while it goes on' }),
  val: strictObject({
    id: Id,
    name: Type.String(),
    author: Author,
    author_id: Id,
    username: Nullable(Type.String()),
    public: Type.Boolean(),
    privacy: Type.Enum([...PRIVACIES]),
    version: Type.Integer({ minimum: 0 }),
  }),
};

/** A run in a list. */
export const BaseRun = record('Run', base);

/** A single run. */
export const FullRun = record('FullRun', {
  ...base,
  emails: Type.Array(AnyJson),
  logs: Type.Array(AnyJson),
  returnValue: AnyJson,
  args: Type.Array(AnyJson),
});

export const RunPath = Type.Object({ run_id: uuid('Id of a run') });

/** A run in a list. */
export const runView = (run: Run, val: Val, author: User) => ({
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

/** A single run. */
export const fullRunView = (run: Run, val: Val, author: User) => ({
  ...runView(run, val, author),
  emails: [...run.emails],
  logs: [...run.logs],
  returnValue: run.returnValue,
  args: [...run.args],
});
