import * as z from 'zod';
import { toTimestamp } from '../domain/clock.js';
import { RUN_SOURCES, type Run } from '../domain/runs.js';
import type { State } from '../domain/state.js';
import { authorOf, type User } from '../domain/users.js';
import { PRIVACIES, type Val, valOf } from '../domain/vals.js';
import { named } from './components.js';
import { booleanParameter, json, listParameter, uuid } from './fields.js';
import { Json } from './json.js';
import { eachUser, eachVal, kept } from './kept.js';
import { Paging, Window } from './page.js';
import { Author, authorView } from './users.js';

/** Query parameters of lists of runs. */
export const RunQuery = Paging.extend(Window.shape).extend({
  error: booleanParameter.optional().describe('Only failed runs (true) or successful ones (false)'),
  source: listParameter(RUN_SOURCES).optional().describe('Only runs started in one of these ways, separated by commas'),
});

/** A run in a list. */
export const BaseRun = named(
  'Run',
  z.strictObject({
    id: z.guid(),
    error: z
      .union([z.string(), z.record(z.string(), json)])
      .nullable()
      .describe('null for a success'),
    parentId: z.guid().describe('The run that started this one, or this one'),
    runStartAt: z.iso.datetime(),
    runEndAt: z.iso.datetime().nullable().describe('null while it goes on'),
    val: z.strictObject({
      id: z.guid(),
      name: z.string(),
      author: Author,
      author_id: z.guid(),
      username: z.string().nullable(),
      public: z.boolean(),
      privacy: z.enum(PRIVACIES),
      version: z.int().min(0),
    }),
  }),
);

/** A run by itself. */
export const FullRun = named(
  'FullRun',
  BaseRun.extend({
    emails: z.array(json),
    logs: z.array(json),
    returnValue: json,
    args: z.array(json),
  }),
);

export const RunPath = z.object({ run_id: uuid.describe('Id of a run') });

const baseView = (run: Run, val: Val, author: User) => ({
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

const shownWith = (state: State, run: Run) => [valOf(state, run), authorOf(state, run)] as const;

/** A run in a list. */
export const runView = kept([eachVal, eachUser], shownWith, (run, val, author) => Json.of(baseView(run, val, author)));

/** A run by itself. */
export const fullRunView = (state: State, run: Run) =>
  Object.assign(baseView(run, ...shownWith(state, run)), {
    emails: [...run.emails],
    logs: [...run.logs],
    returnValue: run.returnValue,
    args: [...run.args],
  });
