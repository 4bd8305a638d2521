import { type Static, Type } from 'typebox';
import { parseRows } from '../api/row-changes.js';
import { toWhole, WholeChange } from '../changes/change.js';
import { type ChangedRecord, walkChanges } from '../changes/changed-record.js';
import { TextDiffer } from '../changes/text-changes.js';
import { compareSerials } from '../fixtures/export.js';
import { inSteps, type Steps } from '../lib/steps.js';
import { toTimestamp } from '../lib/time.js';
import { ComparisonSchema, diffReferences, StateDiff } from '../sandbox/comparison.js';
import { getCommit, HistoryEntry, HistoryQuery, listHistory } from '../sandbox/history-entries.js';
import { selectRows } from '../sandbox/record-references.js';
import { listOthers, Other, Replacement, summarizeReplacement } from '../sandbox/replacement.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { Timestamp } from '../schema/common.js';
import { record, strictObject } from '../schema/schema.js';
import { controlRoute } from './route.js';

/** Changed records that a commit is read with. */
const MAX_CHANGES = 1_000;

const OtherChange = record('OtherChange', {
  name: Other,
  before: Type.Unknown(),
  after: Type.Unknown(),
});

const commitDetail = record('Commit', {
  id: Type.String({ description: 'Id of the request' }),
  request: Type.String({ description: 'The operation, as in `GET /v1/me`' }),
  time: Timestamp,
  total: Type.Integer({ description: 'Total number of changed records; `changes` lists the first 1,000' }),
  changes: Type.Array(WholeChange),
  others: Type.Array(OtherChange, { description: 'Changes of faults, the rate limit and the clock' }),
});
export interface CommitDetail extends Static<typeof commitDetail> {}

/**
 * Reads a commit with each changed record before and after it.
 * @throws NotFoundError when the history has no such commit
 */
function* readCommit({ store, journal }: Sandbox, id: string): Steps<CommitDetail> {
  const { id: commit, operation, at, before, after } = getCommit(store, id);
  const differ = new TextDiffer();
  const rows = parseRows(journal.find(commit)?.rows);
  let total = 0;
  const listed: WholeChange[] = [];
  for (const { definition, changes } of walkChanges(before, after)) {
    const { compare = compareSerials } = definition;
    const different: ChangedRecord[] = [];
    yield* inSteps(changes, (change) => void (change.isSame || different.push(change)));
    total += different.length;
    const first = different.sort((a, b) => compare(a.record, b.record)).slice(0, MAX_CHANGES - listed.length);
    yield* inSteps(first, (change) => {
      listed.push(toWhole(change, differ, selectRows(change, after, rows)));
    });
  }
  return {
    id: commit,
    request: operation,
    time: toTimestamp(at),
    total,
    changes: listed,
    others: listOthers(before, after),
  };
}

const RewindBody = strictObject(
  {
    steps: Type.Optional(Type.Integer({ minimum: 1, description: 'Commits to take back' })),
    before: Type.Optional(Type.String({ description: 'The first commit to take back: `r3`' })),
  },
  { title: 'Rewind', minProperties: 1, maxProperties: 1, expected: 'exactly one of steps and before' },
);

export const historyRoutes = [
  controlRoute('GET', '/_emulator/history', 'List the last commits, with what they changed', {
    id: 'listHistory',
    tool: 'history',
    query: HistoryQuery,
    response: Type.Array(HistoryEntry),
    errors: [400, 403, 404],
    example: { query: { record: 'ada/hello' } },
    handle: ({ sandbox: { store, journal }, query }) => listHistory(store, query, (id) => journal.find(id)),
  }),
  controlRoute('GET', '/_emulator/history/{id}', 'Get a commit, with each record before and after it', {
    id: 'getCommit',
    params: Type.Object({ id: Type.String({ description: 'Id of a commit, or from the end: `last`, `-2`' }) }),
    response: Type.Unsafe<CommitDetail>(commitDetail),
    errors: [403, 404],
    handle: ({ sandbox, params: { id } }) => readCommit(sandbox, id),
  }),
  controlRoute('POST', '/_emulator/rewind', 'Take back commits', {
    id: 'rewind',
    tool: 'rewind',
    hints: ['destructive'],
    body: RewindBody,
    response: Replacement,
    errors: [400, 403, 404],
    example: { body: { before: 'r1' } },
    handle({ sandbox, body }) {
      const { store } = sandbox;
      return summarizeReplacement(
        sandbox.replace(() => store.rewind(getCommit(store, body.steps ?? body.before ?? 0))),
      );
    },
  }),
];

export const comparisonRoutes = [
  controlRoute('POST', '/_emulator/diff', 'Compare two states, and score the difference', {
    id: 'diffStates',
    tool: 'diff',
    hints: ['readOnly'],
    body: ComparisonSchema,
    response: StateDiff,
    errors: [400, 403, 404, 422],
    example: { body: { expect: [{ collection: 'users', type: 'added' }] } },
    handle: ({ sandbox, body }) => diffReferences(sandbox.sources(false), body),
  }),
];
