import * as z from 'zod';
import { toTimestamp } from '../domain/clock.js';
import { RUN_SOURCES, type Run } from '../domain/runs.js';
import type { State } from '../domain/state.js';
import { authorOf } from '../domain/users.js';
import { PRIVACIES, valOf } from '../domain/vals.js';
import { booleanParameter } from './fields.js';
import { Paging, Window } from './page.js';
import { Author, authorView } from './users.js';

/** Query parameters of lists of runs. */
export const RunQuery = Paging.extend(Window.shape).extend({
  error: booleanParameter.optional().describe('Only failed runs (true) or successful ones (false)'),
  source: z
    .string()
    .transform((list) => list.split(','))
    .pipe(z.array(z.enum(RUN_SOURCES)))
    .optional()
    .describe('Only runs started in one of these ways, separated by commas'),
});

/** A run in a list. */
export const BaseRun = z.strictObject({
  id: z.guid(),
  error: z.union([z.string(), z.record(z.string(), z.json())]).nullable(),
  parentId: z.guid(),
  runStartAt: z.iso.datetime(),
  runEndAt: z.iso.datetime().nullable(),
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
});

export function runView(state: State, run: Run) {
  const val = valOf(state, run);
  const author = authorOf(state, run);
  return {
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
  };
}
